"""Evaluation: how good the lists are, and how good their explanations are, for the user and for the model."""
