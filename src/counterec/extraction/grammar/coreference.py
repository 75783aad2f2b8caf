"""What a pronoun refers to: a noun earlier in its sentence, or the only noun of the sentence before."""

from __future__ import annotations

from counterec.extraction.grammar.dictionary import base_noun
from counterec.extraction.grammar.tagged_sentence import Span, TaggedSentence
from counterec.extraction.grammar.word_list import word_set

_PLURAL = frozenset(("they", "these", "those"))
REFERRING_PRONOUNS = _PLURAL | {"it", "this", "that"}
"""The pronouns that may refer to an aspect."""
_COLLECTIVE = word_set("staff crew team service people management")


def antecedent(sentence: TaggedSentence, pronoun: int) -> Span | None:
    """Return the nouns of the same sentence that a pronoun refers to: the first for *it*, the last for *they*."""
    runs = sentence.noun_runs_before(pronoun)
    if not runs:
        return None
    return runs[-1 if sentence.words[pronoun] in _PLURAL else 0]


def antecedent_in_previous(previous: TaggedSentence, pronoun: str) -> Span | None:
    """Return the only nouns of the sentence before, if they agree with the pronoun in number.

    Nouns after *this* are the reviewed thing itself, and never returned.
    """
    runs = previous.noun_runs_before(len(previous.words))
    if len(runs) != 1:
        return None
    start, end = runs[0]
    last = previous.words[end - 1]
    is_plural = base_noun(last) != last or last in _COLLECTIVE
    is_reviewed_thing = start and previous.words[start - 1] in ("this", "these")
    return None if is_reviewed_thing or is_plural != (pronoun in _PLURAL) else runs[0]
