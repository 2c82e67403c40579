"""Figures that a person can read, one a file."""
