"""What the rows of an experiment refuse."""

from __future__ import annotations

import polars as pl
import pytest

from counterec.errors import EmptyDataError, InvalidValueError
from tests.report.rows import World


def test_protocols_are_never_mixed() -> None:
    rows = World(users=2).rows()
    both = pl.concat([rows, rows.with_columns(protocol=pl.lit("sampled"))])
    with pytest.raises(InvalidValueError, match="protocols full, sampled together; report each by itself"):
        World(users=2).experiment(rows=both)


def test_rows_that_are_incomplete_are_refused() -> None:
    with pytest.raises(InvalidValueError, match="rows has no column necessary_kind; run the experiment again"):
        World(users=2).experiment(rows=World(users=2).rows().drop("necessary_kind"))
    with pytest.raises(EmptyDataError, match="no row"):
        World(users=2).experiment(rows=World(users=2).rows().clear())
