"""The machine that a benchmark ran on, as its page says it."""

from __future__ import annotations

import os
import platform

import torch


def machine() -> str:
    """Versions and cores: ``Python 3.11.7, PyTorch 2.13.0+cpu, x86_64, 2 cores``."""
    versions = f"Python {platform.python_version()}, PyTorch {torch.__version__}"
    return f"{versions}, {platform.machine()}, {os.cpu_count()} cores"


def load_average() -> str:
    """How busy the machine was in the last 1, 5 and 15 minutes; a page is written at the end."""
    return f"load average at the end {', '.join(f'{value:.1f}' for value in os.getloadavg())}"
