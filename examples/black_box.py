"""Any Python function can be explained: the goal *minimal* asks it for scores and nothing else."""

import numpy as np

from counterec import AspectScale, AspectSpace, Candidates, CountER, PairBatch, Proof, Vocabulary, rank, why

PRICES = {"Albion": 95.0, "Bellevue": 140.0, "Crown": 80.0, "Dolphin": 70.0}


def liking(cares: np.ndarray, offers: np.ndarray, price: float) -> float:
    felt = offers[cares > 0]  # the worst of what this guest cares for spoils the stay
    return float(felt.min() + 0.4 * felt.mean() - price / 100)


class Liking:
    aspects_only = False  # two hotels with equal vectors may still differ, in price

    def score(self, pairs: PairBatch) -> np.ndarray:
        prices = np.array(list(PRICES.values()))[pairs.items]
        return np.array([liking(*row) for row in zip(pairs.user_attention, pairs.item_quality, prices, strict=True)])


users, hotels = Vocabulary("user", ("Ada",)), Vocabulary("item", tuple(PRICES))
aspects = Vocabulary("aspect", ("breakfast", "location", "room", "staff"))
offers = np.array([[4.6, 3.1, 4.2, 4.8], [4.9, 4.8, 4.4, 4.1], [3.2, 4.5, 3.0, 3.9], [2.5, 4.7, 2.9, 3.3]])
space = AspectSpace(users, hotels, aspects, np.array([[3.0, 0.0, 4.0, 2.0]]), offers, AspectScale.of_reviews(4))
lists = rank(Liking(), space, Candidates.without(len(hotels), [[]]), k=2)
answers = CountER(Liking(), goal="minimal").explain(why(space, lists))
for item, delta, proof in zip(answers.items, answers.delta, answers.proof, strict=True):
    moved = [
        f"{aspects.texts[k]} {offers[item, k]:.1f} → {(offers[item] + delta)[k]:.1f}" for k in np.flatnonzero(delta)
    ]
    print(f"{hotels.texts[item]} leaves Ada's list with {', '.join(moved)} (proof: {Proof(proof).label})")
