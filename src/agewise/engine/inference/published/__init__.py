"""The published recipe of heteroscedastic Bayesian PINNs, kept apart from our own.

Fixed points of every kind, coordinates alone as inputs, Adam alone from random weights, and one
noise that readings and residuals share. The preset `paper` is made of it, and nothing else is.
`settings` holds its numbers, `objective` what is made small, `methods` its three networks.
"""
