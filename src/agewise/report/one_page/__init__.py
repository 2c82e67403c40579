"""One printed page for a manager: answer, reason, three figures, what was assumed."""
