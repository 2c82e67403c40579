"""The published recipe of heteroscedastic Bayesian PINNs, kept apart from our own.

Fixed points of every kind, coordinates alone as inputs, and Adam alone from random weights. The
presets `paper` and `paper-literal` are made of it, and nothing else is: two readings of what is not
told, whose settings `settings` names.
`settings` holds its numbers, `objective` what is made small, `methods` its three networks.
"""
