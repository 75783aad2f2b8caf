"""A published dataset, as a config file describes it: where to get it, and how large it is said to be."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from counterec.errors import InvalidValueError


@dataclass(frozen=True)
class Statistics:
    """A row of the paper's Table 1."""

    users: int
    items: int
    reviews: int
    aspects: int
    density: float
    """The share of all pairs of a user and an item that have a review."""

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if not value > 0:
                raise InvalidValueError(f"{name} is {value}; it must be above 0")


@dataclass(frozen=True)
class Dataset:
    """Where the sources of a run can be had, since reviews belong to their writers and no package may bring them."""

    name: str
    """What people call it."""
    page: str
    """The address of the page that offers it."""
    where: str = ""
    """Where on that page the files are to be found, in a few words."""
    statistics: Statistics | None = None
    """What others found in it; a run is set beside them."""

    def __post_init__(self) -> None:
        if not self.page.startswith(("https://", "http://")):
            raise InvalidValueError(f"page is {self.page!r}; it must be an address such as https://example.org/data")

    def how_to_get(self, path: Path) -> str:
        """What to download, from where, and where to put it."""
        where = f" ({self.where})" if self.where else ""
        return f"{self.name}: {path} does not exist; download {path.name} from {self.page}{where} and put it there"
