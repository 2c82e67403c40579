"""The page and the JSON of a fleet: what `agewise serve` shows of a folder that was assessed.

- `settings`, `app`, `serving`: what is served, the application, and where it listens
- `security/`: who may read and write, and what a browser may do with a page
- `views/`: what each page shows and its JSON twin gives, worked out once for both
- `pages/`, `api/`: addresses that answer with HTML, and with JSON or files
- `charts/`: series of numbers that the page's script draws
- `work/`: uploads and ratings, each worked on in a bounded process of its own

Everything outside the extra `agewise[fleet]` can do without this room.
"""
