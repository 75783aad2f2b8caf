"""The API and the page of a run."""
