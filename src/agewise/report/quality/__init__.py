"""The picture of `agewise check`: a file as it was read beside what is left of it."""
