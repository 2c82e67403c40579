"""The twin: measurements of a bundled case with a known truth.

- `twin`: settings, and the twin that they make; `twin_file`: its five files
- `cases`, `weather`, `scenario`: the plant, its sun and air, and the year that follows
- `truth`, `noise`, `faults`: the true oil, what sensors add to it, and what goes wrong
- `truth_file`: the truth read back for scoring; `summary`: figures for people
"""
