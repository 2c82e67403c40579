"""What a network makes small: readings, residuals and a prior, and how they are weighed.

`settings` holds the numbers that are chosen, `architecture` the network and prior they stand for,
`families` the distributions over weights. `readings` averages what was measured, `objective` is the
loss, `linearised` its closed form near the most probable weights, and `discrepancy` how wrong the
equation itself seems to be. `setup` puts a fit together, `trained` is the posterior it leaves, and
`method` what all methods that train a network share.
"""
