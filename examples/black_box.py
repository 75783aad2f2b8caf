"""Any Python function can be explained: the goals *minimal* and *complete* ask it for scores and nothing else."""

import numpy as np

from counterec import AspectScale, AspectSpace, Candidates, CountER, PairBatch, Vocabulary, rank, why
from counterec.wording import answer_record, sentence


def liking(cares: np.ndarray, offers: np.ndarray, price: float) -> float:
    felt = offers[cares > 0]  # the worst of what this guest cares for spoils the stay
    return float(felt.min() + 0.4 * felt.mean() - price / 100)


class Liking:
    aspects_only = False  # two hotels with equal vectors may still differ, in price
    prices = np.array([95, 140, 80, 70])

    def score(self, pairs: PairBatch) -> np.ndarray:
        return np.array(list(map(liking, pairs.user_attention, pairs.item_quality, self.prices[pairs.items])))


hotels, aspects = ("Albion", "Bellevue", "Crown", "Dolphin"), ("breakfast", "location", "room", "staff")
offers = np.array([[4.6, 3.1, 4.2, 4.8], [4.9, 4.8, 4.4, 4.1], [3.2, 4.5, 3.0, 3.9], [2.5, 4.7, 2.9, 3.3]])
names = Vocabulary("user", ("Ada",)), Vocabulary("item", hotels), Vocabulary("aspect", aspects)
space = AspectSpace(*names, np.array([[3.0, 0.0, 4.0, 2.0]]), offers, AspectScale.of_reviews(4))
question = why(space, rank(Liking(), space, Candidates.without(4, [[]]), k=2))
answers = CountER(Liking()).explain(question)
for row in range(len(answers)):
    print(sentence(answer_record(question, answers, row)))
