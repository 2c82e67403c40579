"""What all figures share: colours and sizes, times on an axis, days of a long record."""
