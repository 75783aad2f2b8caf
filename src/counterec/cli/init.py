"""``counterec init``: a commented config file for files that it has looked at."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from counterec.cli.check import checked_sources, report_json, summary
from counterec.cli.options import Columns, Dates, Format, Json, Quiet, source_settings
from counterec.cli.streams import out, print_json, print_line
from counterec.errors import UsageError

if TYPE_CHECKING:
    from counterec.pipeline.config import RunConfig


def init(
    sources: Annotated[list[Path], typer.Argument(metavar="SOURCE…", help="Review or mention files.")],
    target: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="The config file. [SOURCE.toml]")
    ] = None,
    format_: Format = None,
    columns: Columns = None,
    dates: Dates = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Write a commented config file for your data."""
    from counterec.cli.run import config_from
    from counterec.pipeline.config_draft import drafted_config
    from counterec.pipeline.files import writing

    for source in sources:
        if source.suffix == ".toml":
            raise UsageError(f"{source} is a config file; run it by counterec run {source}")
    place = target or Path(f"{sources[0].name.split('.')[0]}.toml")
    if place.suffix != ".toml":
        raise UsageError(f"--out {place}: name a .toml file")
    if place.exists():
        raise UsageError(f"{place} exists; remove it, or choose another file with --out")
    given = source_settings(format_, columns, dates)
    config = config_from(sources, given)
    report = checked_sources(config, quiet or as_json)
    if report.refusal:  # as few reviews per user as the split accepts
        config = config_from(sources, {**given, ("data", "min_user_reviews"): _least(config)})
        report = checked_sources(config, quiet or as_json)
    with writing(place.parent):
        place.write_text(drafted_config(config, report, place.parent), encoding="utf-8")
    if as_json:
        print_json({"config": str(place), "check": report_json(report)})
    elif quiet:
        print_line(str(place))
    else:
        out.print(f"{place} is written: {summary(report)}", highlight=False, markup=False, soft_wrap=True)
        out.print(f"Run it by: counterec run {place}", highlight=False, markup=False, soft_wrap=True)


def _least(config: RunConfig) -> int:
    from counterec.data.splitting import least_reviews

    return least_reviews(config.split.held_out, config.split.validation)
