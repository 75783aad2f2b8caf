"""Tables of an import: files of users, items and pairs, read as they are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from counterec.adapters.tables import FrameTables
from counterec.errors import ConfigError, ReadError
from counterec.pipeline.config import TablesConfig


@dataclass(frozen=True)
class TableFiles:
    """Where the tables of an import lie, and the model's file."""

    users: Path
    items: Path
    candidates: Path | None = None
    seen: Path | None = None
    lists: Path | None = None
    model: Path | None = None

    @classmethod
    def of(cls, config: TablesConfig, model: Path | None) -> TableFiles:
        """Those that a configuration names."""
        if config.users is None or config.items is None:
            lacking = "users" if config.users is None else "items"
            raise ConfigError(f"data.tables.{lacking}: name a file, one row per {lacking.removesuffix('s')}")
        return cls(config.users, config.items, config.candidates, config.seen, config.lists, model)

    @property
    def tables(self) -> tuple[Path, ...]:
        """Every table that there is."""
        return tuple(path for path in (self.users, self.items, self.candidates, self.seen, self.lists) if path)

    @property
    def rows(self) -> tuple[Path, ...]:
        """What the model looks at, and the model."""
        return (self.users, self.items, *self._model())

    def _model(self) -> Iterator[Path]:
        if self.model is not None:
            yield self.model


def read_table_file(path: Path) -> pl.DataFrame:
    """A table of CSV or Parquet; every fault is one line."""
    try:
        if path.suffix == ".parquet":
            return pl.read_parquet(path)
        if path.suffix == ".csv":
            return pl.read_csv(path, try_parse_dates=False, infer_schema_length=None)
    except (OSError, pl.exceptions.PolarsError) as error:
        raise ReadError(f"{path}: cannot be read ({str(error).splitlines()[0]})") from None
    raise ReadError(f"{path}: a table is a .csv or a .parquet file")


def frame_tables(config: TablesConfig, files: TableFiles) -> FrameTables:
    """Users and items with the attributes that the columns show and the configuration tells."""
    return FrameTables.of(
        read_table_file(files.users),
        read_table_file(files.items),
        schema=config.attributes,
        user_id=config.user_id,
        item_id=config.item_id,
        other_columns=() if config.item_name is None else (config.item_name,),
        derived_elsewhere=True,
    )
