"""The revisions, each with the one before it."""
