"""The one checker of what a row claims: each claim established again by slow NumPy in double precision.

``untrue`` checks what every row says, wherever it comes from: an explainer's arrays (``rows_of``) or the files of a run
folder (``tests/pipeline/disk.py``). ``overlooked`` checks what some goals promise to find. What is asked, and all the
arithmetic, is ``naive.Pair``. Nothing here uses counterec.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import comb
from typing import TYPE_CHECKING

import numpy as np

from tests import naive

if TYPE_CHECKING:
    from counterec.core.explainers.answer import Explanations
    from counterec.core.explainers.question import Question
    from tests.worlds import World

NOT_ASKED = ("no_target", "already_true", "nothing_to_change")
STATUSES = ("explained", "not_found", "cannot_flip", "failed", *NOT_ASKED)
PROOFS = ("none", "found", "irreducible", "smallest", "exact")
SETS_TRIED = 5000
"""To show that nothing flips, about this many sets are tried, small ones first, and some drawn at random."""


@dataclass(frozen=True)
class Row:
    """What is said of a pair; what is None is not checked."""

    pair: naive.Pair
    delta: np.ndarray
    status: str
    proof: str
    singly: bool = False
    """Whether *cannot flip* is proven of changes of one aspect alone."""
    score_before: float | None = None
    score_after: float | None = None
    target: float | None = None

    @cached_property
    def named(self) -> list[int]:
        return [int(aspect) for aspect in np.flatnonzero(self.delta)]

    @property
    def put_on_scale(self) -> bool:
        """Whether an aspect that nobody had reviewed was given the worst value that reviews lead to."""
        return bool(((self.pair.before == 0) & (self.delta == 1)).any())

    @property
    def beyond(self) -> float:
        """By how much the change clears the margin."""
        return self.pair.beyond(self.delta)


def rows_of(world: World, question: Question, answers: Explanations, *, singly: bool = False) -> Iterator[Row]:
    """The rows of an explainer's answers, with the targets, bounds and costs of the question."""
    from counterec.core.explainers.answer import Proof, Status

    assert len(answers) == len(question)
    np.testing.assert_array_equal(answers.users, question.users)
    np.testing.assert_array_equal(answers.items, question.items)
    for row, (user, item) in enumerate(zip(question.users.tolist(), question.items.tolist(), strict=True)):
        yield Row(
            pair=_asked(world, question, row, user, item),
            delta=answers.delta[row],
            status=Status(answers.status[row]).label,
            proof=Proof(answers.proof[row]).label,
            singly=singly,
            score_before=float(answers.score_before[row]),
            score_after=float(answers.score_after[row]),
            target=float(answers.target[row]),
        )


def _asked(world: World, question: Question, row: int, user: int, item: int) -> naive.Pair:
    net, attention, quality = world.weights.named(), world.space.user_attention, world.space.item_quality
    lowest, highest = question.lowest[row].astype(np.float64), question.highest[row].astype(np.float64)
    largest = np.maximum(np.abs(quality[item] + lowest), np.abs(quality[item] + highest))
    return naive.Pair(
        kind=question.kind,
        score=naive.net_of(net, attention),
        Y=quality,
        attention=attention[user],
        user=user,
        item=item,
        rivals=question.candidates.of(user),
        k=question.k,
        noise=naive.rounding(net, attention[user], np.maximum(largest, np.abs(quality[item]))),
        margin=question.margin,
        net=net,
        given=naive.Given(
            float(question.target[row]), str(question.direction), lowest, highest, question.costs.astype(np.float64)
        ),
    )


def untrue(row: Row) -> list[str]:
    """What a row says that is not so. Nothing is judged that single precision cannot resolve."""
    said = {**_kept_to(row), **_scores(row), **_status(row), **_proof(row)}
    if row.status == "cannot_flip":
        said |= {f"{name} does not flip": not flips for name, flips in _attempts(row)}
    if row.pair.kind == "why_rather_takes":
        said |= _takes(row)
    return [f"{row.status} {row.proof}, {row.pair.kind}: {claim}" for claim, holds in said.items() if not holds]


