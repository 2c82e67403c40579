"""What each page shows and its JSON twin gives, worked out once for both."""
