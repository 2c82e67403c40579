"""How the tables of a catalogue came about, one revision a file in `versions`."""
