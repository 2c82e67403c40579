"""What a network makes small: readings, residuals and a prior, and how they are weighed."""
