"""Whether an opinion praises or blames in its sentence, and where its words begin: negation, "too", wishes."""

from __future__ import annotations

from counterec.extraction.grammar.function_words import NEGATIONS
from counterec.extraction.grammar.tagged_sentence import TaggedSentence
from counterec.extraction.grammar.word_class_patterns import WordClass
from counterec.extraction.grammar.word_list import word_set

_WINDOW = 6
_LIGHT_VERBS = word_set("have get got offer provide give find found seem look feel taste sound think say call be")
_WISHES = frozenset(("wish", "wished", "wishing"))
_NEEDS = frozenset(("need", "needs", "needed"))
_MODALS = word_set("could would should might 'd")
_ABILITY = frozenset(("can", "ca", "cannot"))
_COMPARATIVES = ("er", "worse", "more")

_TURNING = _WISHES | {"would", "more"}
"""Words before an opinion that may turn it; so may a comparative."""

_CLAUSE_ENDS = WordClass.BREAK + WordClass.COLON + WordClass.OPEN + WordClass.CLOSE
_DESCRIBING = WordClass.ADJECTIVE + WordClass.PAST
_NOUNS = WordClass.NOUN + WordClass.GENERAL_NOUN + WordClass.OPINION_NOUN
_VERBS = WordClass.VERB + WordClass.PAST + WordClass.ING
_LISTING = WordClass.COMMA + WordClass.AND
_IN_LIST = WordClass.ADJECTIVE + WordClass.ADVERB + WordClass.TOO + WordClass.OPINION_NOUN
_CARRIES_NOT = WordClass.AUXILIARY + WordClass.COPULA
_ADJECTIVE, _TOO = WordClass.ADJECTIVE.value, WordClass.TOO.value


def negation_before(sentence: TaggedSentence, at: int) -> int | None:
    """Return where the opinion at a position is negated, within its clause; None if it is not."""
    words, tags = sentence.words, sentence.tags
    if NEGATIONS.isdisjoint(words[max(0, at - _WINDOW) : at]):  # as for most opinions
        return None
    describing = tags[at] in _DESCRIBING
    for i in range(at - 1, max(-1, at - 1 - _WINDOW), -1):
        tag = tags[i]
        if tag in _CLAUSE_ENDS:
            return None
        if describing and (
            (tag in _NOUNS and words[i] not in NEGATIONS) or (tag in _VERBS and words[i] not in _LIGHT_VERBS)
        ):
            return None
        if words[i] in NEGATIONS:
            return i
        if tag in _LISTING and not (tags[i + 1] in _IN_LIST and tags[i - 1] == _ADJECTIVE):
            return None
    return None


def polarity_in_context(sentence: TaggedSentence, at: int, own: int) -> tuple[int, int]:
    """Return +1 or -1 for the opinion at a position, given its own polarity, and where its words begin."""
    words, tags = sentence.words, sentence.tags
    negation = negation_before(sentence, at)
    start = at if negation is None else _start(sentence, negation)
    if tags[at] == _ADJECTIVE and is_after_too(sentence, at):
        return (1 if negation is not None and own < 0 else -1), start  # "not too loud", but "not too good"
    if negation is not None and words[at + 1 : at + 2] == ["enough"]:
        return -1, start  # "not loud enough"
    first = max(0, at - _WINDOW - 1)
    before = words[first:at]
    if _TURNING.isdisjoint(before) and not words[at].endswith(_COMPARATIVES):  # as for most opinions
        return (own if negation is None else -own), start
    if words[at].endswith(_COMPARATIVES) or "more" in before:
        modal = next((i for i in range(first, at) if words[i] in _MODALS), None)
        if modal is None and negation is not None and not _ABILITY.isdisjoint(before):
            return own, start  # "can not be happier"
        if modal is not None:
            return (own, start) if negation is not None else (-1, modal)  # "could not be better"; "could be better"
        if not _NEEDS.isdisjoint(before):
            return -1, start  # "needs better speakers"
    if not _WISHES.isdisjoint(before) or ("would" in before and "if" in words[at + 1 : at + 4]):
        return -1, start  # "I wish it were good", "would be great if"
    return (own if negation is None else -own), start


def is_after_too(sentence: TaggedSentence, at: int) -> bool:
    """Whether "too" stands before a word: "too soft" blames, whatever "soft" does."""
    return _TOO in sentence.tags[max(0, at - 2) : at]


def _start(sentence: TaggedSentence, negation: int) -> int:
    """Return where a negation begins: "n't" belongs to the verb before it, as in "does n't"."""
    attached = sentence.words[negation] == "n't" and negation > 0 and sentence.tags[negation - 1] in _CARRIES_NOT
    return negation - 1 if attached else negation
