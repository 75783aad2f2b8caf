"""The built-in world: users with known tastes, items with known qualities, and the reviews that follow from both."""
