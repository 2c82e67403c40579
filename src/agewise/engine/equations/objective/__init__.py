"""What a fit makes small: readings, residuals and prior as sums of squares.

`collocation` says where residuals are taken and how tight, `sensors` what was read, `noise` how
noisy that is (by `noise_features`, or by `regimes` where it is quiet and loud in turn), `quantity`
what sensors would read without noise. `rows` puts all of it together; `averaged` is for functions
with something random.
"""
