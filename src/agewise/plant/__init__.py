"""The nouns of a plant: profile and nameplate, their units, time and files."""
