"""What in a record cannot be so, what is done about it, and what stands in for it."""
