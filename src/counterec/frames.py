"""One call: frames of users and items and a model in, a frame of answers with sentences out.

``explain`` says why each item is in its list, ``why_not`` what would bring an item there, ``why_rather`` why one item
is ahead of another, and ``what_if`` what would become of the lists. Frames are Polars or pandas, in and out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
import polars as pl

from counterec.adapters.frames import Frame
from counterec.adapters.models import RowScorer, check_model, require_same, scorer_of
from counterec.adapters.tables import (
    FrameTables,
    PairTable,
    TableOptions,
    by_user,
    candidates_of,
    numbered,
    require_same_lists,
    seen_of,
    tables_by,
)
from counterec.core.candidates import Candidates
from counterec.core.explainers.constraints import Constraints
from counterec.core.explainers.question_builders import why
from counterec.core.explainers.question_builders import why_not as _why_not
from counterec.core.explainers.question_builders import why_rather as _why_rather
from counterec.core.list_rules import NO_GROUP, AtMostPerGroup, Ranker
from counterec.core.scorers.base import PairBatch
from counterec.errors import ConfigError
from counterec.pipeline.config import make_frames_config
from counterec.pipeline.manifest import Manifest
from counterec.run import Run
from counterec.wording.record_builders import reranking_records
from counterec.wording.sentences import sentence

if TYPE_CHECKING:
    from collections.abc import Callable

    from counterec.core.explainers.budget import Budget
    from counterec.core.explainers.constraints import Constraints
    from counterec.core.explainers.goal_names import Goal
    from counterec.core.explainers.question import Question
    from counterec.core.lists import Recommendations


class FrameOptions(TableOptions, total=False):
    """What every call takes besides a model and two frames."""

    constraints: Constraints | None
    """What else a change may not do."""
    ranker: Ranker | Callable[[FrameTables], Ranker] | None
    """The rule that makes a list of scores, or a function from the tables to it, such as ``at_most("brand", 2)``."""
    budget: Budget | None
    """What the search for one pair may ask of the model; calls and rows are then counted in the answers."""


def explain(
    predict: Any,
    users: Frame,
    items: Frame,
    *,
    k: int = 5,
    lists: PairTable | None = None,
    goal: Goal = "minimal",
    **options: Unpack[FrameOptions],
) -> Frame:
    """Why each item is in its list: the smallest change that takes it off, one row per user and item.

    ``predict`` is a function from (user rows, item rows) to scores, anything with scikit-learn's ``predict``, a torch
    module, or an adapter. Lists are the first ``k`` candidates by score. ``lists`` names lists that were made
    elsewhere: only these are explained, each at its own length, and it is an error if the scores do not make them.
    """
    tables = tables_by(users, items, options)
    if lists is None:
        run = _run(predict, tables, k, options)
        return _answers(run, _why(run, run.recommendations), goal, options)
    given = by_user(tables, lists, "lists")
    parts = []
    for length in sorted({len(own) for own in given.values()}):
        some = {user: own for user, own in given.items() if len(own) == length}
        run = _run(predict, tables, length, options)
        require_same_lists(run.space, run.recommendations, some)
        parts.append(_rows(run, _why(run, run.shortened_to(sorted(some))), goal, options))
    return _frame(tables, [row for part in parts for row in part])


def why_not(
    predict: Any,
    users: Frame,
    items: Frame,
    pairs: PairTable,
    *,
    k: int = 5,
    goal: Goal = "minimal",
    **options: Unpack[FrameOptions],
) -> Frame:
    """Why each of these items is not in the list of its user: what would bring it there."""
    tables = tables_by(users, items, options)
    run, asked = _run(predict, tables, k, options), numbered(tables, pairs, "pairs")
    explain, (some_users, some_items) = run.config.explain, asked.T
    question = _why_not(
        run.space,
        run.recommendations,
        some_users,
        some_items,
        constraints=explain.constraints,
        margin=explain.margin_share,
    )
    return _answers(run, question, goal, options)


def why_rather(
    predict: Any,
    users: Frame,
    items: Frame,
    pairs: PairTable,
    *,
    k: int = 5,
    takes: bool = False,
    goal: Goal = "minimal",
    **options: Unpack[FrameOptions],
) -> Frame:
    """Why each item is ahead of the one in ``versus``; with ``takes``, which of its values would change that."""
    tables = tables_by(users, items, options)
    run, asked = _run(predict, tables, k, options), numbered(tables, pairs, "pairs", 3)
    explain, (some_users, some_items, versus) = run.config.explain, asked.T
    question = _why_rather(
        run.scorer,
        run.space,
        run.recommendations,
        some_users,
        some_items,
        versus,
        takes=takes,
        constraints=explain.constraints,
        margin=explain.margin_share,
    )
    return _answers(run, question, goal, options)


def what_if(
    predict: Any,
    users: Frame,
    items: Frame,
    changes: Mapping[Any, Mapping[str, Any]],
    *,
    k: int = 5,
    **options: Unpack[FrameOptions],
) -> Frame:
    """The lists if items had other values: item → attribute → value; None for absent. One row per user and candidate.

    Positions count from 1, in the new order. The sentence is about the item that was changed.
    """
    tables = tables_by(users, items, options)
    run = _run(predict, tables, k, options)
    rows = []
    for user, text in enumerate(tables.users.texts):
        competing = {item: values for item, values in changes.items() if _competes(run, user, item)}
        if competing:
            rows += _reranked(run, user, text, competing)
    if not rows:
        raise ConfigError(f"none of {', '.join(map(repr, changes))} competes for anybody's list")
    user_name, item_name = _id_names(tables)
    names = (user_name, item_name, "position", "position_before", "score", "score_before", "sentence")
    return tables.items.library.of_columns({name: [row[at] for row in rows] for at, name in enumerate(names)})


def at_most(column: str, most: int) -> Callable[[FrameTables], Ranker]:
    """A rule for lists: at most so many items with the same value in this column of items, such as a brand."""

    def ranker(tables: FrameTables) -> Ranker:
        if column not in tables.items.columns:
            raise ConfigError(f"at_most: items has no column {column!r}; it has {', '.join(tables.items.columns)}")
        values = tables.items.library.values(tables.items.frame, column).tolist()
        known = [value for value in values if value is not None and value == value]
        places = {value: place for place, value in enumerate(dict.fromkeys(known))}
        return AtMostPerGroup(np.array([places.get(value, NO_GROUP) for value in values]), most)

    return ranker


def _run(predict: Any, tables: FrameTables, k: int, options: FrameOptions) -> FrameRun:
    return FrameRun(
        predict,
        tables,
        k=k,
        candidates=options.get("candidates"),
        seen=options.get("seen"),
        item_name=options.get("item_name"),
        constraints=options.get("constraints"),
        ranker=options.get("ranker"),
    )


def _why(run: FrameRun, lists: Any) -> Question:
    explain = run.config.explain
    return why(run.space, lists, constraints=explain.constraints, margin=explain.margin_share)


def _answers(run: FrameRun, asked: Question, goal: Goal, options: FrameOptions) -> Frame:
    return _frame(run.tables, _rows(run, asked, goal, options))


def _rows(run: FrameRun, asked: Question, goal: Goal, options: FrameOptions) -> list[dict[str, Any]]:
    """The answers to a question, as rows by column."""
    table = run.answered(asked, goal, options.get("budget"))
    run.require_unchanged(asked, table)
    return [_row(run, row) for row in table.iter_rows(named=True)]


def _row(run: FrameRun, row: dict[str, Any]) -> dict[str, Any]:
    user_name, item_name = _id_names(run.tables)
    versus = {} if row["versus"] is None else {"versus": _id(run.tables.items, row["versus"])}
    return {
        user_name: _id(run.tables.users, row["user_id"]),
        item_name: _id(run.tables.items, row["item_id"]),
        **versus,
        "position": row["position"],
        "status": row["status"],
        "sentence": sentence(run.record(row)),
        "attributes": list(row["aspects"]),
        "before": shown_values(run.tables, row["aspects"], row["before"]),
        "after": shown_values(run.tables, row["aspects"], row["after"]),
        **{name: row[name] for name in ("proof", "score_before", "score_after", "target")},
        **{said: row[name] for name, said in COUNTED.items() if row.get(name) is not None},
    }


def shown_values(tables: FrameTables, attributes: list[str], codes: list[float]) -> list[str | None]:
    """Values as texts, since a list of a frame holds one type."""
    found = []
    for name, code in zip(attributes, codes, strict=True):
        value = tables.decoded(tables.aspect_of[name], np.array([code], dtype=np.float32))[0]
        kind = tables.schema[tables.aspect_of[name]].kind
        gone = value is None or value != value
        found.append(None if gone else str(bool(value)) if kind == "yes_no" else _shown(value))
    return found


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else f"{float(value):.7g}"


def _id(side: Any, text: str) -> Any:
    return side.ids[side.vocabulary.number(text)]


def _id_names(tables: FrameTables) -> tuple[str, str]:
    names = tables.users.id_name, tables.items.id_name
    return names if names[0] != names[1] else ("user_id", "item_id")


COUNTED = {"calls": "calls", "scored": "rows"}
"""What is counted where a budget is given, and the column that says it."""

COLUMNS: Mapping[str, Any] = {
    "position": pl.Int64,
    "status": pl.String,
    "sentence": pl.String,
    "attributes": pl.List(pl.String),
    "before": pl.List(pl.String),
    "after": pl.List(pl.String),
    "proof": pl.String,
    "score_before": pl.Float64,
    "score_after": pl.Float64,
    "target": pl.Float64,
}
"""The columns of every answer, after the ids."""


def _frame(tables: FrameTables, rows: list[dict[str, Any]]) -> Frame:
    names = list(rows[0]) if rows else [*_id_names(tables), *COLUMNS]
    columns = {name: [row[name] for row in rows] for name in names}
    if tables.items.library.name == "polars":
        return pl.DataFrame({name: pl.Series(name, values, COLUMNS.get(name)) for name, values in columns.items()})
    return tables.items.library.of_columns(columns)


def _competes(run: FrameRun, user: int, item: Any) -> bool:
    return run.candidates.contain(user, run.tables.items.number(item))


def _reranked(
    run: FrameRun, user: int, user_id: str, changes: Mapping[Any, Mapping[str, Any]]
) -> list[tuple[Any, ...]]:
    tables = run.tables
    found = run.what_if(user_id, {tables.items.texts[tables.items.number(item)]: changes[item] for item in changes})
    records = reranking_records(run.space, found, run.item_names)
    said = {record.item: sentence(record) for record in records}
    rows = []
    for place, item in enumerate(found.items.tolist()):
        text = tables.items.texts[item]
        rows.append(
            (
                tables.users.ids[user],
                tables.items.ids[item],
                place + 1,
                int(found.positions_before[place]),
                float(found.scores_after[place]),
                float(found.scores_before[place]),
                said.get(run.item_name(text)),
            )
        )
    return rows


class FrameRun(Run):
    """Frames as a run: the same questions, answered by the same code."""

    def __init__(
        self,
        model: Any,
        tables: FrameTables,
        *,
        k: int,
        candidates: PairTable | None = None,
        seen: PairTable | None = None,
        item_name: str | None = None,
        constraints: Constraints | None = None,
        ranker: Ranker | Callable[[FrameTables], Ranker] | None = None,
    ) -> None:
        self.tables = tables
        super().__init__(Path("frames"), Manifest({}))
        self._config = make_frames_config({"k": k}, {} if constraints is None else {"constraints": constraints})
        self._space_and_names = (tables.space, {} if item_name is None else tables.item_names(item_name))
        self.candidates = _competing(tables, candidates, seen)
        self.ranker = ranker if ranker is None or isinstance(ranker, Ranker) else ranker(tables)
        scorer = scorer_of(model, tables)
        if isinstance(scorer, RowScorer):
            check_model(scorer, self.candidates)
        self._rank_by(scorer)

    @property
    def reserve(self) -> None:
        """Nothing was drawn."""
        return

    def require_unchanged(self, asked: Question, table: pl.DataFrame) -> None:
        """Raise if the model scored an item otherwise while it was explained than when its list was made."""
        if not isinstance(self.scorer, RowScorer) or not len(table):
            return
        lists = self.recommendations
        rows = lists.rows_of(asked.users)
        at = lists.items[rows] == asked.items[:, None]
        listed = at.any(axis=1)
        before = lists.scores[rows[listed], at[listed].argmax(axis=1)]
        after = table["score_before"].to_numpy()[listed]
        pairs = PairBatch.of(self.space, asked.users[listed], asked.items[listed])
        require_same(self.scorer, pairs, before, after, "while it was explained")

    def shortened_to(self, users: list[int]) -> Recommendations:
        """The lists of some users."""
        return self.recommendations.rows(self.recommendations.rows_of(np.array(users, dtype=np.int64)))


def _competing(tables: FrameTables, candidates: PairTable | None, seen: PairTable | None) -> Candidates:
    """Who competes: what is given, or the whole catalogue without what was seen."""
    if candidates is not None:
        return candidates_of(tables, candidates, seen)
    return seen_of(tables, seen)
