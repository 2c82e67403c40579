"""Times in foreign files, to seconds since the first row."""
