"""The start of a process of the service, before it answers."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

LISTEN = """
import sys
from pathlib import Path
from counterec.service.compute import Compute
from counterec.service.service import Service
from counterec.service.serve import ServiceSettings

before = "torch" in sys.modules
Compute.do = lambda self, work: print(before, "torch" in sys.modules)
Service(ServiceSettings(folder=Path(sys.argv[1])))
"""


def test_torch_is_loaded_before_any_thread_begins(tiny_run: Path) -> None:
    """Threads of the page and of the API ask at the same time: neither may be the one to load it."""
    code = [sys.executable, "-c", LISTEN, str(tiny_run)]
    assert subprocess.run(code, capture_output=True, text=True, check=True).stdout.split() == ["False", "True"]
