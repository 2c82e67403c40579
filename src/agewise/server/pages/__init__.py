"""Addresses that answer with pages, one file a subject."""
