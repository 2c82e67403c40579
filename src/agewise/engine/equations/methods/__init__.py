"""Methods for any equation, one a file, all of them in `registry`; `base` is what they share.

Each is a function of a problem's most probable fit, or of the problem itself, that leaves a
distribution over numbers (see `posterior.weights`); the rest is the same for all.
"""
