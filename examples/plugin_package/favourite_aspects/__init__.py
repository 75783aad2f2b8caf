"""What a user cares about most: as an explainer, and as a metric."""
