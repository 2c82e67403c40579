"""A made fleet: many transformers of many kinds, with a known truth each.

- `settings`: how many, how long, how many of them ail
- `places`, `loads`: where a unit stands, and how it is loaded
- `sheets`: its nameplate, as printed and as it is
- `incidents`: what happens to it within the window
- `unit`: one transformer, and what truly happens to it
- `dialects`, `hopeless`: how its logger writes, and files of which nobody can make anything
- `truth`: what there is to know about a unit
- `fleet_folder`: all of it in files
"""
