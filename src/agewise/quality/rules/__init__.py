"""Rules about the quality of data, one kind a file."""
