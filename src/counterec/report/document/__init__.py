"""The report of a run as one HTML file: no script, nothing from elsewhere."""
