"""Ageing laws of insulation paper, one a file, and the life that an ageing rate uses up."""
