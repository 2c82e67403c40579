"""The twin: measurements of a bundled case with a known truth."""
