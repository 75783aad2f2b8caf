"""Code that a command line or a config names as ``module:attribute``: an extractor, a kind of model.

A run folder may name such code, too, but it may execute nothing: code is imported only if somebody asked for it in this
process, by a config of their own or in the environment variable ``COUNTEREC_CODE``.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from counterec.errors import ConfigError, CounterecError, UsageError

VARIABLE = "COUNTEREC_CODE"
"""The environment variable with references that may be imported, separated by commas."""
_trusted: set[str] = set()


def is_reference(name: str) -> bool:
    """Return whether a name has the form ``module:attribute``."""
    module, colon, attribute = name.partition(":")
    return bool(module and colon and attribute)


def trust(names: Iterable[str]) -> None:
    """Let these references be imported in this process; other names are ignored."""
    _trusted.update(name for name in names if is_reference(name))


def trusted() -> tuple[str, ...]:
    """Return the references that may be imported in this process."""
    return tuple(sorted(_trusted))


def import_trusted(name: str, what: str) -> Any:
    """Import what a reference names, unless only a run folder asked for it."""
    if name not in _trusted and name not in os.environ.get(VARIABLE, "").split(","):
        raise UsageError(
            f"the run's {what} is {name!r}, which is code, and a run folder executes nothing; if you trust it, set "
            f"{VARIABLE}={name}"
        )
    return import_named(name, what)


def import_named(name: str, what: str) -> Any:
    """Import the object that ``module:attribute`` names; every fault is one line that begins with ``what``.

    Modules of the current directory are found, too.
    """
    if not is_reference(name):
        raise ConfigError(f"{what}: {name!r} names nothing; write module:attribute")
    module, _, attribute = name.partition(":")
    if "" not in sys.path:
        sys.path.append("")
    try:
        return getattr(import_module(module), attribute)
    except (Exception, SystemExit) as error:  # anybody's code runs when it is imported
        raise ConfigError(f"{what}: {name!r} cannot be imported ({_said(error)}); is it on the Python path?") from None


@contextmanager
def guarded(what: str, name: str) -> Iterator[None]:
    """Turn whatever named code raises into one line; what is built in, or was handed over, raises as it does."""
    try:
        yield
    except CounterecError:
        raise
    except Exception as error:
        if not is_reference(name):
            raise
        raise UsageError(f"the {what} {name!r} does not work ({_said(error)}); repair it") from None


def _said(error: BaseException) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split()).rstrip(": ")
