"""The most probable numbers of a problem, by Gauss-Newton.

`stated` is a problem before any fit, `fitted` what a fit has found. `most_probable` tries starts
and networks, `most_probable_waves` sums of waves; `rest` brings either to rest, and learns in turn
the noise and, by `gains`, how fast functions change, unless equations say so (`determined`).
`reweighted` has losses that are no likelihood, by Adam.
"""
