"""What is not known of the oil between its ends: constants of the equation, and its own error."""
