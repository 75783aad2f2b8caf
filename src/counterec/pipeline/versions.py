"""What the numbers were computed with, for whoever wants to compute them again."""

from __future__ import annotations

import platform
import re
from functools import cache
from importlib.metadata import PackageNotFoundError, requires, version


@cache
def versions() -> dict[str, str]:
    """The versions of the package, of the packages it needs and of Python, and the kind of machine."""
    found = {package: _version(package) for package in ("counterec", *_dependencies())}
    return {**found, "python": platform.python_version(), "platform": f"{platform.system()} {platform.machine()}"}


def _dependencies() -> list[str]:
    """The packages that the installed counterec requires."""
    try:
        needed = requires("counterec") or []
    except PackageNotFoundError:
        needed = ["numpy", "torch", "polars"]
    names = (re.match(r"[\w.-]+", requirement) for requirement in needed if "extra ==" not in requirement)
    return sorted(name.group() for name in names if name)


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "unknown"
