"""Objects that a command line or a config names: ``module:attribute``."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

from counterec.errors import ConfigError


def is_reference(name: str) -> bool:
    """Return whether a name has the form ``module:attribute``."""
    module, colon, attribute = name.partition(":")
    return bool(module and colon and attribute)


def import_named(name: str, what: str) -> Any:
    """Import the object that ``module:attribute`` names; every fault is one line that begins with ``what``.

    Modules are looked for in the current directory, too.
    """
    if not is_reference(name):
        raise ConfigError(f"{what}: {name!r} names nothing; write module:attribute")
    module, _, attribute = name.partition(":")
    if "" not in sys.path:
        sys.path.append("")
    try:
        return getattr(import_module(module), attribute)
    except (Exception, SystemExit) as error:  # anybody's code runs when it is imported
        said = " ".join(f"{type(error).__name__}: {error}".split())
        raise ConfigError(f"{what}: {name!r} cannot be imported ({said}); is it on the Python path?") from None
