"""Smooth functions in closed form: splines, banded Gaussians, noisy series and their noise.

`basis` holds the functions, `blocks` the algebra of Gaussians that couple neighbours only.
`smoothing` fits a series, `ends` both ends of a problem, `noise` the law of what they leave over,
and `linear` writes a linear problem as rows over the basis. `rough` and `rough_ends`
do the same for series that change from minute to minute.
"""
