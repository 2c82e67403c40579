"""The engine: any equation that is written at a point, fitted to noisy readings.

It knows no transformer. A problem (`problems`) says what must vanish and where; a method
(`inference`) makes a posterior of it (`posterior`), from which functions are drawn. Between the two
stand `networks` and `splines`, the two kinds of function; `objective`, what a network makes small;
`training`, the loop that does so; and `uncertainty`, which splits and scores what is drawn.
`presets` are the frozen settings of networks. `equations` serves problems on any box by methods of
its own, and `fit` is the front door to it.
"""
