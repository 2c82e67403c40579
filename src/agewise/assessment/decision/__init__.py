"""What to tell a person: findings, limits, cooling, and one action."""
