"""What a prediction does not know, how its parts are told apart, and whether they are right."""
