"""Any file of other people to a profile: its table, its clock, its columns and their units."""
