"""The page: table, one line for each method, pictures and words."""
