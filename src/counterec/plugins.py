"""Plugins: models, extractors and rankers that other packages bring by entry points.

A package names what it brings in its ``pyproject.toml``::

    [project.entry-points."counterec.extractors"]
    keywords = "my_package.extractor:KeywordExtractor"

Nothing is imported until it is used. Whatever goes wrong then is one line that names the package.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Literal

from counterec.errors import CounterecError, PluginError, UsageError

Kind = Literal["model", "extractor", "ranker"]
GROUPS: dict[Kind, str] = {
    "model": "counterec.models",
    "extractor": "counterec.extractors",
    "ranker": "counterec.rankers",
}
"""The kinds of plugin → the group of entry points that brings them."""

BRINGS: dict[Kind, str] = {
    "model": "a ModelKind of the same name",
    "extractor": "a function or class that makes an extractor",
    "ranker": "a function or class that makes a ranker from the aspect space",
}
"""What the entry point of each kind must name."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")
"""Names become files and columns."""


@dataclass(frozen=True)
class Plugin:
    """One entry point of an installed package; nothing of it has been imported."""

    kind: Kind
    name: str
    package: str
    version: str
    point: EntryPoint

    @property
    def code(self) -> str:
        """The top package of what it runs, which belongs to the keys of the stages that use it."""
        return self.point.module.split(".")[0]

    @property
    def label(self) -> str:
        """What it is and where it comes from, for messages."""
        return f"the {self.kind} {self.name!r} of the package {self.package} {self.version}"

    def load(self) -> Any:
        """Import what it brings."""
        if not _NAME.fullmatch(self.name):
            raise PluginError(f"{self.label}: its name must be made of letters, digits, '.', '_' and '-'")
        try:
            found = self.point.load()
        except (Exception, SystemExit) as error:  # it is anybody's code
            raise self.fault(error) from None
        if not _fits(self, found):
            raise PluginError(
                f"{self.label}: {self.point.value} is {_described(found)}, not {BRINGS[self.kind]}; ask its authors"
            )
        return found

    def fault(self, error: BaseException) -> PluginError:
        """What a plugin raised, in one line that names its package."""
        what = f"{type(error).__name__}: {error}".rstrip(": ")
        first_line = what.splitlines()[0]
        return PluginError(f"{self.label} does not work ({first_line}); repair or uninstall {self.package}")


def _fits(plugin: Plugin, found: Any) -> bool:
    if plugin.kind == "model":
        return callable(getattr(found, "load", None)) and getattr(found, "name", None) == plugin.name
    return callable(found)


def _described(found: Any) -> str:
    return f"a {type(found).__name__}"


def installed(kind: Kind) -> list[Plugin]:
    """The plugins of a kind, sorted by name."""
    return sorted(_found(kind), key=lambda plugin: (plugin.name, plugin.package))


def _found(kind: Kind) -> Iterator[Plugin]:
    for point in entry_points(group=GROUPS[kind]):
        package, version = (point.dist.name, point.dist.version) if point.dist else (point.module, "unknown")
        yield Plugin(kind, point.name, package, version, point)


def plugin_named(kind: Kind, name: str, instead: tuple[str, ...] = ()) -> Plugin:
    """The plugin of this name; ``instead`` are the names of what is built in, for the message if there is none."""
    found = [plugin for plugin in installed(kind) if plugin.name == name]
    if len(found) > 1:
        packages = " and ".join(plugin.package for plugin in found)
        raise PluginError(f"the {kind} {name!r} is brought by {packages}; uninstall all but one of them")
    if not found:
        names = sorted({*instead, *(plugin.name for plugin in installed(kind))})
        there = f"there are {', '.join(names)}" if names else "no package that is installed brings any"
        raise UsageError(f"no {kind} {name!r}; {there} (counterec plugins lists them)")
    return found[0]


@contextmanager
def guarded(kind: Kind, name: str) -> Iterator[None]:
    """Turn whatever a plugin of this name raises into one line; what is built in raises as it does."""
    try:
        yield
    except CounterecError:
        raise
    except Exception as error:  # it may be anybody's code
        for plugin in (plugin for plugin in installed(kind) if plugin.name == name):
            raise plugin.fault(error) from None
        raise
