"""What truly happens in a made plant, before any sensor looks at it.

- `surroundings`: load and air, minute by minute
- `oil`: the clean top oil, and the oil between clean ends
- `plant`: all of it together, for the window
"""
