"""A file to read: its format, its names for our columns, and the published dataset that it may be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from counterec.data.values import DATES
from counterec.errors import ConfigError, InvalidValueError, ReadError

FORMATS: tuple[str, ...] = ("amazon", "yelp", "jsonl", "csv", "parquet", "mentions", "fact")

REVIEW_COLUMNS = ("user", "item", "text", "time", "rating")
MENTION_COLUMNS = ("user", "item", "aspect", "opinion", "sentiment", "time", "rating")

Record = Mapping[str, object]
Records = Iterator[tuple[str, Record | None]]
"""Records with their place in the file; None for one that cannot be read and has been counted in the tally."""

ALIASES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "user": ("user", "user_id", "reviewerID"),
        "item": ("item", "item_id", "asin", "business_id"),
        "text": ("text", "review", "review_text", "reviewText"),
        "time": ("time", "timestamp", "date", "unixReviewTime", "reviewTime"),
        "rating": ("rating", "stars", "overall"),
        "aspect": ("aspect",),
        "opinion": ("opinion",),
        "sentiment": ("sentiment",),
    }
)
"""The names that a file may have for each of our columns, in the order they are tried."""

_FIXED: Mapping[str, Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "amazon": {
            "user": ("reviewerID",),
            "item": ("asin",),
            "text": ("reviewText",),
            "time": ("unixReviewTime", "reviewTime"),
            "rating": ("overall",),
        },
        "yelp": {
            "user": ("user_id",),
            "item": ("business_id",),
            "text": ("text",),
            "time": ("date",),
            "rating": ("stars",),
        },
    }
)


def is_mentions(format: str) -> bool:
    """Whether a source of this format contains extracted mentions instead of reviews."""
    return format in ("mentions", "fact")


@dataclass(frozen=True)
class Source:
    """One file to read; ``columns`` maps our name of a column to its name in the file."""

    path: Path
    format: str
    columns: Mapping[str, str] = field(default_factory=dict)
    dates: str | None = None
    """How its times are written, one of ``DATES``; found out where the column settles it."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", MappingProxyType(dict(self.columns)))
        if self.format not in FORMATS:
            raise ConfigError(f"unknown format {self.format!r}; choose one of {', '.join(FORMATS)}")
        if self.dates is not None and self.dates not in DATES:
            raise ConfigError(f"unknown form of dates {self.dates!r}; choose one of {', '.join(DATES)}")
        if self.columns and self.format == "fact":
            raise ConfigError("a fact file has no named columns; leave out --columns")
        known = MENTION_COLUMNS if is_mentions(self.format) else REVIEW_COLUMNS
        for column in self.columns:
            if column not in known:
                raise ConfigError(f"unknown column {column!r} for {self.format}; choose from {', '.join(known)}")

    @property
    def fields(self) -> Fields:
        """The names of our columns in the records of this source."""
        given = {column: (name,) for column, name in self.columns.items()}
        required = {"user", "item", *given} | ({"aspect", "sentiment"} if is_mentions(self.format) else {"text"})
        return Fields({**ALIASES, **_FIXED.get(self.format, {}), **given}, frozenset(required))


@dataclass(frozen=True)
class Fields:
    """The names that records may have for each of our columns, in order, and the columns that a table must have."""

    names: Mapping[str, tuple[str, ...]]
    required: frozenset[str]

    def value(self, record: Record, column: str) -> object:
        """Return the record's value for our column, under the first name that has one; else None."""
        for name in self.names[column]:
            value = record.get(name)
            if value is not None and value != "":
                return value
        return None

    def present(self, found: Iterable[str]) -> list[str]:
        """Return those of a table's columns that may hold one of ours."""
        return [name for name in found if any(name in names for names in self.names.values())]

    def require(self, path: Path, found: Iterable[str]) -> None:
        """Refuse a table that lacks required columns; the error names all of them."""
        found = list(found)
        missing = [
            column for column in self.names if column in self.required and not set(self.names[column]) & set(found)
        ]
        if missing:
            lacks = ", and ".join(
                f"no column {' or '.join(map(repr, self.names[name]))} for the {name}" for name in missing
            )
            have = ", ".join(map(repr, found[:12])) or "none"
            wanted = ",".join(f"{column}={_alike(self.names[column], found)}" for column in missing)
            raise ReadError(f"{path} has {lacks}; its columns are {have}: pass --columns {wanted}")


def _alike(names: Iterable[str], found: Iterable[str]) -> str:
    """The column that differs from one of these names by its capitals alone, or NAME."""
    wanted = {name.lower() for name in names}
    return next((name for name in found if name.lower() in wanted), "NAME")


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
