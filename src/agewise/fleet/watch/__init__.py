"""A fleet that is watched: the day's readings, what they tell of each unit, and alerts.

- `new_readings`: what has been read since the last look
- `belief`: what is believed of a unit, in draws that new readings weigh
- `day`: a day of a unit: its oil, winding and life, and what it should have been
- `cooling_look`: whether the oil is hotter than before, for the same load and air
- `symptoms`, `alerts`: what is worth an alert, and from when until when it stands
- `unit_state`: all of that on disk, from one look to the next
- `unit_watch`, `fleet_watch`: one unit, and all of them
- `outbox`: what is still to be posted to a URL
"""
