"""Functions and constants of a vector of numbers, each of them standard normal beforehand.

`networks` are the functions that can be represented and `features` what they are fed with;
`indexed` and `fourier` are the networks of `epinet` and `gp`. `unknown` makes of one vector all
that is unknown in a problem.
"""
