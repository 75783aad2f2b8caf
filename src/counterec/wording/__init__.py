"""Sentences from explanations and names."""
