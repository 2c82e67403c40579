"""The quality of measurements: what in a record is impossible, and what is done about it.

- `quality`: `checked`, which runs every rule and the repair
- `rules`: the rules, one subject a file
- `thresholds`: the number behind each rule
- `sheet`: the rows that rules look at, and their findings
- `repair`, `bridge`, `typical_day`: how holes are filled; `labels`: the times of new rows
- `stand_ins`: estimates for a thermometer that was silent for hours
"""
