"""Figures that a person can read."""
