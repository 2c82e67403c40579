"""Runs in folders: arrays, JSON and the manifest that seals them, there whole or not at all."""
