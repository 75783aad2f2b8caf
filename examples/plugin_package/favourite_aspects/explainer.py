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
        order = np.argsort(-care, axis=1, kind="stable")
        down, up = question.lowest, question.highest  # how far each aspect may move: 0 where it may not
        farthest = np.where(-down > up, down, up)
        delta, left = np.zeros_like(farthest), np.arange(len(question))  # left: the pairs that have not flipped yet
        for place in range(order.shape[1]):
            aspect = order[left, place]
            delta[left, aspect] = farthest[left, aspect]
            left = left[~question.crossed(self.scorer.score(question.changed(delta)))[left]]
        return verified(self.scorer, question, Proposal.of(delta))
