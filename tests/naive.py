"""Slow, plain NumPy that re-establishes every claim. It imports nothing from the explainers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, pairwise, product

import numpy as np

from tests.naive_attributes import AttributeWay
from tests.naive_values import CONTINUOUS, FREE, SHARE, Rules, Scale, Shares, Way, balances, margin_of, reviewed, worth

__all__ = [
    "CONTINUOUS",
    "FREE",
    "SHARE",
    "Rules",
    "Scale",
    "Shares",
    "Way",
    "balances",
    "margin_of",
    "reviewed",
    "worth",
]

Arrays = Mapping[str, np.ndarray]


def net_score(arrays: Arrays, attention: np.ndarray, quality: np.ndarray) -> float:
    """The logit of one pair, layer by layer, in double precision."""
    arrays, hidden = doubled(arrays), np.concatenate([attention, quality]).astype(np.float64)
    for layer in ("hidden1", "hidden2"):
        hidden = np.maximum(arrays[f"{layer}.weight"] @ hidden + arrays[f"{layer}.bias"], 0)
    return float((arrays["output.weight"] @ hidden + arrays["output.bias"])[0])


def doubled(arrays: Arrays) -> Arrays:
    """The arrays in double precision; the same ones if they are."""
    if all(array.dtype == np.float64 for array in arrays.values()):
        return arrays
    return {name: array.astype(np.float64) for name, array in arrays.items()}


def mean_net(nets: Sequence[Arrays]) -> Arrays:
    """The mean of several nets as one: first layers on top of each other, second ones on a diagonal, outputs shared."""
    nets = [doubled(arrays) for arrays in nets]
    if len(nets) == 1:
        return nets[0]
    blocks = [arrays["hidden2.weight"] for arrays in nets]
    diagonal = np.zeros(np.sum([block.shape for block in blocks], axis=0))
    row = column = 0
    for block in blocks:
        diagonal[row : row + block.shape[0], column : column + block.shape[1]] = block
        row, column = row + block.shape[0], column + block.shape[1]
    return {
        "hidden1.weight": np.concatenate([arrays["hidden1.weight"] for arrays in nets]),
        "hidden1.bias": np.concatenate([arrays["hidden1.bias"] for arrays in nets]),
        "hidden2.weight": diagonal,
        "hidden2.bias": np.concatenate([arrays["hidden2.bias"] for arrays in nets]),
        "output.weight": np.concatenate([arrays["output.weight"] for arrays in nets], axis=1) / len(nets),
        "output.bias": np.mean([arrays["output.bias"] for arrays in nets], axis=0),
    }


def net_scores(arrays: Arrays, attention: np.ndarray, qualities: np.ndarray) -> np.ndarray:
    return np.array([net_score(arrays, attention, quality) for quality in qualities])


def order(scores: np.ndarray, numbers: np.ndarray) -> list[int]:
    """Items in the order of ranking: higher score first, then smaller number."""
    return [int(number) for _, number in sorted(zip(-scores, numbers, strict=True))]


def shared_scores(arrays: Arrays, attention: np.ndarray, qualities: np.ndarray) -> np.ndarray:
    """Scores in which equal vectors have equal scores by construction."""
    known: dict[bytes, float] = {}
    for quality in qualities:
        known.setdefault(quality.tobytes(), net_score(arrays, attention, quality))
    return np.array([known[quality.tobytes()] for quality in qualities])


def beyond(score: float, target: float, direction: str, margin: float) -> float:
    """How far a score lies across its target and the margin; above 0 where it flips."""
    return target - margin - score if direction == "lower" else score - target - margin


def rounding(arrays: Arrays, attention: np.ndarray, quality: np.ndarray) -> float:
    """What single precision may be off by: half a unit in the last place of everything that a score adds up."""
    arrays, size = doubled(arrays), np.abs(np.concatenate([attention, quality]).astype(np.float64))
    for layer in ("hidden1", "hidden2", "output"):
        size = np.abs(arrays[f"{layer}.weight"]) @ size + np.abs(arrays[f"{layer}.bias"])
    return float(size[0]) * 2.0**-24


class Move:
    """One aspect of one pair, moved from no change, at share 0, to all of its reach, at share 1.

    The first layer's input is a straight line, ``start + share · slope``. Between two places where one of its units
    switches, the second layer's input is a straight line; and between two places where one of *its* units switches,
    so is the score.
    """

    def __init__(self, arrays: Arrays, attention: np.ndarray, quality: np.ndarray, aspect: int, reach: float) -> None:
        self.arrays = doubled(arrays)
        inputs = np.concatenate([attention, quality]).astype(np.float64)
        self.start = self.arrays["hidden1.weight"] @ inputs + self.arrays["hidden1.bias"]
        self.slope = self.arrays["hidden1.weight"][:, len(attention) + aspect] * float(reach)

    def second(self, share: float) -> np.ndarray:
        """The second layer's input."""
        first = np.maximum(self.start + share * self.slope, 0)
        return self.arrays["hidden2.weight"] @ first + self.arrays["hidden2.bias"]

    def score(self, share: float) -> float:
        second = np.maximum(self.second(share), 0)
        return float((self.arrays["output.weight"] @ second + self.arrays["output.bias"])[0])

    def first_layer_kinks(self) -> list[float]:
        kinks = {0.0, 1.0}
        for start, slope in zip(self.start, self.slope, strict=True):
            if slope != 0 and 0 < -start / slope < 1:
                kinks.add(float(-start / slope))
        return sorted(kinks)

    def kinks(self) -> list[float]:
        """All shares at which the score may bend, and both ends."""
        kinks = self.first_layer_kinks()
        inner = []
        for low, high in pairwise(kinks):
            for a, e in zip(self.second(low), self.second(high), strict=True):
                if a * e < 0:
                    inner.append(float(low + (high - low) * a / (a - e)))
        return sorted({*kinks, *inner})

    def first_crossing(self, beyond: Callable[[float], float]) -> float:
        """The least share at which ``beyond(score)``, a straight line, is above 0; infinite where it never is."""
        kinks = self.kinks()
        values = [beyond(self.score(share)) for share in kinks]
        if values[0] > 0:
            return 0.0
        for (low, before), (high, after) in pairwise(zip(kinks, values, strict=True)):
            if after > 0:
                return low + (high - low) * -before / (after - before)
        return float("inf")


