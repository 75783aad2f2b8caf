"""A run: made from a configuration, opened as values with names, and asked questions by ids."""

from counterec.run.opened import Run, make_run, open_run

__all__ = ["Run", "make_run", "open_run"]
