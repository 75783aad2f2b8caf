"""A shop shows at most two phones of a brand. That rule decides the list, and so what takes a phone off it."""

import numpy as np

from counterec import AspectScale, AspectSpace, AtMostPerGroup, Candidates, CountER, PairBatch, Vocabulary, rank, why
from counterec.wording import answer_record, sentence


class Total:
    aspects_only = True

    def score(self, pairs: PairBatch) -> np.ndarray:
        return (pairs.user_attention * pairs.item_quality).sum(axis=1)


phones = Vocabulary("item", ("Acme Four", "Acme One", "Acme Two", "Bolt", "Cirrus"))
aspects = Vocabulary("aspect", ("battery", "screen"))
quality = np.array([[4.0, 3.6], [4.8, 4.0], [4.5, 3.8], [3.0, 4.0], [1.4, 3.0]])
space = AspectSpace(Vocabulary("user", ("you",)), phones, aspects, np.ones((1, 2)), quality, AspectScale.of_reviews(2))
everything = Candidates.without(len(phones), [[]])
brands = np.array([0, 0, 0, 1, 2])  # three phones by Acme

for rule in (None, AtMostPerGroup(brands, most=2)):
    lists = rank(Total(), space, everything, k=3, ranker=rule)
    print("without a rule:" if rule is None else "at most two of a brand:")
    question = why(space, lists)
    answers = CountER(Total()).explain(question)
    for row in range(len(answers)):
        print("  ", sentence(answer_record(question, answers, row)))
