"""A run behind a server, by the names of ``Run``: ``connect("http://localhost:8080")``, not ``open_run(folder)``."""

from counterec.client.remote_run import RemoteRun, connect

__all__ = ["RemoteRun", "connect"]
