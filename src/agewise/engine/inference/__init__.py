"""Methods, one a file: `fit` makes a posterior, `draw` makes functions."""