def moves(lowest: np.ndarray, highest: np.ndarray) -> list[tuple[int, float]]:
    """Every (aspect, reach) of a single change; an aspect that may fall and rise has two."""
    below = [(aspect, float(reach)) for aspect, reach in enumerate(lowest) if reach < 0]
    return below + [(aspect, float(reach)) for aspect, reach in enumerate(highest) if reach > 0]


def changes_at_bounds(lowest: np.ndarray, highest: np.ndarray, aspects: Iterable[int]) -> Iterator[np.ndarray]:
    """Every change that has exactly these aspects at a bound: one, unless an aspect may fall and rise."""
    chosen = list(aspects)
    for ends in product(*([end for end in (lowest[a], highest[a]) if end != 0] for a in chosen)):
        change = np.zeros(len(lowest))
        change[chosen] = ends
        yield change


def sets_of(aspects: Iterable[int], size: int) -> Iterator[tuple[int, ...]]:
    return combinations([int(aspect) for aspect in aspects], size)


Score = Callable[[int, int, np.ndarray], float]
"""The score of a user and an item, by number, if the item had these qualities."""


def net_of(arrays: Arrays, X: np.ndarray) -> Score:
    """A net as a score, in double precision."""
    arrays = doubled(arrays)
    return lambda user, item, quality: net_score(arrays, X[user], np.asarray(quality, dtype=np.float64))


def with_offsets(score: Score, offsets: np.ndarray | None) -> Score:
    """A score plus what each pair gets whatever its aspects are [users, items]."""
    if offsets is None:
        return score
    table = np.asarray(offsets, dtype=np.float64)
    return lambda user, item, quality: score(user, item, quality) + float(table[user, item])


def offset_rounding(offsets: np.ndarray | None, user: int) -> float:
    """What adding an offset may be off by: half a unit in its last place, and in that of the sum."""
    return 0.0 if offsets is None else float(np.abs(offsets[user]).max()) * 2.0**-23


def alignment_of(X: np.ndarray) -> Score:
    """The simplest score, Σ_k X_k · Y_k."""
    return lambda user, item, quality: float(X[user].astype(np.float64) @ np.asarray(quality, dtype=np.float64))


