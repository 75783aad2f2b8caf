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
STATUSES = ("explained", "not_found", "cannot_flip", "failed", "out_of_budget", *NOT_ASKED)
PROOFS = ("none", "found", "irreducible", "smallest", "exact")
SETS_TRIED = 5000
"""To show that nothing flips, about this many sets are tried, small ones first, and some drawn at random."""

VALUES_TRIED = 32
"""*Single* tries every value of an attribute that has no more than this."""


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
    margin: float | None = None
    values: np.ndarray | None = None
    """The values of all aspects after the change, as they were scored; None: those before, plus the change."""
    goal: str | None = None
    telling: bool = True
    """Whether the most telling aspects were named, unless there are costs, rather than those that change least."""
    searched: bool = True
    """Whether every small set was tried before aspects were made absent, as the budget allows for few aspects."""

    @cached_property
    def named(self) -> list[int]:
        return [int(aspect) for aspect in np.flatnonzero(self.delta)]

    @cached_property
    def after(self) -> np.ndarray:
        return self.pair.before + self.delta if self.values is None else self.values

    @cached_property
    def gone(self) -> list[int]:
        """The aspects that became absent."""
        return [aspect for aspect in self.named if self.after[aspect] == self.pair.on.absent[aspect]]

    @property
    def unreviewed(self) -> bool:
        """Whether aspects became absent that may only do so as an exception."""
        return bool(self.gone) and self.pair.rules.values == "reachable"

    @property
    def widely(self) -> bool:
        """Whether it is beyond doubt that aspects may become absent.

        An answer of few aspects at other values says that they may not, be it one that bounds alone do not show.
        """
        few = self.pair.rules.few
        if few is None or (self.status == "explained" and not self.unreviewed and len(self.named) <= few):
            return False
        return self.pair.absent_allowed is True

    @property
    def put_on_scale(self) -> bool:
        """Whether an aspect that was absent was given the first value that is possible, or one became absent."""
        pair, first = self.pair, False
        for way in (pair.ways[aspect] for aspect in self.named):
            ends = way.limits if pair.rules.values == "reachable" else (1.0, 5.0)
            first |= way.own == way.absent and float(self.after[way.aspect]) in ends
        return first or bool(self.gone)

    @property
    def beyond(self) -> float:
        """By how much the change clears the margin."""
        return self.pair.beyond_at(self.after)


def rows_of(
    world: World,
    question: Question,
    answers: Explanations,
    *,
    singly: bool = False,
    goal: str | None = None,
    telling: bool = True,
    share: float = naive.SHARE,
    searched: bool = True,
) -> Iterator[Row]:
    """The rows of a net's answers: targets and costs are the question's, and its bounds where any value is allowed."""
    from counterec.core.explainers.answer import Proof, Status

    assert len(answers) == len(question)
    np.testing.assert_array_equal(answers.users, question.users)
    np.testing.assert_array_equal(answers.items, question.items)
    after, net = question.after(answers.delta), world.net
    for row, (user, item) in enumerate(zip(question.users.tolist(), question.items.tolist(), strict=True)):
        yield Row(
            pair=_asked(world, net, question, row, user, item, share),
            delta=answers.delta[row],
            status=Status(answers.status[row]).label,
            proof=Proof(answers.proof[row]).label,
            singly=singly,
            score_before=float(answers.score_before[row]),
            score_after=float(answers.score_after[row]),
            target=float(answers.target[row]),
            margin=float(answers.margin[row]),
            values=after[row],
            goal=goal,
            telling=telling,
            searched=searched,
        )


