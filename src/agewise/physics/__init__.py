"""Known physics: the tank, the IEC 60076-7 thermal model and the reference solution."""
