"""Reading files of other people: any common table in, a record or a profile out.

- `profile_file`: `read_profile`, which reads, checks and repairs; profiles stored and read back
- `record_file`: `read_record`, what a file holds in p.u. and °C before it is checked
- `options`: `Reading`, what a user says about a file
- `table`: cells of text, Parquet and Excel files: encoding, separators, header, numbers
- `columns`, `heading`, `synonyms`: which column is what, in which unit, in six languages
- `clock`: the time column: formats, zones, clock changes, numbers
"""
