"""Options that several commands share, and the values, users and items that their text stands for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, cast

import typer

from counterec.errors import UnknownIdError, UsageError

if TYPE_CHECKING:
    from counterec.core.explainers.constraints import Constraints, Values
    from counterec.core.explainers.goal_names import Goal
    from counterec.core.explainers.history.answer_row import By
    from counterec.core.explainers.question import Kind
    from counterec.run import Run

RunFolder = Annotated[Path, typer.Argument(metavar="RUN", help="A run folder.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print only the path of what was written, or nothing.")]
Json = Annotated[bool, typer.Option("--json", help="Print the results as JSON.")]
Force = Annotated[
    list[str],
    typer.Option("--force", metavar="[STAGE]", help="Redo a stage that is up to date, or all of them; repeatable."),
]
"""Stage names, or ``command.EVERY_STAGE``; needs the class ``command.Command``."""

Device = Annotated[str, typer.Option("--device", help="cpu or cuda.")]

Format = Annotated[
    str | None,
    typer.Option("--format", help="amazon, yelp, jsonl, csv, parquet, mentions or fact; guessed by default."),
]
Sources = Annotated[
    list[Path], typer.Argument(metavar="SOURCE…", help="Review or mention files, CONFIG.toml, or both.")
]
Items = Annotated[Path | None, typer.Option("--items", metavar="FILE", help="A file of item ids and names.")]
MinUserReviews = Annotated[
    int | None, typer.Option("--min-user-reviews", help="Leave out users with fewer reviews. [10]")
]
MinItemReviews = Annotated[
    int | None, typer.Option("--min-item-reviews", help="Leave out items with fewer reviews. [1]")
]
Columns = Annotated[
    list[str] | None,
    typer.Option("--columns", help="Column names in the file: user=…,item=…,text=…,time=…,rating=…; repeatable."),
]
Dates = Annotated[
    str | None,
    typer.Option(
        "--dates",
        help="How times are written: dmy, mdy, iso, s, ms, or none to do without. [as the column shows]",
    ),
]
ExtractorName = Annotated[str | None, typer.Option("--extractor", help="Which extractor finds the mentions. [grammar]")]
Words = Annotated[
    Path | None,
    typer.Option("--aspects", metavar="FILE", help="A TOML file of your own aspects, forbidden words and synonyms."),
]
Engine = Annotated[str, typer.Option("--engine", help="Who shares the work: local processes, or ray. [local]")]
Processes = Annotated[
    int | None, typer.Option("--processes", min=1, help="Processes that share the work. [one for each core]")
]

OnlyMentioned = Annotated[
    bool, typer.Option("--only-mentioned", help="Only aspects that the user has mentioned may move.")
]
Keep = Annotated[list[str], typer.Option("--keep", metavar="ASPECT", help="An aspect that must not move; repeatable.")]
Bounds = Annotated[
    list[str],
    typer.Option("--bound", metavar="ASPECT=LOW:HIGH", help="The values that an aspect may take; repeatable."),
]
PossibleValues = Annotated[
    str | None,
    typer.Option(
        "--values",
        help="What an aspect may become: reachable (what reviews can give) or continuous (any value). [as in the run]",
    ),
]
Most = Annotated[int | None, typer.Option("--most", metavar="N", help="At most N aspects may move.")]
_NEXT_PAIR = re.compile(r""",(?=\s*\w+\s*=)(?=(?:[^"]*"[^"]*")*[^"]*$)""")
"""The comma between two pairs of ``--columns``: a name and an equals sign follow it, and it is not in quotes."""

QUESTIONS: tuple[Kind, ...] = ("why", "why_not", "why_rather")


def checked_goal(name: str) -> Goal:
    """Return the goal of this name."""
    from counterec.core.explainers.goal_names import GOALS

    for goal in GOALS:
        if goal == name:
            return goal
    raise UsageError(f"unknown goal {name!r}; use one of {', '.join(GOALS)}")


def checked_question(name: str, match_values: bool) -> Kind:
    """Return the question of this name, which may be spelled with hyphens."""
    for kind in QUESTIONS:
        if kind != name.replace("-", "_"):
            continue
        if not match_values:
            return kind
        if kind == "why_rather":
            return "why_rather_takes"
        raise UsageError("--match-values needs --question why_rather: it takes the values of the other item")
    raise UsageError(f"unknown question {name!r}; use why, why_not or why_rather")


def checked_by(name: str, kind: Kind, goal: Goal, *, constrained: bool) -> By:
    """Return what an answer to this question may name."""
    from counterec.pipeline.asked_pairs import require_by, require_no_aspects

    require_by(name, kind)
    require_no_aspects(name, goal, constrained=constrained)
    return cast("By", name)


def chosen_processes(given: int | None) -> int:
    """The number of processes that was asked for; by default one for each core."""
    from counterec.core.compute_limits import available_cores

    return given or available_cores()


def checked_device(name: str) -> str:
    """Return the device of this name if the machine has it."""
    if name not in ("cpu", "cuda"):
        raise UsageError(f"unknown device {name!r}; use cpu or cuda")
    if name == "cuda":
        import torch

        if not torch.cuda.is_available():
            raise UsageError("--device cuda: this machine has no CUDA device; use --device cpu")
    return name


def source_settings(
    format_: str | None,
    columns: Sequence[str] | None,
    dates: str | None,
    items: Path | None = None,
    min_user_reviews: int | None = None,
    min_item_reviews: int | None = None,
) -> dict[tuple[str, ...], Any]:
    """What the options about sources set in a configuration: the place of a setting → its value."""
    options = {
        "format": format_,
        "columns": column_map(columns),
        "dates": dates,
        "items": items and str(items),
        "min_user_reviews": min_user_reviews,
        "min_item_reviews": min_item_reviews,
    }
    return {("data", name): value for name, value in options.items() if value is not None}


def column_map(texts: Sequence[str] | None) -> dict[str, str] | None:
    """Parse ``--columns``: our name of a column → its name in the file, which may hold commas and stand in quotes."""
    if not texts:
        return None
    found = {}
    for text in texts:
        for part in _NEXT_PAIR.split(text):
            ours, _, theirs = (name.strip() for name in part.partition("="))
            if len(theirs) > 1 and theirs[0] == theirs[-1] and theirs[0] in "'\"":
                theirs = theirs[1:-1]
            if not (ours and theirs):
                raise UsageError(f"--columns {text!r}: write ours=theirs pairs, such as user=reviewer,text=body")
            found[ours] = theirs
    return found


def constrained(
    given: Constraints,
    keep: Iterable[str] = (),
    bounds: Iterable[str] = (),
    values: str | None = None,
    most: int | None = None,
    only_mentioned: bool = False,
) -> Constraints:
    """Return the constraints of a run, extended and overridden by those of the command line."""
    ends = [_bound(text) for text in bounds]
    return replace(
        given,
        keep=tuple(dict.fromkeys([*given.keep, *keep])),
        lowest={**given.lowest, **each_once("--bound", [(name, low) for name, low, _ in ends])},
        highest={**given.highest, **each_once("--bound", [(name, high) for name, _, high in ends])},
        values=given.values if values is None else _checked_values(values),
        most=given.most if most is None else most,
        masked=only_mentioned,
    )


def _checked_values(name: str) -> Values:
    from counterec.core.explainers.constraints import VALUES

    for values in VALUES:
        if values == name:
            return values
    raise UsageError(f"--values {name!r}: use {' or '.join(VALUES)}")


def _bound(text: str) -> tuple[str, float | None, float | None]:
    name, _, values = (part.strip() for part in text.rpartition("="))
    low, colon, high = (part.strip() for part in values.partition(":"))
    if not (name and colon and (low or high)):
        raise UsageError(f"--bound {text!r}: write aspect=low:high, such as battery=2:4, battery=2: or battery=:4")
    return name, _number("--bound", text, low), _number("--bound", text, high)


Given = TypeVar("Given", float, float | str | bool)


def each_once(option: str, given: Iterable[tuple[str, Given | None]]) -> dict[str, Given]:
    """Return the values by name; two different values for one name are an error that states both."""
    found: dict[str, Given] = {}
    for name, value in given:
        if value is None:
            continue
        if name in found and found[name] != value:
            raise UsageError(f"{option}: {name} is given twice, as {_shown(found[name])} and as {_shown(value)}")
        found[name] = value
    return found


def _shown(value: float | str | bool) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def named_number(option: str, text: str) -> tuple[str, float]:
    """Parse ``name=number``."""
    name, _, value = (part.strip() for part in text.rpartition("="))
    number = _number(option, text, value) if name else None
    if number is None:
        raise UsageError(f"{option} {text!r}: write aspect=number, such as battery=2")
    return name, number


def _number(option: str, text: str, value: str) -> float | None:
    if not value:
        return None
    try:
        return float(value)
    except ValueError:
        raise UsageError(f"{option} {text!r}: {value!r} is not a number") from None


def known_user(run: Run, user: str) -> str:
    """Return the user's id; of a user who was left out for too few reviews, say that."""
    from counterec.pipeline.layout import OTHER_REVIEWS

    if user not in run.space.users and run.has(OTHER_REVIEWS):
        wrote = len(run.table(OTHER_REVIEWS, ["user_id"]).filter(user_id=user))
        if wrote:
            least = run.config.data.min_user_reviews
            reviews = "1 review" if wrote == 1 else f"{wrote} reviews"
            raise UnknownIdError(f"{user} wrote {reviews} of these items and was left out (--min-user-reviews {least})")
    run.space.users.number(user)
    return user


def known_item(run: Run, item: str) -> str:
    """Return the id of an item that is named by its id, or by a name that no other item has."""
    if item in run.space.items:
        return item
    found = [item_id for item_id, name in run.item_names.items() if name == item]
    if len(found) > 1:
        raise UnknownIdError(f"{len(found)} items are called {item!r}; name one by its id: {', '.join(found[:3])}")
    if not found:
        run.space.items.number(item)
    return found[0]
