"""Reading files of other people: any common table in, a record or a profile out.

- `profile_file`: `read_profile`, which reads, checks and repairs; profiles stored and read back
- `record_file`: `read_record`, what a file holds in p.u. and °C before it is checked
- `files`, `join`, `onto`: several files as one record, in the order of time or side by side
- `options`, `zones`: `Reading`, what a user says about a file; `mapping` writes it down
- `table`: cells of text, Parquet and Excel files: encoding, separators, header, numbers, tags
- `columns`, `heading`, `synonyms`: which column is what, in which unit, in six languages
- `values`, `load_parts`, `load_values`: numbers in p.u. and °C; phases, windings, MW and Mvar
- `clock`: the time column: formats, zones, clock changes, numbers
"""