def net_noise(arrays: Arrays, X: np.ndarray, largest: np.ndarray | float = 5.0) -> Callable[[int], float]:
    """Per user what single precision may be off by, for qualities up to the largest; ×4, for sums taken in parts."""
    return lambda user: 4 * rounding(arrays, X[user], np.broadcast_to(largest, X.shape[1]))


def scored(score: Score, user: int, items: np.ndarray, qualities: np.ndarray) -> np.ndarray:
    """Every item scored by itself, so that equal vectors have equal scores if the score uses nothing else."""
    return np.array([score(user, int(item), quality) for item, quality in zip(items, qualities, strict=True)])


def qualities_with(Y: np.ndarray, items: np.ndarray, changes: Mapping[int, np.ndarray]) -> np.ndarray:
    """The qualities of the items after these changes."""
    qualities = Y[items].astype(np.float64)
    for item, quality in changes.items():
        qualities[items == item] = quality
    return qualities


def ranked(score: Score, Y: np.ndarray, user: int, items: np.ndarray, changes: Mapping[int, np.ndarray]) -> list[int]:
    """All these items in their order after these changes."""
    return order(scored(score, user, items, qualities_with(Y, items, changes)), items)


def stays(
    score: Score,
    Y: np.ndarray,
    user: int,
    rivals: np.ndarray,
    item: int,
    k: int,
    kept: np.ndarray,
    *,
    noise: float,
    aspects_only: bool,
    absent: np.ndarray | float = 0.0,
    offsets: np.ndarray | None = None,
    ties_lost: bool = False,
) -> bool | None:
    """Whether an item is among the first K if all aspects but those kept were absent for all; None where in doubt.

    In doubt are scores of different vectors that are nearer to each other than single precision can tell. ``offsets``
    [items] are those of a score that consists of them and of aspects.
    """
    qualities = np.where(kept, Y[rivals].astype(np.float64), absent)
    scores, own = scored(score, user, rivals, qualities), np.flatnonzero(rivals == item)[0]
    equal = (qualities == qualities[own]).all(axis=1) & (aspects_only or offsets is not None)
    if offsets is not None:
        equal &= offsets[rivals] == offsets[item]
    above = scores - scores[own]
    ties = equal | ((above == 0) & (noise == 0))
    tied_before = int((ties & (rivals != item) & ((rivals < item) | ties_lost)).sum())
    surely = int((~ties & (above > noise)).sum()) + tied_before
    possibly = int((~ties & (above >= -noise) & (rivals != item)).sum()) + tied_before
    if surely >= k:
        return False
    return True if possibly < k else None


@dataclass(frozen=True)
class Given:
    """A target and costs that are given, where they do not follow from the kind of the question; bounds, if given."""

    target: float
    """NaN where there is none."""
    direction: str
    costs: np.ndarray
    """Per span of an aspect."""
    bounds: tuple[np.ndarray, np.ndarray] | None = None
    """Of the change, below and above."""


