"""The page of `agewise calibrate`: what was learned of a unit, and how well it explains the oil."""
