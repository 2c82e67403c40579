"""One transformer: the loading guide, its oil and its life. Arrays in, arrays out."""
