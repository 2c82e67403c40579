"""What is known of every asset of a fleet: a database of assets, runs and alerts."""
