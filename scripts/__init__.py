"""What is run from a checkout, and belongs neither to the package nor to its tests."""
