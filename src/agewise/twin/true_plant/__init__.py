"""What truly happens in a made plant, before any sensor looks at it.

- `nameplates`: the sheet that is printed, and the constants behind it
- `surroundings`, `air_file`: load and air, minute by minute, made or recorded
- `oil`: the clean top oil, and the oil between clean ends
- `layers`: oil in layers, which the heat equation does not have
- `winding`: hot spot and life used
- `plant`: all of it together, for the window
"""
