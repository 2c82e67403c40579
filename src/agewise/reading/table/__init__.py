"""Cells of foreign files: encoding, separators, header, decimals."""
