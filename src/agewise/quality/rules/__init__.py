"""Rules about the quality of data, one subject a file.

- `time_stamps`: unreadable, unsorted, repeated and missing rows, uneven steps
- `clock_jumps`: a clock that jumps
- `values`: missing values, codes for none, reverse power, impossible values, spikes
- `gates`: what no oil does: leap, hold one value for a day, jump to and fro
- `excursions`: stretches that jump away and back, loads beyond any transformer
- `stuck`: one value held, straight lines, a load of 0 by day
- `exchanged`: ambient and top oil that changed places
- `bias`: thermometers that step (`jumps`)
- `heatless`: load without heat (`oil_model`)
- `coarse`: the view in bins of five minutes that the last of them use
"""
