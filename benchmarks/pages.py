"""What the result pages share: the machine, and sections that are measured one by one."""

from __future__ import annotations

import os
import platform
from pathlib import Path

import torch

_SECTION = "\n## "


def machine() -> str:
    """Versions and cores: ``Python 3.11.7, PyTorch 2.13.0+cpu, x86_64, 2 cores``."""
    versions = f"Python {platform.python_version()}, PyTorch {torch.__version__}"
    return f"{versions}, {platform.machine()}, {os.cpu_count()} cores"


def load_average() -> str:
    """How busy the machine was in the last 1, 5 and 15 minutes; a page is written at the end."""
    return f"load average at the end {', '.join(f'{value:.1f}' for value in os.getloadavg())}"


def page_of(path: Path) -> str:
    """Return the page as it is; empty if there is none."""
    return path.read_text(encoding="utf-8") if path.exists() else ""


def sections_of(page: str) -> dict[str, str]:
    """Return the sections of a page by their names."""
    parts = page.split(_SECTION)[1:]
    return {name.strip(): body.strip() for name, _, body in (part.partition("\n") for part in parts)}


def with_section(heading: str, page: str, name: str, body: str) -> str:
    """Return the page with this section new, in its place if it has one, and at the end otherwise."""
    sections = sections_of(page) | {name: body.strip()}
    return heading.rstrip() + "\n" + "".join(f"{_SECTION}{title}\n\n{text}\n" for title, text in sections.items())