def _kept_to(row: Row) -> dict[str, bool]:
    """The bounds of the change, and the rules of the question and its constraints."""
    pair, room = row.pair, 0 if row.pair.given is not None else 1e-6
    lowest, highest = pair.bounds
    said = {
        "within its bounds": bool((row.delta >= lowest - room).all() and (row.delta <= highest + room).all()),
        "moves only what may move": set(row.named) <= set(pair.movable),
    }
    if pair.given is None:
        broken = naive.broken(pair.kind, pair.before, pair.before + row.delta, pair.attention, pair.rules)
        said |= {f"breaks {rule}": False for rule in broken}
    return said


def _scores(row: Row) -> dict[str, bool]:
    """The scores and the target are what plain arithmetic gives."""
    pair, room, said = row.pair, max(1e-4, 10 * row.pair.noise), {}
    after = pair.before + row.delta  # in single precision, as it was scored
    for name, stated, quality in (("before", row.score_before, pair.before), ("after", row.score_after, after)):
        if stated is not None:
            said[f"score {name}"] = abs(stated - pair.score(pair.user, pair.item, quality)) <= room
    if row.target is not None and pair.has_target and row.status != "already_true":
        said["target"] = abs(row.target - pair.target) <= room
    return said


def _status(row: Row) -> dict[str, bool]:
    pair, nothing = row.pair, np.zeros_like(row.delta)
    said = {"a known status": row.status in STATUSES}
    if row.status in NOT_ASKED:
        said["nothing moves"] = not row.named
    if row.status == "no_target" or pair.given is not None:
        said["no target means that there is none"] = (row.status == "no_target") == (not pair.has_target)
    if row.status == "no_target":
        return said
    # In doubt is a score that single precision cannot tell from the target.
    in_doubt, true_before = abs(pair.truth(pair.before)) <= pair.noise, pair.is_true(pair.before)
    if row.status == "already_true":
        said["true as it is"] = pair.beyond(nothing) > -pair.slack if true_before is None else in_doubt or true_before
        return said
    said["there is a target"] = pair.has_target
    said["not true as it is"] = (
        pair.beyond(nothing) < pair.slack if true_before is None else in_doubt or not true_before
    )
    said["something may move, or nothing"] = bool(pair.movable) == (row.status != "nothing_to_change")
    if row.status == "explained":
        true_after = pair.is_true(pair.before + row.delta)
        said["clears the margin"] = row.beyond > -pair.slack
        said["true after the change"] = true_after is not False or abs(row.beyond + pair.clearance) <= pair.noise
    elif row.status in ("not_found", "cannot_flip"):
        said["does not clear the margin"] = row.beyond < pair.slack
    return said


def _proof(row: Row) -> dict[str, bool]:
    pair = row.pair
    said = {
        "a known proof": row.proof in PROOFS,
        "a proof of an explanation only": (row.proof == "none") == (row.status != "explained"),
    }
    if row.proof == "smallest":
        said["no smaller set flips"] = pair.fewest_at_bounds(below=len(row.named)) is None
    if row.proof == "irreducible":
        said |= {f"needs {left}": not pair.flips_at_bounds(set(row.named) - {left}) for left in row.named}
    if row.proof == "exact":
        said |= _exact(row)
    return said


def _exact(row: Row) -> dict[str, bool]:
    """No smaller change of one aspect flips and, where moves can be followed exactly, this one is not too small."""
    pair = row.pair
    if len(row.named) != 1:
        return {"exact of one aspect": False}
    cost = abs(float(row.delta[row.named[0]])) * float(pair.costs[row.named[0]])
    if pair.net is None:
        return {"no cheaper single change flips": not pair.flips_for_less(cost)}
    # Single precision may take a change that clears the margin by the slack more, or less, for the first flip.
    return {
        "no cheaper single change flips": cost <= pair.cheapest_single(pair.slack) * (1 + 1e-3) + 1e-5,
        "is no cheaper than it can be": cost >= pair.cheapest_single(-pair.slack) * (1 - 1e-5) - 1e-6,
    }


def _attempts(row: Row) -> Iterator[tuple[str, bool]]:
    """What would have to flip if a row that says *cannot flip* were wrong, and whether it does."""
    pair, random = row.pair, np.random.default_rng(0)
    whole = pair.kind == "why_rather_takes"
    if not whole:
        yield "one aspect on its move", pair.cheapest_single(pair.slack) < np.inf
    for chosen in _sets(pair, 1 if row.singly else pair.rules.most or len(pair.movable), random):
        yield f"{chosen} at its bounds", pair.flips_at_bounds(chosen)
    if not whole and not row.singly and pair.rules.most is None:
        inside = random.uniform(*pair.bounds, (100, len(row.delta)))
        yield "a change within the bounds", any(pair.beyond(change) > pair.slack for change in inside)


