"""Constants of the oil's heat equation from sensors between its ends."""
