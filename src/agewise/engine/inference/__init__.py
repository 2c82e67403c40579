"""Methods, one a file, all of them in `registry`: `fit` makes a posterior, `draw` makes functions.

A method's file imports from `agewise.engine.method` alone what any method needs. `line` and `exact`
are closed forms; `map`, `laplace`, `vi` and `dropout` train a network; `published` is the paper's
recipe.
"""
