"""The two streams: results go to standard output, progress and errors to standard error."""

from __future__ import annotations

import json
import sys
from datetime import datetime
from typing import Any

from rich.console import Console

out = Console()
err = Console(stderr=True)


def print_json(value: Any) -> None:
    """Print a value for machines; ASCII only, so that it stays JSON in a terminal of any encoding."""
    print_line(json.dumps(value, indent=2, default=_time_as_text))


def _time_as_text(value: Any) -> str:
    if isinstance(value, datetime):
        return str(value)
    raise TypeError(f"{type(value).__name__} has no form in JSON")


def print_line(text: str) -> None:
    """Print a line as it is, neither wrapped nor coloured."""
    sys.stdout.write(text + "\n")
