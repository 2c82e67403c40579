"""What comes back of a fit, and whether it can be trusted.

`weights` says how sure the numbers are, `posterior` makes functions and constants of them and is
what a user holds; `points` are where it is asked, `picture` shows it, `restored` reads its file.
`unexplained` is what a fit leaves of readings and equations, `check` the sentences about it.
`conformal` makes bands that hold.
"""