@dataclass(frozen=True)
class Pair:
    """A user, an item and its rivals (itself included), and what is asked of them, all in plain arithmetic.

    For *why rather* the rivals are the two items and the list has one place.
    """

    kind: str
    score: Score
    Y: np.ndarray
    attention: np.ndarray
    user: int
    item: int
    rivals: np.ndarray
    k: int
    noise: float
    """What single precision may change in a score."""
    aspects_only: bool = True
    margin: float = SHARE
    """The share of the spread of the scores that a flip clears."""
    rules: Rules = FREE
    net: Arrays | None = None
    """The net behind the score, where there is one: its moves can be followed exactly."""
    given: Given | None = None
    scale: Scale | None = None
    """None: the scale of reviews, with five stars."""
    candidates: np.ndarray | None = None
    """All that compete for the user's list, if these are not the rivals: their scores make the margin."""
    offsets: np.ndarray | None = None
    """What the score of each item [items] has whatever its aspects are, if it consists of this and of aspects."""
    ranker: PlainRanker | None = None
    """What makes lists, if they are not the first K."""
    monotone: bool = True
    """Whether a higher score never does an item harm under the ranker."""
    versus: int | None = None
    """Under a ranker: the item that this one is compared with."""

    @cached_property
    def before(self) -> np.ndarray:
        return self.Y[self.item]

    @cached_property
    def on(self) -> Scale:
        return Scale.reviews(len(self.before)) if self.scale is None else self.scale

    @cached_property
    def others(self) -> tuple[np.ndarray, np.ndarray]:
        """The other rivals and their scores, which no change of this item can change."""
        items = self.rivals[self.rivals != self.item]
        return items, scored(self.score, self.user, items, self.Y[items])

    @cached_property
    def target(self) -> float:
        """The given one, or the Kth best score of the others; minus infinity where there are fewer."""
        if self.given is not None:
            return self.given.target
        if self.ranker is not None:
            return self._threshold()
        best = sorted(self.others[1], reverse=True)
        return float(best[self.k - 1]) if len(best) >= self.k else float("-inf")

    def _threshold(self) -> float:
        """Under a ranker, the score that decides: halved down to it; infinite where any score does, or none."""
        if not self.monotone:
            return float("nan")
        far = 10 + 1e3 * float(np.abs(self.scores).max())
        low, high = -far, far
        if self.stands_at(low) or not self.stands_at(high):
            return float("-inf") if self.stands_at(low) else float("inf")
        for _ in range(130):  # down to rounding in double precision
            middle = (low + high) / 2
            low, high = (low, middle) if self.stands_at(middle) else (middle, high)
        return high

    def stands_at(self, score: float) -> bool:
        """Under a ranker: whether the item, with this score, is in the list, or before the other one in all."""
        items, scores = self.others
        return stands(self.ranker, self.user, np.append(items, self.item), np.append(scores, score), self)

    @property
    def has_target(self) -> bool:
        if self.ranker is not None:
            return len(self.rivals) > self.k or self.rises or self.versus is not None
        return bool(np.isfinite(self.target))

    @cached_property
    def clearance(self) -> float:
        """The margin."""
        return margin_of(self.scores, self.margin)

    @cached_property
    def scores(self) -> np.ndarray:
        """Of all that compete."""
        competing = self.rivals if self.candidates is None else self.candidates
        return scored(self.score, self.user, competing, self.Y[competing])

    @cached_property
    def slack(self) -> float:
        """One hundredth of the margin; more only where single precision cannot resolve a hundredth of it.

        It cannot where this is less than four units in the last place of the largest score, a quarter of any margin.
        """
        return max(0.01 * self.clearance, self.noise, 0.25 * margin_of(self.scores, 0.0))

    @property
    def rises(self) -> bool:
        """Whether the score has to rise to make what is asked for true."""
        return self.kind == "why_not" if self.given is None else self.given.direction == "raise"

    def lead(self, after: np.ndarray) -> float:
        """By how much the item is above the Kth best of the others: above 0 it is in the list, below 0 it is not."""
        if self.ranker is not None and not np.isfinite(self.target):
            return 1.0 if self.stands_at(self.score(self.user, self.item, after)) else -1.0
        return self.score(self.user, self.item, after) - self.target

    def truth(self, after: np.ndarray) -> float:
        """By how much what is asked for is true: that the item is in the list (*why not*), or that it is not."""
        return self.lead(after) if self.rises else -self.lead(after)

    def beyond(self, change: np.ndarray) -> float:
        """By how much a change clears the margin; above 0 where it flips."""
        return self.beyond_at(self.before + change)

    def beyond_at(self, after: np.ndarray) -> float:
        """The same, by the values after the change."""
        return self.beyond_score(self.score(self.user, self.item, after))

    def beyond_score(self, score: float) -> float:
        if self.ranker is not None and not self.monotone:
            return self._moved(score)
        return beyond(score, self.target, "raise" if self.rises else "lower", self.clearance)

    def _moved(self, score: float) -> float:
        """Above 0 where the list says that a score flips, and a margin away from it, too; 0 where that is in doubt."""

        def flips(room: float) -> bool:
            return all(self.stands_at(score + away) == self.rises for away in (0.0, -room, room))

        if flips(self.clearance + 2 * self.slack):
            return 1.0
        return 0.0 if flips(max(0.0, self.clearance - 2 * self.slack)) else -1.0

    def listed(self, after: np.ndarray) -> bool:
        """Whether the item is among the first K when all rivals are ranked anew."""
        numbers, scores = self.others
        if self.ranker is not None:
            return self.stands_at(self.score(self.user, self.item, after))
        own = self.score(self.user, self.item, after)
        return self.item in order(np.append(scores, own), np.append(numbers, self.item))[: self.k]

    def is_true(self, after: np.ndarray) -> bool | None:
        """Whether what is asked for is true by ranking anew; None where the target is no rival's score."""
        return None if self.given is not None else self.listed(after) == self.rises

    @property
    def other(self) -> int:
        """The item that this one is compared with."""
        return int(self.others[0][0]) if self.versus is None else self.versus

    def _limits(self, aspect: int) -> tuple[float, float]:
        """The least and the greatest possible value; the least of a worsening depends on the item's own opinions."""
        least, greatest = self.on.limits(self.Y, aspect)
        return (self.on.lowest(self.Y, self.item, aspect) if self.kind in ("why", "why_rather") else least), greatest

    @cached_property
    def ways(self) -> list[Way]:
        """Where each aspect may go."""
        other = self.Y[self.other] if self.kind.startswith("why_rather") else self.before
        way = Way if self.on.attributes is None else AttributeWay
        return [
            way(
                *(self.kind, aspect, float(self.before[aspect]), float(other[aspect]), bool(self.attention[aspect])),
                *(self.rules, self.on, self._limits(aspect), self.item),
            )
            for aspect in range(len(self.before))
        ]

    @cached_property
    def bounds(self) -> tuple[np.ndarray, np.ndarray]:
        """How far each aspect may move, below and above, without becoming absent where that is an exception."""
        return self._bounds(absent_allowed=False)

    @cached_property
    def wide_bounds(self) -> tuple[np.ndarray, np.ndarray]:
        """The same where aspects may also become absent."""
        return self._bounds(absent_allowed=True)

    def _bounds(self, absent_allowed: bool) -> tuple[np.ndarray, np.ndarray]:
        if self.given is not None and self.given.bounds is not None:
            return self.given.bounds
        room = [[end - way.own for end in way.ends(absent_allowed)] for way in self.ways]
        return np.array([min([0.0, *some]) for some in room]), np.array([max([0.0, *some]) for some in room])

    def whole_changes(self, aspects: Iterable[int], *, absent: bool = False) -> Iterator[np.ndarray]:
        """Every change that moves exactly these aspects, each as far as it goes or, of a category, to any value."""
        if not self.valued:
            yield from changes_at_bounds(*(self.wide_bounds if absent else self.bounds), aspects)
            return
        chosen = list(aspects)
        for ends in product(*(self.ways[aspect].ends(absent) for aspect in chosen)):
            change = np.zeros(len(self.before))
            change[chosen] = np.array(ends) - self.before[chosen].astype(np.float64)
            yield change

    @property
    def valued(self) -> bool:
        """Whether aspects are attributes, of which every value is known."""
        return self.on.attributes is not None

    @cached_property
    def costs(self) -> np.ndarray:
        """The cost of a change by 1 of each aspect."""
        if self.given is not None:
            return self.given.costs / self.on.span
        return np.array([self.rules.costs.get(aspect, 1.0) for aspect in range(len(self.before))]) / self.on.span

    def cost(self, aspect: int, change: float) -> float:
        """What a change of one aspect costs, per span; to or from an absent that is a mere sign, that of one span."""
        before, (least, greatest) = float(self.before[aspect]), self.ways[aspect].limits
        if self.on.attributes is not None and self.on.attributes[aspect].step is None:
            return float(self.costs[aspect]) * self.on.attributes[aspect].move_cost(before, before + change)
        room = 1e-5 * float(self.on.span[aspect])
        gone = not least - room <= before + change <= greatest + room or before == float(self.on.absent[aspect])
        if change and gone and self.on.ceiling is None and self.rules.values == "reachable":
            return float(self.costs[aspect] * self.on.span[aspect])
        return abs(change) * float(self.costs[aspect])

    @cached_property
    def counted(self) -> bool:
        """Whether aspects can only have the values that whole numbers of opinions give."""
        bounded = self.given is not None and self.given.bounds is not None
        return not bounded and all(way.counted for way in self.ways)

    @cached_property
    def movable(self) -> list[int]:
        return self._movable(self.bounds)

    @cached_property
    def wide_movable(self) -> list[int]:
        return self._movable(self.wide_bounds)

    def _movable(self, bounds: tuple[np.ndarray, np.ndarray]) -> list[int]:
        return [int(aspect) for aspect in np.flatnonzero((bounds[0] < 0) | (bounds[1] > 0))]

    def impossible(self, after: np.ndarray, *, absent_allowed: bool) -> list[str]:
        """Which values after a change are not such as it may lead to, and whether too many aspects have moved."""
        moved = np.flatnonzero(self.before != after).tolist()
        found = [
            f"aspect {aspect} from {self.before[aspect]!r} to {after[aspect]!r}"
            for aspect in moved
            if not self.ways[aspect].possible(float(after[aspect]), absent_allowed)
        ]
        many = self.rules.most is not None and len(moved) > self.rules.most
        return [*found, f"{len(moved)} aspects move"] if many else found

    @cached_property
    def absent_allowed(self) -> bool | None:
        """Whether aspects may also become absent: no few aspects at their bounds flip; None where in doubt."""
        if self.rises or self.rules.few is None:
            return False
        nearest = max(
            (
                self.beyond(change)
                for size in range(1, self.rules.few + 1)
                for chosen in sets_of(self.movable, size)
                for change in self.whole_changes(chosen)
            ),
            default=-np.inf,
        )
        return None if abs(nearest) <= self.slack else nearest < 0

    def flips_at_bounds(self, aspects: Iterable[int], *, absent: bool = False) -> bool:
        """Whether these aspects at their bounds clear the margin, beyond all doubt; or absent, where they may be."""
        return any(self.beyond(change) > self.slack for change in self.whole_changes(aspects, absent=absent))

    def fewest_at_bounds(self, below: int | None = None, *, absent: bool = False) -> tuple[int, ...] | None:
        """The first of the smallest sets, of fewer than ``below`` aspects, that surely flips at its bounds."""
        movable = self.wide_movable if absent else self.movable
        most = len(movable) if self.rules.most is None else min(self.rules.most, len(movable))
        for size in range(1, most + 1 if below is None else below):
            for chosen in sets_of(movable, size):
                if self.flips_at_bounds(chosen, absent=absent):
                    return chosen
        return None

    def single_flips(self, aspect: int, slack: float, *, absent: bool = False) -> float:
        """The least cost of a change of this aspect that clears the margin by this much; infinite if none does.

        Exact where values are counted, and for a net; for any other score, the cheapest on a grid.
        """
        costs = [np.inf]
        stops = self.ways[aspect].stops(absent) if self.counted or self.valued else None
        if stops is not None:
            for value in stops:
                after = self.before.astype(np.float64)
                after[aspect] = value
                if self.beyond_at(after) > slack:
                    costs.append(self.cost(aspect, value - float(self.before[aspect])))
            return min(costs)
        for moved, reach in moves(*(self.wide_bounds if absent else self.bounds)):
            if moved == aspect:
                share = self._first_share(aspect, reach, slack)
                costs.append(self.cost(aspect, share * reach) if np.isfinite(share) else np.inf)
        return min(costs)

    def cheapest_single(self, slack: float, *, absent: bool = False) -> float:
        """The least cost of a change of any one aspect that clears the margin by this much; infinite if none does."""
        movable = self.wide_movable if absent else self.movable
        return min((self.single_flips(aspect, slack, absent=absent) for aspect in movable), default=np.inf)

    def _first_share(self, aspect: int, reach: float, slack: float, steps: int = 40) -> float:
        if self.net is not None:
            move = Move(self.net, self.attention, self.before, aspect, reach)
            offset = 0.0 if self.offsets is None else float(self.offsets[self.item])
            return move.first_crossing(lambda score: self.beyond_score(score + offset) - slack)
        change = np.zeros(len(self.before))
        for share in np.linspace(0, 1, steps):
            change[aspect] = share * reach
            if self.beyond(change) > slack:
                return float(share)
        return float("inf")

    def flips_for_less(self, cost: float, only: int | None = None, steps: int = 40) -> bool:
        """Whether a change of one aspect (if given, of this one) that costs less flips, on a grid, beyond all doubt."""
        for aspect, reach in moves(*self.bounds):
            if only not in (None, aspect):
                continue
            change = np.zeros(len(self.before))
            nearer = np.linspace(0, min(1.0, 0.998 * cost / (self.costs[aspect] * abs(reach))), steps)
            for share in [*nearer, *np.linspace(0, 1, steps)]:
                change[aspect] = share * reach
                if self.cost(aspect, share * reach) <= 0.998 * cost and self.beyond(change) > self.slack:
                    return True
        return False

    def necessary(self, named: np.ndarray) -> bool | None:
        """Whether the item leaves the list with these aspects absent for all; None where in doubt."""
        stays = self._stays(~named)
        return None if stays is None else not stays

    def sufficient(self, named: np.ndarray) -> bool | None:
        """Whether the item stays in the list with all other aspects absent for all; None where in doubt.

        Never if it stays with no aspect at all, every tie lost, for something else than its aspects.
        """
        nothing, only_aspects = np.zeros_like(named), self.aspects_only and self.ranker is None
        stays, anyway = self._stays(named), False if only_aspects else self._stays(nothing, ties_lost=True)
        if stays is False or anyway is True:
            return False
        return None if stays is None or anyway is None else True

    def _stays(self, kept: np.ndarray, ties_lost: bool = False) -> bool | None:
        if self.ranker is not None:
            return self._stays_in_list(kept, ties_lost)
        return stays(
            *(self.score, self.Y, self.user, self.rivals, self.item, self.k, kept),
            noise=self.noise,
            aspects_only=self.aspects_only,
            absent=self.on.absent if self.on.without is None else self.on.without,
            offsets=self.offsets,
            ties_lost=ties_lost,
        )

    def _stays_in_list(self, kept: np.ndarray, ties_lost: bool) -> bool | None:
        """The same under a ranker: the list is made anew; in doubt where different vectors have nearly one score."""
        qualities = np.where(kept, self.Y[self.rivals].astype(np.float64), self.on.absent)
        scores = scored(self.score, self.user, self.rivals, qualities)
        apart = np.abs(scores[:, None] - scores[None])
        if ((apart > 0) & (apart <= 2 * self.noise)).any():
            return None
        own = int(np.flatnonzero(self.rivals == self.item)[0])
        scores[own] -= ties_lost * 1e-9 * max(1.0, abs(scores[own]))
        return stands(self.ranker, self.user, self.rivals, scores, self)


