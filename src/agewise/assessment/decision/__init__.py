"""What to tell a person: findings, limits, cooling, one action, and a rating."""
