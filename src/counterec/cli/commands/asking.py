"""Commands that ask a run something new: ``explain``, ``whatif``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from counterec.cli.commands.parameters import Json, Quiet, RunFolder
from counterec.cli.terminal import err, out

Mask = Annotated[bool, typer.Option("--mask", help="Only aspects the user cares about may move.")]
Fixed = Annotated[list[str], typer.Option("--fix", metavar="ASPECT", help="An aspect that must not move; repeatable.")]
Bounds = Annotated[
    list[str], typer.Option("--bound", metavar="ASPECT=LOW:HIGH", help="The values it may take; repeatable.")
]
FloorOption = Annotated[
    str | None, typer.Option("--floor", help="absent (0: as if never reviewed on it) or worst (1). [as the run]")
]
Most = Annotated[int | None, typer.Option("--most", metavar="N", help="At most so many aspects move.")]
Costs = Annotated[
    list[str], typer.Option("--cost", metavar="ASPECT=NUMBER", help="What moving it by 1 costs; repeatable. [1]")
]
Language = Annotated[str, typer.Option("--language", help="The language of the sentences: en or de.")]


def explain(
    folder: RunFolder,
    question: Annotated[str, typer.Option(help="why, why_not or why_rather.")] = "why",
    goal: Annotated[str, typer.Option(help="minimal, relaxed, single or complete.")] = "minimal",
    single: Annotated[bool, typer.Option("--single", help="One aspect only: the same as --goal single.")] = False,
    user: Annotated[str | None, typer.Option(metavar="ID", help="One user's list; the whole run by default.")] = None,
    item: Annotated[str | None, typer.Option(metavar="ID", help="The item that the question is about.")] = None,
    versus: Annotated[str | None, typer.Option(metavar="ID", help="why_rather: the item that it is ahead of.")] = None,
    takes: Annotated[
        bool, typer.Option("--takes", help="why_rather: the item takes the other's values, where its own are better.")
    ] = False,
    audience: Annotated[
        Path | None, typer.Option(metavar="FILE", help="why_not, for a seller: user ids, one a line.")
    ] = None,
    at_least: Annotated[
        int | None, typer.Option("--at-least", metavar="N", help="How many of the audience to reach. [1]")
    ] = None,
    mask: Mask = False,
    fixed: Fixed = [],  # noqa: B006
    bounds: Bounds = [],  # noqa: B006
    floor: FloorOption = None,
    most: Most = None,
    costs: Costs = [],  # noqa: B006
    out_file: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write the rows to a Parquet file.")
    ] = None,
    language: Language = "en",
    device: Annotated[str, typer.Option(help="cpu or cuda.")] = "cpu",
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Explain one pair, one user's list, an audience, or the whole run (written into its folder and evaluated)."""
    from counterec.cli import explaining, options
    from counterec.run import open_run
    from counterec.wording import catalogue

    catalogue(language)
    opened = open_run(folder, options.checked_device(device))
    own = opened.config.explain.constraints
    limits = options.constrained(own, fixed, bounds, floor, most, costs, mask)
    asked = explaining.Asked(
        question=options.checked_question(question, takes),
        goal=options.checked_goal(goal, single),
        user=user,
        item=item,
        versus=versus,
        constraints=limits,
        language=language,
        as_json=as_json,
        out=out_file,
        audience=audience,
        at_least=at_least,
        quiet=quiet,
    )
    explaining.answer(opened, asked, out, err)


def whatif(
    folder: RunFolder,
    user: Annotated[str, typer.Option(metavar="ID", help="Whose list.")],
    settings: Annotated[
        list[str],
        typer.Option("--set", metavar="ASPECT=VALUE", help="A new value; ITEM:ASPECT=VALUE for further items."),
    ] = [],  # noqa: B006
    item: Annotated[str | None, typer.Option(metavar="ID", help="The item that changes.")] = None,
    mask: Mask = False,
    fixed: Fixed = [],  # noqa: B006
    bounds: Bounds = [],  # noqa: B006
    floor: FloorOption = None,
    most: Most = None,
    language: Language = "en",
    as_json: Json = False,
) -> None:
    """Rank a user's candidates anew, had one or several items had other values."""
    from counterec.cli import options, supposing
    from counterec.core.explainers.constraints import Constraints
    from counterec.run import open_run
    from counterec.wording import catalogue

    catalogue(language)
    opened = open_run(folder)
    allowed = options.constrained(Constraints(), fixed, bounds, floor, most, (), mask)
    changes = supposing.changes_from(opened, item, settings)
    supposing.suppose(opened, user, changes, allowed, language, as_json, out)
