"""One transformer: the loading guide, its oil, its paper and its life. Arrays in, arrays out.

- `iec60076`: top oil, hot spot and the plain answer of the guide.
- `cooling_defaults`: its constants by cooling, and its limits.
- `ageing`: laws of paper, one a file, all of them in `ageing.registry`; the life that a rate uses.
- `oil`: the tank, its heat equation as a problem for the engine, the reference solution, and
  `oil.solver`, the one inference method that knows this equation.
- `prognostics`: unknowns and their draws, life left, forecast of top oil, permitted loads, cooling.

Of the engine it knows what a problem is, and for `oil.solver` and `oil.holes` what a method and a
posterior are; profiles and nameplates are unknown here. A second asset, such as a cable, would be a
neighbour of this package with the same four things (a guide's formulas, an ageing law, a problem
and limits). Built on it would be a nameplate in `plant`, the problem of a profile in
`assessment.oil.problem`, the hot spot over the measured temperature in `assessment.life.winding`,
and the limits in `assessment.decision.temperature_limits`; everything after that consumes draws.
"""
