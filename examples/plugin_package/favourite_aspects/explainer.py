"""The explainer *favourites*: worsen what the user cares about most, aspect by aspect, until the item leaves."""

import numpy as np

from counterec import Explanations, Question, Scorer
from counterec.core.explainers.answer import Proposal, verified


class Favourites:
    name = "favourites"

    def __init__(self, scorer: Scorer) -> None:
        self.scorer = scorer

    def explain(self, question: Question) -> Explanations:
        care = question.space.user_attention[question.users]
        order = np.argsort(-np.where(question.movable, care, -1), axis=1, kind="stable")
        delta = np.zeros_like(question.lowest)
        left = np.ones(len(question), dtype=bool)  # the pairs that have not flipped yet
        rows = np.arange(len(question))
        for aspect in order.T:  # lowest is how far each aspect may go down: 0 where it may not move
            delta[rows[left], aspect[left]] = question.lowest[rows[left], aspect[left]]
            left &= ~question.crossed(self.scorer.score(question.changed(delta)))
        return verified(self.scorer, question, Proposal.of(delta))
