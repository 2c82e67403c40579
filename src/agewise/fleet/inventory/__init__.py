"""Which assets a fleet has: a table of them (CSV, Parquet, TOML), or a folder of folders."""