def _asked(
    world: World, net: naive.Arrays, question: Question, row: int, user: int, item: int, share: float
) -> naive.Pair:
    from tests.worlds import numbered, plain_scale

    attention, quality = world.space.user_attention, world.space.item_quality
    lowest, highest = question.lowest[row].astype(np.float64), question.highest[row].astype(np.float64)
    continuous = question.constraints.values == "continuous"
    scale = plain_scale(world.space)
    ends = [np.abs(quality).max(axis=0), np.abs(scale.absent), np.abs(scale.high)]
    return naive.Pair(
        kind=question.kind,
        score=naive.with_offsets(naive.net_of(net, attention), world.offsets),
        Y=quality,
        attention=attention[user],
        user=user,
        item=item,
        rivals=question.candidates.of(user),
        k=question.k,
        noise=naive.rounding(net, attention[user], np.max(ends, axis=0)) + naive.offset_rounding(world.offsets, user),
        aspects_only=world.offsets is None,
        offsets=None if world.offsets is None else world.offsets[user],
        margin=share,
        net=net,
        rules=numbered(question.constraints, world.space),
        scale=scale,
        given=naive.Given(
            *(float(question.target[row]), str(question.direction), question.costs.astype(np.float64)),
            bounds=(lowest, highest) if continuous else None,
        ),
    )


def untrue(row: Row) -> list[str]:
    """What a row says that is not so. Nothing is judged that single precision cannot resolve."""
    said = {**_kept_to(row), **_scores(row), **_status(row), **_proof(row), **_absence(row), **_steps_back(row)}
    if row.status == "cannot_flip":
        said |= {f"{name} does not flip": not flips for name, flips in _attempts(row)}
    if row.pair.kind == "why_rather_takes":
        said |= _takes(row)
    return [f"{row.status} {row.proof}, {row.pair.kind}: {claim}" for claim, holds in said.items() if not holds]


def _kept_to(row: Row) -> dict[str, bool]:
    """The bounds of the change, and the rules of the question and its constraints."""
    pair = row.pair
    wide = row.unreviewed or row.widely
    lowest, highest = pair.wide_bounds if wide else pair.bounds
    room = 1e-6 * np.maximum(1, np.abs(pair.on.span)) if pair.given is None or pair.given.bounds is None else 0
    said = {
        "within its bounds": bool((row.delta >= lowest - room).all() and (row.delta <= highest + room).all()),
        "moves only what may move": set(row.named) <= set(pair.wide_movable if wide else pair.movable),
    }
    if pair.given is None or pair.given.bounds is None:
        impossible = pair.impossible(row.after, absent_allowed=wide)
        said |= {f"a possible value: {value}": False for value in impossible}
    return said


def _absence(row: Row) -> dict[str, bool]:
    """Aspects become absent only where few others do not do, and for *minimal* only where fewer have to."""
    pair, said = row.pair, {}
    if not row.unreviewed:
        return said
    said["absent aspects are allowed at all"] = pair.rules.few is not None and not pair.rises
    if row.searched and row.status == "explained":
        said["few aspects at other values do not flip"] = pair.absent_allowed is not False
        if row.goal == "minimal":
            said["no set of as many flips at other values"] = pair.fewest_at_bounds(below=1 + len(row.named)) is None
    return said


def _steps_back(row: Row) -> dict[str, bool]:
    """Where values are counted, no aspect could have moved one step less; solvers aim a fifth of the margin further."""
    pair, said = row.pair, {}
    if not pair.counted or row.status != "explained" or row.beyond <= 0.2 * pair.clearance + pair.slack:
        return said  # what flips by less than solvers aim at is at its bounds, where the scorer itself decided
    for aspect in row.named:
        stops = [float(pair.before[aspect]), *(pair.ways[aspect].stops(row.unreviewed or row.widely) or [])]
        place = stops.index(float(row.after[aspect])) if float(row.after[aspect]) in stops else 0
        less = row.after.astype(np.float64)
        less[aspect] = stops[max(0, place - 1)]
        if row.goal == "complete" and abs(less[aspect] - stops[0]) < 0.05 * pair.on.span[aspect]:
            continue  # whether a set is necessary and sufficient is known of all its aspects: each is seen to move
        said[f"aspect {aspect} goes no step too far"] = pair.beyond_at(less) <= 0.2 * pair.clearance + pair.slack
    return said