PlainRanker = Callable[[int, list[int], list[float], int], list[int]]
"""From a user, items, their scores and K to the list."""


def stands(ranker: PlainRanker, user: int, items: np.ndarray, scores: np.ndarray, pair: Pair) -> bool:
    """Whether the item of a pair is in the list or, if it is compared with another, before that in the whole order."""
    numbers, values = [int(item) for item in items], [float(score) for score in scores]
    first = ranker(user, numbers, values, pair.k)
    if pair.versus is None:
        return pair.item in first
    longer = [item for item in ranker(user, numbers, values, len(numbers)) if item not in first]
    rest = [item for item in order(np.array(values), np.array(numbers)) if item not in first and item not in longer]
    whole = [*first, *longer, *rest]
    return whole.index(pair.item) < whole.index(pair.versus)


def first_k(user: int, items: list[int], scores: list[float], k: int) -> list[int]:
    """No rule at all."""
    del user
    return [item for _, item in sorted(zip([-score for score in scores], items, strict=True))][:k]


def capped(groups: Sequence[int], most: int) -> PlainRanker:
    """At most so many of a group; −1 is no group."""

    def ranked(user: int, items: list[int], scores: list[float], k: int) -> list[int]:
        taken: list[int] = []
        for item in first_k(user, items, scores, len(items)):
            same = [other for other in taken if groups[other] == groups[item] != -1]
            if len(same) < most and len(taken) < k:
                taken.append(item)
        return taken

    return ranked


def unseen(seen: Mapping[int, set[int]], then: PlainRanker = first_k) -> PlainRanker:
    """Only what the user has not seen."""

    def ranked(user: int, items: list[int], scores: list[float], k: int) -> list[int]:
        new = [place for place, item in enumerate(items) if item not in seen.get(user, set())]
        return then(user, [items[place] for place in new], [scores[place] for place in new], k)

    return ranked


def spread_out(categories: Sequence[int]) -> PlainRanker:
    """The best of each category in turn: an item with a higher score may find its category full of better ones."""

    def ranked(user: int, items: list[int], scores: list[float], k: int) -> list[int]:
        waiting, taken = first_k(user, items, scores, len(items)), list[int]()
        while waiting and len(taken) < k:
            fresh = [item for item in waiting if categories[item] not in {categories[other] for other in taken[-2:]}]
            taken.append((fresh or waiting)[0])
            waiting.remove(taken[-1])
        return taken

    return ranked
