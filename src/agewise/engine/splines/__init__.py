"""Smooth functions in closed form: splines, banded Gaussians, noisy series and their noise."""
