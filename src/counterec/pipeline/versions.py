"""The versions of packages and the digest of the code that a run was made with: an edited solver runs again."""

from __future__ import annotations

import hashlib
import platform
import re
import sys
import uuid
from functools import cache
from importlib.metadata import PackageNotFoundError, packages_distributions, requires, version
from importlib.util import find_spec
from pathlib import Path


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


OWN = "counterec"


@cache
def code_digest(name: str) -> str:
    """What identifies the code of a package or module.

    Our own packages, and modules that no distribution brought: the checksum of their source. Anything else: the name
    and version of its distribution, since its files are not ours to read.
    """
    top = name.split(".")[0]
    distributions = packages_distributions().get(top, []) if top != OWN else []
    if distributions:
        return " ".join(f"{found} {version(found)}" for found in sorted(set(distributions)))
    files = _files(name)
    if not files:  # defined in a notebook or at a prompt: nobody can tell whether it changed
        return f"{name} as of {uuid.uuid4()}"
    found = hashlib.sha256()
    for relative, path in files:
        found.update(f"{relative}\0".encode())
        found.update(path.read_bytes())
    return found.hexdigest()


def _files(name: str) -> list[tuple[str, Path]]:
    """The source files of a package or module, with names that do not depend on where it is installed."""
    if name == "__main__":
        script = getattr(sys.modules[name], "__file__", None)
        return [(name, Path(script))] if script else []
    spec = find_spec(name)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(f"a stage names {name!r} as code it runs, and there is no such module", name=name)
    if spec.submodule_search_locations is None:
        return [(name, Path(spec.origin))]
    root = Path(next(iter(spec.submodule_search_locations)))
    paths = sorted(path for path in root.rglob("*") if path.suffix in (".py", ".toml"))
    return [(path.relative_to(root).as_posix(), path) for path in paths]
