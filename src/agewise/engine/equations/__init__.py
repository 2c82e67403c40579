"""Any equation: from a problem in its own units to a posterior of its functions and constants.

`statement` refuses what is stated wrongly, `features` and `networks` are the functions that can be
represented, `unknown` makes functions and constants of one vector of numbers. `collocation` says
where residuals are taken and how tight, `sensors` what was read, `noise` how noisy that is, `rows`
puts all of it into sums of squares. `fitting` finds the most probable numbers, and `gains` with it
how fast functions change; `unexplained` and `check` say whether the fit can be trusted, `weights`
how sure the numbers are, and `posterior` is what comes back. `methods` has one a file; for them are
`averaged` (random functions in a fit), `drawn` (whether those are solutions), the networks of
`indexed` and `fourier`, and `reweighted` (losses that are no likelihood).
"""
