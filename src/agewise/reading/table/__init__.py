"""Cells of foreign files.

- `foreign`: `sheet_of`, the table of any file; text is read by Arrow
- `encoding`: bytes to UTF-8, gzip; `dialect`: separators, decimal signs; `header`: names and units
- `numbers`: decimal commas, thousands, words for no value; `workbook`: Excel
"""
