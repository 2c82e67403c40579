"""Methods, one a file, all of them in `registry`: `fit` makes a posterior, `draw` makes functions.

A method's file imports from `offered` alone what any method needs. `line` and `exact` are closed
forms; `map`, `laplace`, `vi` and `dropout` train a network; `published` is the paper's recipe.
"""
