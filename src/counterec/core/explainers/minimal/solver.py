"""The fewest aspects that flip, then the smallest change of them, with a proof of how small the set is.

Sets are tried with all their aspects at their bounds. A pair first grows a set greedily, by the aspect that brings it
nearest, until it flips. A set of r aspects is *smallest* once every set of fewer aspects has been tried; this is done
where it fits the pair's budget of scorings, and a smaller set that flips takes the place of the first. If the scorer
shows its layers, most sets are ruled out by a bound instead of tried (``screened_sets``). Otherwise the
set is pruned until no aspect of it can be left out: *irreducible*. Of the sets of that size, the most telling is named
(``telling``); where the budget allows, all of them are tried. Last, the change is shrunk. Only scores are needed, so
this works for any black box.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from counterec.core.arrays import IntVector
from counterec.core.explainers.answer import Proposal
from counterec.core.explainers.minimal.set_problem import PairProblem
from counterec.core.explainers.minimal.set_search import SetSearch
from counterec.core.explainers.minimal.settings import MinimalSettings
from counterec.core.explainers.question import Question
from counterec.core.scorers.base import Scorer


def minimal(scorer: Scorer, question: Question, settings: MinimalSettings, telling: bool = False) -> Proposal:
    """Propose for every pair a change of the fewest aspects that flips or, where there is none, the nearest miss."""
    search = SetSearch(PairProblem(scorer, question, telling), settings)
    found = search.pruned(search.compared(search.sought(search.proven(search.grown()))))
    delta = search.shrunk(found)
    proof, alternatives = search.proof(found, delta), search.alternatives(delta)
    search.fill_in_misses(delta)
    return Proposal.of(delta, proof, search.proven_misses(), alternatives=alternatives, tried_below=search.tried_below)


def fewest_aspects(scorer: Scorer, question: Question, settings: MinimalSettings, most: int) -> IntVector:
    """Per pair the number of aspects of the smallest set that flips at its bounds; 0 if none of up to ``most`` does."""
    search = SetSearch(PairProblem(scorer, replace(question, most=most)), settings)
    found = search.sought(search.proven(search.grown()))
    fewest = np.full(len(question), most + 1)
    np.minimum.at(fewest, found.owners, found.sets.sum(axis=1))
    return np.where(fewest > most, 0, fewest)