def _scores(row: Row) -> dict[str, bool]:
    """The scores, the target and the margin are what plain arithmetic gives."""
    pair, said = row.pair, {}
    room = max(0.01 * pair.clearance, 10 * pair.noise)
    for name, stated, quality in (("before", row.score_before, pair.before), ("after", row.score_after, row.after)):
        if stated is not None:
            said[f"score {name}"] = abs(stated - pair.score(pair.user, pair.item, quality)) <= room
    if row.target is not None and pair.has_target and row.status != "already_true" and np.isfinite(pair.target):
        # A ranker adds in single precision, and may have a target where all scores are 0.
        rounded = 0.0 if pair.ranker is None else 1e-6 * max(1.0, abs(pair.target))
        said["target"] = abs(row.target - pair.target) <= max(room, rounded)
    if row.margin is not None:
        said["margin"] = abs(row.margin - pair.clearance) <= 1e-3 * pair.clearance + pair.margin * pair.noise
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
        said["true as it is"] = pair.beyond(nothing) >= -pair.slack if true_before is None else in_doubt or true_before
        return said
    said["there is a target"] = pair.has_target
    said["not true as it is"] = (
        pair.beyond(nothing) <= pair.slack if true_before is None else in_doubt or not true_before
    )
    said |= _may_move(row)
    if row.status == "explained":
        true_after = pair.is_true(row.after)
        said["clears the margin"] = row.beyond > -pair.slack
        said["true after the change"] = true_after is not False or abs(row.beyond + pair.clearance) <= pair.noise
    elif row.status == "out_of_budget" and row.named:
        said["the best that was met flips"] = row.beyond > -pair.slack
    elif row.status in ("not_found", "cannot_flip"):
        said["does not clear the margin"] = row.beyond <= pair.slack
    return said


def _may_move(row: Row) -> dict[str, bool]:
    """*Nothing to change* means that nothing may move, not even to become absent."""
    pair, nothing = row.pair, row.status == "nothing_to_change"
    said = {}
    if nothing:
        said["something may move, or nothing"] = not pair.movable and not (row.widely and pair.wide_movable)
    elif not row.unreviewed:
        said["something may move, or nothing"] = bool(pair.wide_movable if row.widely else pair.movable)
    return said


def _proof(row: Row) -> dict[str, bool]:
    pair, size = row.pair, len(row.named)
    said = {
        "a known proof": row.proof in PROOFS,
        "a proof of an explanation only": (row.proof == "none") == (row.status != "explained"),
    }
    if row.proof == "smallest":
        said["no smaller set flips"] = pair.fewest_at_bounds(below=size) is None
        if row.unreviewed or row.widely:
            said["no smaller set flips absent"] = pair.fewest_at_bounds(below=size, absent=True) is None
    if row.proof == "irreducible":
        needed = {f"needs {left}": not pair.flips_at_bounds(set(row.named) - {left}) for left in row.named}
        absent = {f"needs {left}": not _flips_without(row, left) for left in row.named} if row.widely else needed
        said |= absent if row.unreviewed or all(absent.values()) else needed
    if row.proof == "exact":
        said |= _exact(row)
    return said


def _flips_without(row: Row, left: int) -> bool:
    return row.pair.flips_at_bounds(set(row.named) - {left}, absent=True)


def _exact(row: Row) -> dict[str, bool]:
    """No smaller change flips: of the named aspect, where the most telling one is named, else of any.

    Where moves can be followed exactly, it is not too small either.
    """
    pair = row.pair
    if len(row.named) != 1:
        return {"exact of one aspect": False}
    (aspect,) = row.named
    costs = pair.costs * pair.on.span
    one = row.telling and bool((costs == costs[0]).all())
    cost, wide = pair.cost(aspect, float(row.delta[aspect])), row.unreviewed  # else reachable ones win

    def least(slack: float) -> float:
        return pair.single_flips(aspect, slack, absent=wide) if one else pair.cheapest_single(slack, absent=wide)

    if pair.net is None and not (pair.counted or pair.valued):
        return {"no cheaper single change flips": not pair.flips_for_less(cost, aspect if one else None)}
    # Single precision may take a change that clears the margin by the slack more, or less, for the first flip.
    # Solvers that try every counted value aim at it as others do, a fifth of the margin further, if it is not near.
    unit = 1e-5 / float(pair.on.span[aspect])
    return {
        "no cheaper single change flips": cost <= least(pair.slack) * (1 + 1e-3) + unit,
        "is no cheaper than it can be": cost >= least(-pair.slack) * (1 - 1e-5) - unit,
    }


