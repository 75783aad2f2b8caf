"""Optional packages: imported when first needed; an absent one is one line that names the extra to install."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from counterec.errors import UsageError


def optional(module: str, extra: str) -> Any:
    """The module, or an error that says which extra brings it."""
    try:
        return import_module(module)
    except ImportError:
        raise UsageError(
            f"{module} is not installed; it comes with the extra {extra}: pip install 'counterec[{extra}]'"
        ) from None
