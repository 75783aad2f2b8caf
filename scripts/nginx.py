"""Where nginx is on this machine."""

from __future__ import annotations

import os
import shutil
from pathlib import Path


def installed_nginx() -> Path | None:
    """Return nginx; None if there is none. It often lies where only the administrator's shell looks."""
    found = shutil.which("nginx", path=os.pathsep.join((*os.get_exec_path(), "/usr/sbin", "/usr/local/sbin")))
    return None if found is None else Path(found)
