"""A published dataset as a config file describes it: where to get it, and its published statistics."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from counterec.errors import InvalidValueError


@dataclass(frozen=True)
class Statistics:
    """One row of the paper's Table 1."""

    users: int
    items: int
    reviews: int
    aspects: int
    density: float
    """The share of all (user, item) pairs that have a review."""

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if not value > 0:
                raise InvalidValueError(f"{name} is {value}; it must be above 0")


@dataclass(frozen=True)
class Dataset:
    """Where to download the sources of a run: reviews belong to their authors, so no package may ship them."""

    name: str
    """Its usual name."""
    page: str
    """The URL of the page that offers it."""
    where: str = ""
    """Where to find the files on that page, in a few words."""
    statistics: Statistics | None = None
    """The published statistics, which a run is compared with."""

    def __post_init__(self) -> None:
        if not self.page.startswith(("https://", "http://")):
            raise InvalidValueError(f"page is {self.page!r}; it must be a URL such as https://example.org/data")

    def how_to_get(self, path: Path) -> str:
        """Say what to download, from where, and where to put it."""
        where = f" ({self.where})" if self.where else ""
        return f"{self.name}: {path} does not exist; download {path.name} from {self.page}{where} and put it there"
