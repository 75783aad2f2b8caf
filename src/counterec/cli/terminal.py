"""Where the command line writes: what was asked for goes to standard output, progress and errors beside it."""

from __future__ import annotations

import json
import sys
from typing import Any

from rich.console import Console

out = Console()
err = Console(stderr=True)


def print_json(value: Any) -> None:
    """A value for machines."""
    print_plain(json.dumps(value, indent=2))


def print_plain(text: str) -> None:
    """A line for machines: neither wrapped nor coloured."""
    sys.stdout.write(text + "\n")
