"""The fewest aspects that flip, then the smallest change of them, with a proof of how small the set is.

Sets are tried with all their aspects at their bounds. A pair first grows a set greedily, by the aspect that brings it
nearest, until it flips. A set of r aspects is *smallest* once every set of fewer aspects has been tried; this is done
where it fits the pair's budget of scorings, and a smaller set that flips takes the place of the first. Otherwise the
set is pruned until no aspect of it can be left out: *irreducible*. Last, the change is shrunk. Only scores are needed,
so this works for any black box.
"""

from __future__ import annotations

from counterec.core.explainers.answer import Proposal
from counterec.core.explainers.minimal.set_problem import PairProblem
from counterec.core.explainers.minimal.set_search import SetSearch
from counterec.core.explainers.minimal.settings import MinimalSettings
from counterec.core.explainers.question import Question
from counterec.core.scorers.protocols import Scorer


def minimal(scorer: Scorer, question: Question, settings: MinimalSettings) -> Proposal:
    """Propose for every pair a change of the fewest aspects that flips or, where there is none, the nearest miss."""
    search = SetSearch(PairProblem(scorer, question), settings)
    found = search.pruned(search.sought(search.proven(search.grown())))
    delta = search.shrunk(found)
    proof = search.proof(found, delta)
    search.fill_in_misses(delta)
    return Proposal.of(delta, proof)