def _attempts(row: Row) -> Iterator[tuple[str, bool]]:
    """What would have to flip if a row that says *cannot flip* were wrong, and whether it does."""
    pair, random = row.pair, np.random.default_rng(0)
    whole = pair.kind == "why_rather_takes"
    for absent in (False, True) if row.widely else (False,):
        movable = pair.wide_movable if absent else pair.movable
        if not whole:
            yield "one aspect on its move", pair.cheapest_single(pair.slack, absent=absent) < np.inf
        for chosen in _sets(movable, 1 if row.singly else pair.rules.most or len(movable), random):
            yield f"{chosen} at its bounds", pair.flips_at_bounds(chosen, absent=absent)
        if not whole and not row.singly and pair.rules.most is None:
            inside = _random_changes(pair, absent, random)
            yield "a change within the bounds", any(pair.beyond(change) > pair.slack for change in inside)


def _random_changes(pair: naive.Pair, absent: bool, random: np.random.Generator) -> np.ndarray:
    """A hundred changes within the bounds; to possible values only, where they are counted."""
    if not (pair.counted or pair.valued):
        return random.uniform(*(pair.wide_bounds if absent else pair.bounds), (100, len(pair.before)))
    stops = [[float(pair.before[way.aspect]), *(way.stops(absent) or [])] for way in pair.ways]
    return np.stack([random.choice(values, 100) for values in stops], axis=1) - pair.before.astype(np.float64)


def _sets(movable: list[int], most: int, random: np.random.Generator) -> Iterator[tuple[int, ...]]:
    tried = 0
    for size in range(1, 1 + min(most, len(movable))):
        tried += comb(len(movable), size)
        if tried <= SETS_TRIED:
            yield from naive.sets_of(movable, size)
        else:
            yield from (tuple(random.choice(movable, size, replace=False).tolist()) for _ in range(100))


def _takes(row: Row) -> dict[str, bool]:
    """Each aspect that moves has the other's value, and had a better one."""
    pair, said = row.pair, {}
    other = pair.Y[pair.other]
    for aspect in row.named:
        said[f"takes the other's {aspect}"] = bool(row.after[aspect] == other[aspect])
        said[f"was better on {aspect}"] = pair.ways[aspect].worse(float(other[aspect]))
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
    for absent in (False, True) if row.widely else (False,):
        lowest, highest = pair.wide_bounds if absent else pair.bounds
        movable = pair.wide_movable if absent else pair.movable
        one_way = not ((lowest < 0) & (highest > 0)).any()
        if pair.valued:
            one_way = all(len(pair.ways[aspect].ends(absent)) == 1 for aspect in movable)
        if one_way and pair.rules.most is None and pair.flips_at_bounds(movable, absent=absent):
            said["everything at its bound flips"] = row.status == "explained"
        if row.proof == "smallest":
            fewest = pair.fewest_at_bounds(absent=absent)
            said[f"the fewest, absent or not: {absent}"] = fewest is None or len(row.named) <= len(fewest)
    return said


def _found_by_single(row: Row) -> dict[str, bool]:
    """Whatever one aspect flips is explained, and what is not is proven impossible."""
    pair, said = row.pair, {"one aspect": len(row.named) == 1}
    wide = row.widely or row.unreviewed
    # From one batch to another, the scores of a saturated net may differ by a good part of the margin.
    drowned = pair.noise > 0.02 * pair.clearance
    if pair.cheapest_single(pair.slack, absent=wide) < np.inf:
        said["one aspect flips"] = row.status == "explained" or (drowned and row.status == "not_found")
    if row.status == "explained":
        many = pair.valued and any(len(pair.ways[aspect].stops(wide)) > VALUES_TRIED for aspect in pair.wide_movable)
        said["exact"] = many or row.proof == "exact" or ((drowned or row.put_on_scale) and row.proof == "found")
        return said
    many = pair.valued and any(len(pair.ways[aspect].stops(wide)) > VALUES_TRIED for aspect in pair.wide_movable)
    if not many and pair.absent_allowed is not None and pair.cheapest_single(-pair.slack, absent=wide) == np.inf:
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
