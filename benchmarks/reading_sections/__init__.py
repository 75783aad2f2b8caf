"""The sections of the page that reads all experiments, and what they share."""
