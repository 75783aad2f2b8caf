"""A first config file for sources that a check has looked at."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

from counterec.data.readers.first_look import ORDER_NUMBERS
from counterec.pipeline.config import RunConfig
from counterec.pipeline.run_time import in_words
from counterec.pipeline.source_check import SourceReport
from counterec.pipeline.toml_writer import as_toml

_FORMS = {
    **{"d/m/Y": "dmy", "d-m-Y": "dmy", "d.m.Y": "dmy", "m/d/Y": "mdy", "m-d-Y": "mdy", "m.d.Y": "mdy"},
    ORDER_NUMBERS: "order",
}


def drafted_config(config: RunConfig, report: SourceReport, folder: Path) -> str:
    """Return a commented config file for these sources, to lie in this folder; ``load_config`` reads it back."""
    return "\n".join(_lines(config, report, folder)) + "\n"


def _lines(config: RunConfig, report: SourceReport, folder: Path) -> Iterator[str]:
    first = report.files[0]
    yield f"# {report.kept:,} of {report.rows:,} rows are kept: {report.users:,} users, {report.items:,} items"
    yield f"# and {report.reviews:,} reviews. A run takes {in_words(report.seconds)}, as an estimate."
    yield from ("# Every setting that is left out has its default.", "", _value("seed", config.seed))
    yield from ("", "[data]", "# Paths are relative to this file.")
    yield _value("sources", [os.path.relpath(file.path, folder) for file in report.files])
    yield _value("format", first.format)
    if first.format != "fact" and first.look.columns:
        yield "# our name of a column = its name in the file"
        pairs = (f"{ours} = {json.dumps(name, ensure_ascii=False)}" for ours, name in first.look.columns.items())
        yield f"columns = {{ {', '.join(pairs)} }}"
    yield from _dates(config, first.look.dates)
    if config.data.items is not None:
        yield _value("items", os.path.relpath(config.data.items, folder))
    else:
        yield '# items = "products.csv"   # a file of item ids and names'
    yield "# users with fewer reviews are left out"
    yield _value("min_user_reviews", config.data.min_user_reviews)
    yield from ("", "[split]", "# of each user's last reviews: for the test, and before them for choosing settings")
    yield from (_value("held_out", config.split.held_out), _value("validation", config.split.validation))
    yield from ("", "[lists]", "# the length of a list", _value("k", config.lists.k))
    yield from (
        "",
        "[explain]",
        "# goals: minimal, relaxed, single, complete; -masked: only aspects that the user mentioned",
    )
    yield _value("methods", list(config.explain.methods))


def _dates(config: RunConfig, forms: tuple[str, ...]) -> Iterator[str]:
    """The setting *dates*, if the times have one form and it needs to be said; what was found is a comment."""
    found = ", ".join(forms) or "none"
    said = config.data.dates or (_FORMS.get(forms[0]) if len(forms) == 1 else None)
    if said is None:
        yield f"# times were found as: {found}; dates = dmy, mdy, iso, s, ms, order or none would insist on a form"
    else:
        yield f"# times were found as: {found}"
        yield _value("dates", said)


def _value(name: str, value: object) -> str:
    return as_toml({name: value}).rstrip("\n")
