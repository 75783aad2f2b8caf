"""What any method could reach with the mask: for which pairs a set of allowed aspects is necessary, or sufficient.

Allowed are the aspects that the user has mentioned and the item has. Where they are few, every set of them is judged;
where they are more, the pair counts as reachable, so that the shares are bounds: with the mask, no method that names
aspects of the item has a higher PN or PS on the same lists.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from counterec.core.arrays import BoolMatrix, BoolVector, IntVector
from counterec.core.attribution.present_aspects import present
from counterec.core.candidates import Candidates
from counterec.core.evaluation.judge_necessity import stays_without_aspects, verdicts
from counterec.core.evaluation.necessity import Necessity
from counterec.core.explainers.answer import NamedAspects
from counterec.core.scorers.protocols import Scorer
from counterec.core.space import AspectSpace

MOST_ALLOWED = 5
"""All sets are judged of pairs with at most so many allowed aspects."""


@dataclass(frozen=True)
class Reachable:
    """One row per pair: whether some set of its allowed aspects is necessary, and whether some is sufficient."""

    necessary: BoolVector
    sufficient: BoolVector
    judged: BoolVector
    """Whether both are settled by sets that were judged; elsewhere True only means that nothing rules it out."""


def joined(parts: Sequence[Reachable]) -> Reachable:
    """The rows of several one after another."""
    names = ("necessary", "sufficient", "judged")
    return Reachable(**{name: np.concatenate([getattr(part, name) for part in parts]) for name in names})


def reachable(
    scorer: Scorer,
    space: AspectSpace,
    candidates: Candidates,
    k: int,
    users: IntVector,
    items: IntVector,
    necessary: BoolVector,
    sufficient: BoolVector,
) -> Reachable:
    """Judge sets of growing size, of the pairs for which the verdicts on an answer leave something open.

    ``necessary`` and ``sufficient`` are these verdicts; no set is sufficient for an item that stays without aspects.
    """
    allowed = allowed_aspects(space, users, items)
    few = allowed.sum(axis=1) <= MOST_ALLOWED
    never_sufficient = stays_without_aspects(scorer, space, candidates, k, users, items)
    found = {"necessary": necessary.copy(), "sufficient": sufficient & ~never_sufficient}
    shared = Necessity(scorer, space, k)
    for size in range(1, MOST_ALLOWED + 1):
        settled = found["necessary"] & (found["sufficient"] | never_sufficient)
        pairs, named = _sets(allowed, np.flatnonzero(few & ~settled), size)
        given = NamedAspects(users[pairs], items[pairs], named, named.astype(np.float32))
        judged = verdicts(scorer, space, candidates, k, given, necessity=shared)
        for name, verdict in found.items():
            verdict[pairs[getattr(judged, name)]] = True
    settled = found["necessary"] & (found["sufficient"] | never_sufficient)
    return Reachable(found["necessary"] | ~few, (found["sufficient"] | ~few) & ~never_sufficient, few | settled)


def allowed_aspects(space: AspectSpace, users: IntVector, items: IntVector) -> BoolMatrix:
    """The aspects of each pair that its user has mentioned and its item has."""
    return np.asarray((space.user_attention[users] != 0) & present(space, items))


def _sets(allowed: BoolMatrix, pairs: IntVector, size: int) -> tuple[IntVector, BoolMatrix]:
    """Every set of so many allowed aspects of these pairs: the pair of each, and the aspects that it names."""
    every = [(pair, list(one)) for pair in pairs for one in combinations(np.flatnonzero(allowed[pair]), size)]
    named = np.zeros((len(every), allowed.shape[1]), dtype=bool)
    for row, (_, aspects) in enumerate(every):
        named[row, aspects] = True
    return np.array([pair for pair, _ in every], dtype=np.int64), named


def told(found: Reachable) -> str:
    """The shares as a line for people."""
    pairs = len(found.judged)
    return (
        f"- with the mask, some set of the allowed aspects is necessary for {found.necessary.sum():,} and sufficient "
        f"for {found.sufficient.sum():,} of {pairs:,} pairs at most; {pairs - found.judged.sum():,} of these have more "
        f"than {MOST_ALLOWED} allowed aspects and count because nothing rules it out"
    )
