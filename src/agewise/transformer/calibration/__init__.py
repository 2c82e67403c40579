"""Constants of the guide's models, learned from what a plant measured."""
