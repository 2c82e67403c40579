"""One page that stands alone: the answer in words, then the figures behind it."""
