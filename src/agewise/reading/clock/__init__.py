"""The time column of foreign files.

- `time_column`: seconds from the first row, whatever the column holds
- `isotime`: ISO 8601; `stamps`: other dates and times of day; `dayparts`: both in two columns
- `serials`: minutes, seconds since 1970, Excel's days
- `clock_change`: local times and the hours that a clock change repeats or leaves out
"""
