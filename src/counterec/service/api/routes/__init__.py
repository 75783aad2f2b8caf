"""The routes, one file per thing that is asked for."""
