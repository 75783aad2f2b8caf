"""The two streams: results go to standard output, progress and errors to standard error."""

from __future__ import annotations

import json
import sys
from datetime import datetime
from pathlib import Path
from typing import Any

from rich.console import Console

out = Console()
err = Console(stderr=True)


def print_json(value: Any) -> None:
    """Print a value for machines: texts as they are or, where the stream cannot carry them, escaped."""
    text = json.dumps(value, indent=2, default=_time_as_text, ensure_ascii=False)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(value, indent=2, default=_time_as_text)
    print_line(text)


def _time_as_text(value: Any) -> str:
    if isinstance(value, datetime):
        return str(value)
    raise TypeError(f"{type(value).__name__} has no form in JSON")


def print_path(path: Path | None) -> None:
    """Print where a result was written, if it was."""
    if path is not None:
        print_line(str(path))


def print_line(text: str) -> None:
    """Print a line as it is, neither wrapped nor coloured."""
    sys.stdout.write(text + "\n")
