"""Why is Phone A recommended? The paper's first figure: the screen is the best match, but the battery decides."""

import numpy as np

from counterec import AspectScale, AspectSpace, Candidates, Constraints, CountER, PairBatch, Vocabulary, rank, why
from counterec.wording import answer_record, sentence


class Total:
    aspects_only = True  # a score depends on the two vectors alone

    def score(self, pairs: PairBatch) -> np.ndarray:
        return (pairs.user_attention * pairs.item_quality).sum(axis=1)


phones = Vocabulary("item", ("Phone A", "Phone B", "Phone C", "Phone D"))
aspects = Vocabulary("aspect", ("battery", "price", "screen"))
cares = np.array([[5.0, 3.0, 4.0]])
quality = np.array([[3.0, 3.0, 4.5], [2.0, 2.5, 5.0], [1.5, 3.0, 4.8], [1.0, 4.0, 4.6]])
space = AspectSpace(Vocabulary("user", ("you",)), phones, aspects, cares, quality, AspectScale.of_reviews(3))

lists = rank(Total(), space, Candidates.without(len(phones), [[]]), k=1)
print(f"{phones.texts[lists.items[0, 0]]} leads with {lists.scores[0, 0]:.1f}; the next has {lists.scores[0, 1]:.1f}.")
question = why(space, lists, constraints=Constraints(values="continuous"))  # any value, as in the paper
answers = CountER(Total(), goal="single", telling=False).explain(question)  # the smallest change
print(sentence(answer_record(question, answers, row=0)))
