"""Scorers: the black boxes that are explained, the built-in net, its training, and ranking with any of them."""