def _sets(pair: naive.Pair, most: int, random: np.random.Generator) -> Iterator[tuple[int, ...]]:
    tried = 0
    for size in range(1, 1 + min(most, len(pair.movable))):
        tried += comb(len(pair.movable), size)
        if tried <= SETS_TRIED:
            yield from naive.sets_of(pair.movable, size)
        else:
            yield from (tuple(random.choice(pair.movable, size, replace=False).tolist()) for _ in range(100))


def _takes(row: Row) -> dict[str, bool]:
    """Each aspect that moves has the other's value, and had a better one."""
    pair, said = row.pair, {}
    other, after = pair.Y[pair.others[0][0]], pair.before + row.delta
    for aspect in row.named:
        said[f"takes the other's {aspect}"] = bool(abs(after[aspect] - other[aspect]) < 1e-6)
        said[f"was better on {aspect}"] = bool(pair.before[aspect] > other[aspect])
    return said


def untrue_verdicts(row: Row, necessary: bool | None, sufficient: bool | None) -> list[str]:
    """What is not so of two verdicts, by ranking all rivals anew; near ties nothing is judged."""
    if row.status != "explained" or row.pair.kind == "why_not":
        return [] if necessary is None and sufficient is None else ["a verdict that nobody can give"]
    named = np.isin(np.arange(len(row.delta)), row.named)
    said = {
        "necessary": row.pair.necessary(named) in (necessary, None) and necessary is not None,
        "sufficient": row.pair.sufficient(named) in (sufficient, None) and sufficient is not None,
    }
    return [claim for claim, holds in said.items() if not holds]


def overlooked(row: Row, goal: str) -> list[str]:
    """What a goal promises to find and did not: *minimal* and the exact *single*."""
    if row.status in NOT_ASKED:
        return []
    said = _found_by_minimal(row) if goal == "minimal" else _found_by_single(row)
    return [f"{goal}, {row.status} {row.proof}: {claim}" for claim, holds in said.items() if not holds]


def _found_by_minimal(row: Row) -> dict[str, bool]:
    """Whatever flips with everything at its bound is explained, by the fewest aspects if that is claimed."""
    pair, said = row.pair, {}
    one_way = not ((pair.bounds[0] < 0) & (pair.bounds[1] > 0)).any()
    if one_way and pair.flips_at_bounds(pair.movable):
        said["everything at its bound flips"] = row.status == "explained"
    if row.proof == "smallest":
        fewest = pair.fewest_at_bounds()
        said["the fewest"] = fewest is None or len(row.named) <= len(fewest)
    return said


def _found_by_single(row: Row) -> dict[str, bool]:
    """Whatever one aspect flips is explained, and what is not is proven impossible."""
    pair, said = row.pair, {"one aspect": len(row.named) == 1}
    # From one batch to another, the scores of a saturated net may differ by a good part of the margin.
    drowned = pair.noise > 0.02 * pair.clearance
    if pair.cheapest_single(pair.slack) < np.inf:
        said["one aspect flips"] = row.status == "explained" or (drowned and row.status == "not_found")
    if row.status == "explained":
        said["exact"] = row.proof == "exact" or ((drowned or row.put_on_scale) and row.proof == "found")
    if pair.cheapest_single(-pair.slack) == np.inf:
        said["no aspect flips"] = row.status == "cannot_flip"
    return said


def smallest_on_a_grid(row: Row, steps: int) -> float:
    """The least ‖c ⊙ Δ‖₂ of the flipping changes of the row's aspects, with this many steps to each bound."""
    pair, least = row.pair, np.inf
    reach = sum(pair.bounds)
    for shares in product(np.linspace(0, 1, steps + 1), repeat=len(row.named)):
        change = np.zeros(len(row.delta))
        change[row.named] = reach[row.named] * shares
        norm = float(np.linalg.norm(pair.costs * change))
        if norm < least and pair.beyond(change) > 0:
            least = norm
    return least
