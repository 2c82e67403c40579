"""The oil of a profile: its problem, its windows, and the posterior that a method makes."""
