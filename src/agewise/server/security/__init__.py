"""Who may read and write, and what a browser may do with a page."""
