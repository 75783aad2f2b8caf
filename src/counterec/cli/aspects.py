"""``counterec aspects``: the aspects of a run, with counts, share of praise and examples."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from counterec.cli.options import Json, Quiet, RunFolder
from counterec.cli.streams import out, print_json

MERGED = 4
"""How many of the names merged into an aspect the table shows."""
LEFT_OUT = 12
"""How many of the names left out for one reason are shown; ``--json`` has all."""


def aspects(
    folder: RunFolder,
    most: Annotated[int, typer.Option(min=1, metavar="N", help="At most N aspects, the most frequent first.")] = 100,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """List the aspects of a run, with counts and example sentences."""
    from counterec.pipeline.evidence import vocabulary
    from counterec.run import open_run

    run = open_run(folder)
    kept = set(run.space.aspects.texts)
    found = vocabulary(run.aspect_mentions, run.reviews, run.split).to_dicts()
    rows = [{**row, "merged": run.merged_names.get(row["aspect"], [])} for row in found if row["aspect"] in kept][:most]
    if as_json:
        print_json({"aspects": rows, "left_out": run.left_out_names})
        return
    if quiet:
        return
    out.print(_aspects_table(rows))
    for reason, names in run.left_out_names.items():
        out.print(Text(f"\nLeft out, {len(names):,}: {reason}: {_first_few(names)}"), soft_wrap=True)


def _aspects_table(rows: list[dict[str, Any]]) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("aspect")
    table.add_column("mentions", justify="right")
    table.add_column("positive", justify="right")
    table.add_column("examples")
    for row in rows:
        examples = " / ".join(" ".join(example.split()) for example in row["examples"] or [])
        names = Text.assemble(row["aspect"], (_other_names(row["merged"]), "dim"))
        table.add_row(names, f"{row['mentions']:,}", f"{row['positive']:.0%}", Text(examples))
    return table


def _first_few(names: list[str]) -> str:
    return f"{', '.join(names[:LEFT_OUT])}{', …' if len(names) > LEFT_OUT else ''}"


def _other_names(names: list[str]) -> str:
    """Return the first few of the names merged into an aspect, in brackets."""
    return f" ({', '.join(names[:MERGED])}{', …' if len(names) > MERGED else ''})" if names else ""
