"""Any equation: what must vanish, how it is fitted, how sure that is. It knows no transformer."""
