"""What a corpus tells about its words: which are nouns, which are frequent, which two go together."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from counterec.extraction.reading import canonical, classes, read
from counterec.extraction.sentences import Token
from counterec.extraction.words import NOUN

_NOUN_FOLLOWS = frozenset("DOAPT")
_VERB_FOLLOWS = frozenset("IMGKRB")
_EITHER_FOLLOWS = frozenset({"no", "more", "most", "much", "enough", "less"})


@dataclass(frozen=True, slots=True)
class VocabularyRules:
    """When a corpus says enough about a word."""

    frequent_share: float = 1e-4
    """A noun is frequent from this many occurrences a sentence..."""
    frequent_count: int = 10
    """...or from this many occurrences, however large the corpus."""
    least_noun_share: float = 0.5
    """A noun stands after determiners, adjectives and prepositions in this share of telling places, or more."""
    most_name_share: float = 0.5
    """A word with a capital inside sentences more often than this is a name."""
    item_share: float = 0.1
    """The reviewed thing itself follows "this" in this share of its occurrences..."""
    item_sentences: float = 0.015
    """...and in this share of all sentences."""
    least_evidence: int = 5
    """A word is taken for a name, or for the reviewed thing, from this many such occurrences."""
    compound_share: float = 0.1
    """Two nouns are one aspect if the first stands before this share of the second's occurrences..."""
    least_compound: int = 3
    """...in this many places or more, and more often than chance would have it."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The nouns of a corpus, by canonical name."""

    frequent: frozenset[str]
    """The words frequent enough to be aspects."""
    not_nouns: frozenset[str]
    """Verbs, names, and the reviewed thing itself, which is no aspect of itself."""
    compounds: frozenset[tuple[str, str]]
    """Two-word aspects: the first word as written, in lower case, and the second's name."""


@dataclass(slots=True)
class _Counts:
    sentences: int = 0
    seen: Counter[str] = field(default_factory=Counter)
    inside: Counter[str] = field(default_factory=Counter)
    as_noun: Counter[str] = field(default_factory=Counter)
    as_verb: Counter[str] = field(default_factory=Counter)
    as_name: Counter[str] = field(default_factory=Counter)
    as_item: Counter[str] = field(default_factory=Counter)
    together: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, text: str) -> None:
        for sentence in read(text):
            self.sentences += 1
            letters = classes(sentence)
            for at, letter in enumerate(letters):
                if letter == NOUN:
                    self.seen[canonical(sentence[at].word)] += 1
                    if at > 0:
                        self._add_inside(text, sentence, letters, at)

    def _add_inside(self, text: str, sentence: list[Token], letters: str, at: int) -> None:
        """Count a noun by the word before it, and by its capital."""
        name, before, letter = canonical(sentence[at].word), sentence[at - 1].word, letters[at - 1]
        written = text[sentence[at].start : sentence[at].end]
        self.inside[name] += 1
        self.as_name[name] += written[0].isupper() and not written.isupper()
        self.as_item[name] += before in ("this", "these")
        if before == "to" or (letter in _VERB_FOLLOWS and before not in _EITHER_FOLLOWS):
            self.as_verb[name] += 1
        elif letter in _NOUN_FOLLOWS:
            self.as_noun[name] += 1
        elif letter == NOUN:
            self.together[before, name] += 1


def learn(texts: Iterable[str], rules: VocabularyRules) -> Vocabulary:
    """Learn the vocabulary of some texts, in any order."""
    counts = _Counts()
    for text in texts:
        counts.add(text)
    required = min(rules.frequent_count, math.ceil(rules.frequent_share * counts.sentences))
    not_nouns = {name for name in counts.seen if _is_no_aspect(name, counts, rules)}
    return Vocabulary(
        frequent=frozenset(name for name, count in counts.seen.items() if count >= required),
        not_nouns=frozenset(not_nouns),
        compounds=frozenset(
            pair
            for pair in counts.together
            if not_nouns.isdisjoint((canonical(pair[0]), pair[1])) and _is_compound(pair, counts, rules, required)
        ),
    )


def _is_no_aspect(name: str, counts: _Counts, rules: VocabularyRules) -> bool:
    noun, verb = counts.as_noun[name], counts.as_verb[name]
    # Two places in three are assumed before any is seen, so that a rare word needs two against it.
    is_verb = (noun + 2) / (noun + verb + 3) < rules.least_noun_share
    is_name = counts.as_name[name] > max(rules.least_evidence - 1, rules.most_name_share * counts.inside[name])
    is_item = counts.as_item[name] >= max(
        rules.least_evidence, rules.item_sentences * counts.sentences, rules.item_share * counts.seen[name]
    )
    return is_verb or is_name or is_item


def _is_compound(pair: tuple[str, str], counts: _Counts, rules: VocabularyRules, required: int) -> bool:
    count, first, second = counts.together[pair], counts.seen[canonical(pair[0])], counts.seen[pair[1]]
    by_chance = first * second / counts.sentences
    return count > by_chance and count >= max(rules.least_compound, required, rules.compound_share * second)
