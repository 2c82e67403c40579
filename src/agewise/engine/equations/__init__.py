"""Any equation: from a problem in its own units to a posterior of its functions and constants.

`statement` refuses what is stated wrongly, and `settings` is what can be chosen. One room stands on
the other: `functions` of a vector of numbers, the `objective` that a fit makes small, the
`posterior` that comes back with its check, the `fitting` of the most probable numbers, `draws` of
others, and `methods`, one a file.
"""
