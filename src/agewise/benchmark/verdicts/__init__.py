"""What other systems have published of themselves, and whether that holds by our cells."""
