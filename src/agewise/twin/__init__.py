"""The twin: measurements of a bundled case with a known truth.

- `settings`, `twin`: what is asked for, and the twin that it makes; `twin_file`: its five files
- `cases`, `weather`, `scenario`: the plant, its sun and air, and the year that follows
- `true_plant`: what truly happens in it
- `noise`, `readings`, `faults`: what sensors add to that, what they show, and what goes wrong
- `truth_dataset`, `truth_file`: the truth, and how it is read back for scoring
- `summary`: figures for people
"""
