"""Series of numbers that the page's script draws, one chart a file."""
