"""Batch jobs: kept in a database, worked on by one process, which goes on where it was."""
