"""The only door for files, units and validation; and the twin, data with a known truth."""
