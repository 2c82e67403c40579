"""Functions with weights: one architecture a file."""
