"""Draws of the numbers, where no formula gives their distribution.

`chains` are Markov chains on a `density`, each moved by a `kernel`; `mixing` says whether they
agree. `subsets` goes from the prior to what is nearly a solution, level by level; `search` does so
until that is near enough. `drawn` asks whether functions that were drawn are solutions at all,
`members` what those of an ensemble disagree on.
"""
