"""The engine: any equation that is written at a point, fitted to noisy readings.

It knows no transformer. A problem (`problems`) says what must vanish and where; a method
(`inference`) makes a posterior of it (`posterior`), from which functions are drawn. Between the two
stand `networks` and `splines`, the two kinds of function; `objective`, what a network makes small;
`training`, the loop that does so; and `uncertainty`, which splits and scores what is drawn.
`method` offers all that the file of a method imports, `presets` the frozen settings of networks.
"""
