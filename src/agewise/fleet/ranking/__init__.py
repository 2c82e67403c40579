"""Which assets to look at first, how sure that order is, and what to measure to be surer."""
