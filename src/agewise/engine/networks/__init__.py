"""Networks as functions of a flat vector of weights, derivatives carried along with the value.

`mlp` is the network, `features` what it is fed with, `jet` how derivatives pass through its layers.
"""
