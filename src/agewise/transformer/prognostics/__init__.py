"""From temperature to life: arrays with a leading axis of draws in, arrays out."""
