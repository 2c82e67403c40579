"""Addresses under `/api/v1` that answer with JSON or files, one file a subject."""
