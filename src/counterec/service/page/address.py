"""The address of the page: which panel is shown, and of what. All state that outlives a click is in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlencode, urlsplit

LASTING = ("user", "item", "look")
"""What goes along from one panel to another: whose list, which item, and light or dark."""


@dataclass(frozen=True)
class Address:
    """A path and its parameters, in order; one may be given several times."""

    path: str = "/"
    params: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, text: str) -> Address:
        """Read an address such as ``/model?aspect=battery``."""
        parts = urlsplit(text)
        return cls(parts.path.rstrip("/") or "/", tuple(parse_qsl(parts.query, keep_blank_values=True)))

    def __str__(self) -> str:
        return f"{self.path}{self.query}"

    @property
    def query(self) -> str:
        """The parameters, with the question mark; it begins with one even if there are none."""
        return f"?{urlencode(self.params)}"

    def get(self, name: str) -> str | None:
        """The value of a parameter; the last one, if it is given several times."""
        return dict(self.params).get(name)

    def all(self, name: str) -> list[str]:
        """All values of a parameter."""
        return [value for given, value in self.params if given == name]

    def with_params(self, **values: str | Iterable[str] | None) -> Address:
        """The same address with other values of these parameters; None takes one away."""
        kept = [(name, value) for name, value in self.params if name not in values]
        return Address(self.path, (*kept, *_pairs(values)))

    def to(self, path: str, **values: str | Iterable[str] | None) -> Address:
        """The address of another panel; what lasts goes along."""
        lasting = tuple((name, value) for name, value in self.params if name in LASTING)
        return Address(path, lasting).with_params(**values)


def _pairs(values: Mapping[str, str | Iterable[str] | None]) -> Iterable[tuple[str, str]]:
    for name, value in values.items():
        if isinstance(value, str):
            yield name, value
        elif value is not None:
            yield from ((name, each) for each in value)
