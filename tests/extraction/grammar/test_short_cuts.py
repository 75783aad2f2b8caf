"""What is skipped because it cannot judge is what would have found nothing."""

from __future__ import annotations

from itertools import product

import pytest

from counterec.extraction import tagged_sentence
from counterec.extraction.extractor import GrammarExtractor
from counterec.extraction.knowledge import Knowledge
from counterec.extraction.lexicon import OPINION_NOUNS, VERBS_OF_FUNCTION, polarity, predicate_polarity, verb_polarity
from counterec.extraction.tagged_sentence import JoinedSentence, TaggedSentence, joined_sentences
from counterec.extraction.words import base_noun, base_verb

SUBJECTS = ["the lid", "it", "this phone's strap", "they", "the open door", "no"]
VERBS = ["does n't", "is", "could", "looks", "never", "would have", "was too", "are not"]
SAID = ["fit", "open", "closed well", "stay clean", "more helpful", "last long", "charging fast", "better", "a must"]
SENTENCES = [" ".join(words) + ", and the top notch case held up" for words in product(SUBJECTS, VERBS, SAID)]
SENTENCES += ["the case would be great if it closed", "I wished for a good strap", "it needs more nice cases"]
LEARNED = Knowledge(polarities={("open", ""): 1, ("fast", "case"): -1}, fitted=True)


def may_judge(word):
    """Whether a word judges something in some class and place."""
    of_verb = verb_polarity(word) or base_verb(word) in VERBS_OF_FUNCTION
    of_noun = word in ("no", "try") or base_noun(word) in OPINION_NOUNS
    return bool(polarity(word) or predicate_polarity(word) or of_verb or of_noun)


@pytest.mark.parametrize("knowledge", [Knowledge(), LEARNED])
def test_verbs_that_judge_only_where_negated_find_nothing_elsewhere(knowledge, monkeypatch):
    extractor = GrammarExtractor(knowledge=knowledge)
    found = extractor.extract(SENTENCES)
    counted = extractor.counted(SENTENCES)
    everything = lambda sentence: [at for at, word in enumerate(sentence.words) if may_judge(word)]  # noqa: E731
    monkeypatch.setattr(JoinedSentence, "judging", everything)
    assert any(found)
    assert extractor.extract(SENTENCES) == found
    assert extractor.counted(SENTENCES) == counted


def test_opinions_without_a_word_that_turns_them_keep_their_sign(monkeypatch):
    tagged = [TaggedSentence(each.words, each.tags()) for text in SENTENCES for each in joined_sentences(text)]
    places = [(sentence, at, own) for sentence in tagged for at in range(len(sentence.words)) for own in (1, -1)]
    judged = [tagged_sentence.polarity_in_context(*place) for place in places]
    monkeypatch.setattr(tagged_sentence, "_TURNING", frozenset(word for each in tagged for word in each.words))
    assert [tagged_sentence.polarity_in_context(*place) for place in places] == judged
