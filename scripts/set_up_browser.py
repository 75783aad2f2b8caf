"""Installs what the browser tests need and this machine lacks: Chromium, and nginx.

``make full`` runs it. What is there is used as it is. Otherwise the system's package manager is asked, and for
Chromium, if that fails, Playwright. Without nginx, the test behind a reverse proxy is skipped and says so.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence

from scripts.chromium import installed_chromium
from scripts.nginx import installed_nginx

MANAGERS: dict[str, Sequence[Sequence[str]]] = {
    "apt-get": (("update", "-qq"), ("install", "-y", "-qq", "--no-install-recommends")),
    "dnf": (("install", "-y", "-q"),),
    "pacman": (("-Sy", "--noconfirm"),),
    "apk": (("add", "-q"),),
}
"""Package managers of systems, and what each is told; the last command of each takes the names of packages."""


def system_install(package: str) -> bool:
    """Ask the system's package manager for a package; return whether it could be installed."""
    for manager, commands in MANAGERS.items():
        if shutil.which(manager) is None:
            continue
        *before, install = commands
        for words in before:  # an old list of packages is better than none, so its status does not matter
            _runs([*_as_root(), manager, *words])
        return _runs([*_as_root(), manager, *install, package])
    return False


def _as_root() -> list[str]:
    """What makes a command one of the administrator, without asking for a password."""
    return [] if os.geteuid() == 0 else ["sudo", "-n"]


def _runs(command: Iterable[str]) -> bool:
    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    try:
        return subprocess.run(list(command), env=env, check=False).returncode == 0
    except FileNotFoundError:  # no sudo
        return False


def main() -> int:
    """Install what is missing; the status is 1 if there is no Chromium in the end."""
    if installed_chromium() is None and not system_install("chromium"):
        _runs([sys.executable, "-m", "playwright", "install", "--with-deps", "chromium"])
    if installed_nginx() is None:
        system_install("nginx")
    chromium, nginx = installed_chromium(), installed_nginx()
    print(f"Chromium: {chromium or 'none; install it, or name one in COUNTEREC_CHROMIUM'}")
    print(f"nginx: {nginx or 'none; the test behind a reverse proxy will be skipped'}")
    return int(chromium is None)


if __name__ == "__main__":
    sys.exit(main())
