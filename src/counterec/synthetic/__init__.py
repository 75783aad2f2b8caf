"""The built-in synthetic world: users with known tastes, items with known qualities, and the reviews that follow."""
