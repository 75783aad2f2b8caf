"""From answers to what can be told of them: numbers get their names, and every claim is checked on the way."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from counterec.core.arrays import FloatVector
from counterec.core.explainers.answer import Explanations, Proof, Status
from counterec.core.explainers.audience.answer import AudienceAnswer
from counterec.core.explainers.question import Question
from counterec.core.explainers.what_if import Reranking
from counterec.core.space import AspectSpace
from counterec.wording.change import Change
from counterec.wording.record import UNTOUCHED, Told, ToldAudience, ToldRanking

NO_NAMES: Mapping[str, str] = {}


def tell(
    question: Question,
    answers: Explanations,
    row: int,
    *,
    goal: str = "minimal",
    names: Mapping[str, str] = NO_NAMES,
    positions: tuple[int, int] | None = None,
) -> Told:
    """Tell one answer; ``names`` gives items by their ids other names, ``positions`` is before and after."""
    space, item = question.space, int(question.items[row])
    versus = None if question.versus is None else int(question.versus[row])
    taken_from = versus if question.kind == "why_rather_takes" else None
    status = Status(answers.status[row])
    target = float(question.target[row])
    before, after = positions or (None, None)
    explained = status is Status.EXPLAINED
    return Told(
        question=question.kind,
        goal=goal,
        status=status.label,
        item=_name(space, item, names),
        changes=[] if status.label in UNTOUCHED else _changes(space, item, answers.delta[row], taken_from),
        k=question.k,
        versus=None if versus is None else _name(space, versus, names),
        score_before=float(answers.score_before[row]),
        score_after=float(answers.score_after[row]),
        target=None if np.isnan(target) else target,
        position_before=before,
        position_after=after,
        necessary=None if answers.necessary is None or not explained else bool(answers.necessary[row]),
        sufficient=None if answers.sufficient is None or not explained else bool(answers.sufficient[row]),
        proof=Proof(answers.proof[row]).label if explained else None,
        margin=answers.margin,
    )


def tell_row(
    space: AspectSpace,
    row: Mapping[str, Any],
    *,
    k: int,
    margin: float,
    names: Mapping[str, str] = NO_NAMES,
    position_after: int | None = None,
) -> Told:
    """Tell one row of an explanations table."""
    explained, versus = row["status"] == Status.EXPLAINED.label, row["versus"]
    aspects = space.aspects.numbers(row["aspects"])
    takes = row["question"] == "why_rather_takes"
    other = space.item_quality[space.items.number(versus)] if takes else None
    changes = [
        _change(space, int(aspect), before, after, other)
        for aspect, before, after in zip(aspects, row["before"], row["after"], strict=True)
    ]
    judged = explained and row["question"] != "why_not"
    return Told(
        question=row["question"],
        goal=row["goal"],
        status=row["status"],
        item=names.get(row["item_id"], row["item_id"]),
        changes=[] if row["status"] in UNTOUCHED else changes,
        k=k,
        versus=None if versus is None else names.get(versus, versus),
        score_before=row["score_before"],
        score_after=row["score_after"],
        target=row["target"],
        position_before=row["position"],
        position_after=position_after,
        necessary=row["necessary"] if judged else None,
        sufficient=row["sufficient"] if judged else None,
        proof=row["proof"] if explained else None,
        margin=margin,
    )


def tell_audience(space: AspectSpace, answer: AudienceAnswer, names: Mapping[str, str] = NO_NAMES) -> ToldAudience:
    """Tell what an improvement does for an audience."""
    changes = [] if answer.status.label in UNTOUCHED else _changes(space, answer.item, answer.delta)
    return ToldAudience(
        item=_name(space, answer.item, names),
        changes=changes,
        status=answer.status.label,
        asked=len(answer.users),
        wanted=answer.wanted,
        entered=int(answer.entered.sum()),
        had_it=int(answer.had_it.sum()),
        kept_it=int((answer.had_it & answer.has_it).sum()),
        proof=answer.proof.label if answer.status is Status.EXPLAINED else None,
    )


def tell_ranking(space: AspectSpace, found: Reranking, names: Mapping[str, str] = NO_NAMES) -> list[ToldRanking]:
    """Tell what becomes of each item that was changed."""
    told = []
    for item, quality in zip(found.changed.tolist(), found.qualities, strict=True):
        delta = quality - space.item_quality[item]
        if delta.any():
            at = found.place(item) - 1
            told.append(
                ToldRanking(
                    item=_name(space, item, names),
                    changes=_changes(space, item, delta),
                    position_before=int(found.positions_before[at]),
                    position_after=at + 1,
                    k=found.k,
                    score_before=float(found.scores_before[at]),
                    score_after=float(found.scores_after[at]),
                )
            )
    return told


def _changes(space: AspectSpace, item: int, delta: FloatVector, taken_from: int | None = None) -> list[Change]:
    """The aspects that move, those first that move most."""
    before, other = space.item_quality[item], None if taken_from is None else space.item_quality[taken_from]
    moved = np.flatnonzero(delta)
    moved = moved[np.argsort(-np.abs(delta[moved]), kind="stable")]
    after = before + delta
    return [_change(space, int(a), float(before[a]), float(after[a]), other) for a in moved]


def _change(space: AspectSpace, aspect: int, before: float, after: float, other: FloatVector | None) -> Change:
    scale = space.scale
    return Change(
        space.aspects.texts[aspect],
        before,
        after,
        span=float(scale.span[aspect]),
        absent=float(scale.absent[aspect]),
        low=float(scale.low[aspect]),
        low_is_worse=bool(scale.low_is_worse[aspect]),
        other=None if other is None else float(other[aspect]),
    )


def _name(space: AspectSpace, item: int, names: Mapping[str, str]) -> str:
    item_id = space.items.texts[item]
    return names.get(item_id, item_id)
