"""The line from reviews to explanations: its configuration, its stages, and the run folder they fill."""
