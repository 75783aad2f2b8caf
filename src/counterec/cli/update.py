"""``counterec update``: new reviews, users and items in a run, without training again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from counterec.cli.options import (
    Columns,
    Dates,
    Device,
    Format,
    Json,
    Processes,
    Quiet,
    RunFolder,
    checked_device,
    chosen_processes,
    column_map,
)
from counterec.cli.streams import err, out, print_json, print_line

if TYPE_CHECKING:
    from counterec.run import Run


def update(
    folder: RunFolder,
    sources: Annotated[
        list[Path],
        typer.Argument(metavar="[SOURCE…]", help="Files of new reviews, or of mentions if the run has these."),
    ] = [],  # noqa: B006
    users: Annotated[Path | None, typer.Option(metavar="FILE", help="Ids of new users, one per line.")] = None,
    items: Annotated[Path | None, typer.Option(metavar="FILE", help="Ids and names of new items.")] = None,
    format_: Format = None,
    columns: Columns = None,
    dates: Dates = None,
    device: Device = "cpu",
    processes: Processes = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Add new reviews, users and items, without training again.

    The aspects and the model stay as they are; lists and explanations are made again. Without a file, an update that
    was cut short is gone on with.
    """
    from counterec.cli.progress import TerminalReporter
    from counterec.pipeline.update_plan import NewArrivals
    from counterec.run import update_run

    new = NewArrivals(tuple(sources), users, items, format_, column_map(columns), dates)
    with TerminalReporter(err, quiet or as_json) as reporter:
        run = update_run(folder, new, reporter, checked_device(device), chosen_processes(processes))
    found = summary(run)
    if as_json:
        print_json({"run": str(folder), **found})
    elif quiet:
        print_line(str(folder))
    else:
        for line in _lines(found):
            out.print(Text(line), soft_wrap=True)


def summary(run: Run) -> dict[str, Any]:
    """What the updates of a run brought, one by one and together, and when its model was trained."""
    from counterec.pipeline.manifest import UPDATE
    from counterec.pipeline.stages.update_read import update_read_name

    stages = run.manifest.finished
    together = stages[UPDATE].counts
    names = ("reviews_read", "earlier_reviews_dropped", "already_known", "reviews_added")
    each = [stages[update_read_name(number)].counts for number in range(1, together["updates"] + 1)]
    return {**together, "each_update": [{name: counts[name] for name in names} for counts in each]}


def _lines(found: dict[str, Any]) -> list[str]:
    last, number = found["each_update"][-1], found["updates"]
    trained = found["trained"] or "at a time that is not known"
    return [
        f"update {number}: {last['reviews_read']:,} reviews read, {last['reviews_added']:,} new, "
        f"{last['already_known'] + last['earlier_reviews_dropped']:,} known or repeated",
        f"since the training: {found['reviews_added']:,} reviews, {found['users_added']:,} users and "
        f"{found['items_added']:,} items added; nothing is known of {found['users_without_history']:,} of these users "
        f"and {found['items_without_history']:,} of these items",
        f"the model was trained {trained} on {found['trained_on_reviews']:,} reviews, and was not trained again",
    ]
