"""Explainers: a question in, verified explanations out."""
