"""Scorers: the protocols of the black box, the built-in net and its training, and ranking with any scorer."""
