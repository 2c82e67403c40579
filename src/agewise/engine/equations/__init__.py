"""Any equation: from a problem in its own units to a posterior of its functions and constants.

`statement` refuses what is stated wrongly, `features` and `networks` are the functions that can be
represented, `unknown` makes functions and constants of one vector of numbers. `collocation` says
where residuals are taken and how tight, `sensors` what was read, `noise` how noisy that is, `rows`
puts all of it into sums of squares. `fitting` finds the most probable numbers, `gaussian` how sure
they are, `check` whether the fit can be trusted, and `posterior` is what comes back.
"""
