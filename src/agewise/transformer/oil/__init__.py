"""The oil's heat equation: the tank, its problem, and the reference solution."""
