"""What a row says stands behind its answer, established again by slow NumPy in double precision.

The two parts of a lead, the past items that carry one of them, the score without aspects, and in how many members the
answer holds. It knows a scorer only by plain functions, and uses nothing of counterec.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from tests import naive

CARRIES, MOST_CARRIERS = 0.1, 3


@dataclass(frozen=True)
class Plain:
    """A scorer in plain arithmetic."""

    score: naive.Score
    Y: np.ndarray
    noise: Callable[[int], float]
    """Per user what single precision may be off by."""
    absent: np.ndarray
    offset: Callable[[int, int], float] | None = None
    """None: it has none."""
    past: Callable[[int, int], Mapping[int, float]] | None = None
    """What each past item of a user adds to the offset of an item; None: it is no sum over them."""
    members: Sequence[naive.Score] | None = None
    """Each with the whole offset; None: it is the mean of nothing."""
    aspects_only: bool = True


@dataclass(frozen=True)
class Said:
    """What a row says; items by number."""

    kind: str
    user: int
    item: int
    other: int | None
    """The item whose score is the target."""
    rivals: np.ndarray
    k: int
    after: np.ndarray
    status: str
    lead_aspects: float | None
    lead_history: float | None
    carried_by: Sequence[int] | None
    score_without_aspects: float | None
    nets: int | None
    nets_agree: int | None
    nets_hold: int | None
    raises: bool = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "raises", self.kind == "why_not")


def untrue(plain: Plain, said: Said) -> list[str]:
    """What is said that is not so. Nothing is judged that single precision cannot resolve."""
    known = said.other is not None and said.status != "failed"
    claims = {**_lead(plain, said), **_without_aspects(plain, said)} if known else _nothing(said)
    claims |= _nets(plain, said)
    return [f"{said.kind} of {said.user}, {said.item}: {claim}" for claim, holds in claims.items() if not holds]


def _nothing(said: Said) -> dict[str, bool]:
    parts = (said.lead_aspects, said.lead_history, said.carried_by, said.score_without_aspects)
    return {"nothing is known of a lead over nothing": parts == (None,) * 4}


def _near(stated: float | None, right: float, room: float) -> bool:
    return stated is not None and abs(stated - right) <= room + 1e-6 * abs(right)


def _lead(plain: Plain, said: Said) -> dict[str, bool]:
    user, item, other = said.user, said.item, said.other
    assert other is not None
    lead = plain.score(user, item, plain.Y[item]) - plain.score(user, other, plain.Y[other])
    room = 4 * plain.noise(user)
    if plain.offset is None:
        alone = _near(said.lead_aspects, lead, room) if plain.aspects_only else said.lead_aspects is None
        return {
            "all of the lead is due to aspects, or nobody knows": alone,
            "no part is history": said.lead_history is None and said.carried_by is None,
        }
    history = plain.offset(user, item) - plain.offset(user, other)
    return {
        "the history part": _near(said.lead_history, history, room),
        "the aspects part": _near(said.lead_aspects, lead - history, room),
        "the carriers": _carried(plain, said, history, room),
    }


def _carried(plain: Plain, said: Said, history: float, room: float) -> bool:
    """The past items with the largest parts of the sign of the history; parts within rounding may swap."""
    if plain.past is None or said.other is None:
        return said.carried_by is None
    if said.carried_by is None:
        return False
    if abs(history) <= room:
        return len(said.carried_by) <= MOST_CARRIERS
    own, other = (plain.past(said.user, item) for item in (said.item, said.other))
    parts = {past: np.sign(history) * (own[past] - other[past]) for past in own}
    least = CARRIES * sum(part for part in parts.values() if part > 0)
    largest = sorted(parts.values(), reverse=True)[:MOST_CARRIERS]
    right = [part for part in largest if part > 0 and part >= least]
    unclear = any(abs(part - least) <= room for part in largest)
    named = [parts.get(past, -np.inf) for past in said.carried_by]
    if len(set(said.carried_by)) < len(named) or (len(named) != len(right) and not unclear):
        return False
    return all(abs(a - b) <= room for a, b in zip(named, largest, strict=False))


def _without_aspects(plain: Plain, said: Said) -> dict[str, bool]:
    if said.raises:
        return {"nothing gets worse": said.score_without_aspects is None}
    right = plain.score(said.user, said.item, plain.absent)
    return {"the score without aspects": _near(said.score_without_aspects, right, 2 * plain.noise(said.user))}


def _nets(plain: Plain, said: Said) -> dict[str, bool]:
    if plain.members is None or said.status != "explained":
        return {"no nets are asked": (said.nets, said.nets_agree, said.nets_hold) == (None, None, None)}
    judged = [_judged(plain, said, member) for member in plain.members]
    agree = [agrees for agrees, _ in judged]
    hold = [_both(agrees, crosses) for agrees, crosses in judged]
    return {
        "all nets are asked": said.nets == len(plain.members),
        "how many agree": _counted(said.nets_agree, agree),
        "in how many it holds": _counted(said.nets_hold, hold),
    }


def _counted(stated: int | None, found: Sequence[bool | None]) -> bool:
    """Whether so many are true, where None may be either."""
    return stated is not None and found.count(True) <= stated <= len(found) - found.count(False)


def _both(a: bool | None, b: bool | None) -> bool | None:
    if a is False or b is False:
        return False
    return None if a is None or b is None else True


def _judged(plain: Plain, said: Said, member: naive.Score) -> tuple[bool | None, bool | None]:
    """Whether the member has the item where it is said to be, and on the other side after the change."""
    before, after = (_listed(plain, said, member, quality) for quality in (plain.Y[said.item], said.after))
    if said.raises:
        return None if before is None else not before, after
    return before, None if after is None else not after


def _listed(plain: Plain, said: Said, member: naive.Score, quality: np.ndarray) -> bool | None:
    """Whether the item, with these qualities, is among the first k of its rivals; None where in doubt."""
    own, noise, surely, perhaps = member(said.user, said.item, quality), plain.noise(said.user), 0, 0
    for rival in said.rivals.tolist():
        if rival == said.item:
            continue
        gap = member(said.user, rival, plain.Y[rival]) - own
        if gap == 0 and np.array_equal(quality, plain.Y[rival]):
            gap = np.inf if rival < said.item else -np.inf
        surely += gap > noise
        perhaps += gap >= -noise
    if perhaps < said.k:
        return True
    return False if surely >= said.k else None
