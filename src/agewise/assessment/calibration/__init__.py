"""Constants of a unit, learned from its own measurements, and how well they explain them."""
