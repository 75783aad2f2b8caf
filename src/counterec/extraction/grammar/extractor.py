"""The default extractor: word classes from lexicons, constructions over them, and what the corpus teaches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import compress, repeat
from typing import Any

from counterec.extraction.grammar.clauses import Clauses
from counterec.extraction.grammar.coreference import meant_nouns
from counterec.extraction.grammar.corpus import count
from counterec.extraction.grammar.counts import Counts, together
from counterec.extraction.grammar.function_words import GENERAL_NOUNS
from counterec.extraction.grammar.knowledge import Knowledge, KnowledgeRules, concluded
from counterec.extraction.grammar.lexemes import ADJECTIVE
from counterec.extraction.grammar.lexicon import polarity, predicate_polarity, sign_of, turned_pairs
from counterec.extraction.grammar.opinion_link import NAMED_BY_VERBS, OTHERWISE, POINTING_BACK, Tie
from counterec.extraction.grammar.opinion_links import judges, learned_ties, ties
from counterec.extraction.grammar.phrases import Reading, read
from counterec.extraction.grammar.sign import sentiment
from counterec.extraction.grammar.terms import LONGEST_NAME, name_words, reach
from counterec.extraction.grammar.word_classes import base, settled
from counterec.extraction.protocol import Mention

Name = tuple[str, ...]


@dataclass(frozen=True)
class GrammarExtractor:
    """Finds nouns and the opinions that English grammar ties to them.

    Unfitted, it knows English alone. Fitted, it also knows the corpus's names and items, which are no aspects, its
    terms of several words, its misspellings, and what its adjectives mean there.
    """

    name = "grammar"  # not a field: what is frozen cannot be the protocol's plain attribute

    rules: KnowledgeRules = field(default_factory=KnowledgeRules)
    knowledge: Knowledge = field(default_factory=Knowledge)

    def fitted(self, texts: Iterable[str], ratings: Iterable[float | None] | None = None) -> GrammarExtractor:
        """Return this extractor, having learned from these texts and, where given, the stars of their reviews."""
        return self.concluded([self.counted(texts, ratings)])

    def counted(self, texts: Iterable[str], ratings: Iterable[float | None] | None = None) -> Counts:
        """Return what is counted in these texts."""
        return count(zip(texts, ratings if ratings is not None else repeat(None), strict=False))

    def concluded(self, parts: Iterable[Counts]) -> GrammarExtractor:
        """Return this extractor, having learned from what was counted in the parts of a corpus."""
        return replace(self, knowledge=concluded(together(parts), self.rules))

    def extract(self, texts: Sequence[str]) -> list[list[Mention]]:
        """Return the mentions of each text, in the order they stand there."""
        return [list(self._mentions(text)) for text in texts]

    def learned(self) -> dict[str, Any]:
        """Return the knowledge of the corpus, the merge table with it, as plain values that a person can read."""
        known = self.knowledge
        return {
            "no_aspects": sorted(known.no_aspects),
            "terms": sorted(map(" ".join, known.terms)),
            "merged": dict(sorted(known.merged.items())),
            "near_synonyms": dict(sorted(known.near_synonyms.items())),
            "polarities": [[*key, sign] for key, sign in sorted(known.polarities.items())],
        }

    @cached_property
    def _learned(self) -> frozenset[str]:
        """The adjectives that the corpus gave a polarity, or another one."""
        return frozenset(word for word, _ in self.knowledge.polarities)

    def _mentions(self, text: str) -> Iterator[Mention]:
        before: list[str] = []
        for number, sentence in enumerate(read(text)):
            words = sentence.words
            judging = self._judging(words)
            if judging:
                clauses = Clauses(words, settled(words))
                tied = list(self._tied(clauses, judging, before))
                if tied and not _asks(text, sentence, clauses):
                    found = {self._mention(text, number, sentence, clauses, *each) for each in tied}
                    yield from sorted(found, key=_order)
            before = words

    def _judging(self, words: list[str]) -> list[int]:
        """Return where the words stand that may judge something."""
        places = range(len(words))
        judging = list(compress(places, map(judges, words)))
        if self._learned.isdisjoint(words):
            return judging
        return sorted({*judging, *compress(places, map(self._learned.__contains__, words))})

    def _tied(self, clauses: Clauses, judging: list[int], before: list[str]) -> Iterator[tuple[Tie, Name]]:
        """Return the ties of a sentence that are about an aspect, and its name."""
        for at in judging:
            word, named = clauses.words[at], False
            taught = clauses.letters[at] == "A" and not (polarity(word) or predicate_polarity(word))
            for tie in learned_ties(clauses, at) if taught else ties(clauses, at):
                if tie.rule == OTHERWISE and named:
                    continue
                name = self._pointed(clauses, tie, before) if tie.rule == POINTING_BACK else self._name(clauses, tie)
                if name and (not taught or self._meaning(word, name[-1])):
                    named = True
                    yield tie, name

    def _mention(self, text: str, number: int, sentence: Reading, clauses: Clauses, tie: Tie, name: Name) -> Mention:
        reached = reach(clauses, tie)
        start, end = sentence.span(reached[0], reached[1] - 1)
        sign, first = self._sign(clauses, tie, name[-1])
        opinion = slice(*sentence.span(first, tie.opinion[1] - 1))
        sentence_start, sentence_end = sentence.span(0, len(clauses.words) - 1)
        return Mention(
            aspect=" ".join(name),
            opinion=" ".join(text[opinion].lower().split()),
            sentiment=sign,
            sentence=number,
            start=start,
            end=end,
            sentence_start=sentence_start,
            sentence_end=sentence_end,
        )

    def _name(self, clauses: Clauses, tie: Tie) -> Name | None:
        """Return an aspect's canonical name, or None where the term is no aspect here."""
        known = self.knowledge
        merged = (known.merged.get(word, word) for word in name_words(clauses, tie))
        words = tuple(merged)[-LONGEST_NAME:]
        if words[-1] in known.no_aspects or len(words[-1]) == 1:
            return None
        if not known.fitted:
            return words
        if tie.rule == "to verb" and words[-1] not in NAMED_BY_VERBS and clauses.letters[tie.noun[0]] != "N":
            return None  # "easy to read" speaks of no aspect that has a name
        term = next((words[at:] for at in range(len(words) - 1) if words[at:] in known.terms), words[-1:])
        if len(term) == 1 and term[0] in GENERAL_NOUNS:
            return words[-2:] if len(words) > 1 else None  # "wait time", but no "time"
        return term

    def _pointed(self, clauses: Clauses, tie: Tie, before: list[str]) -> Name | None:
        """Return the name of what a pronoun points back to in the sentence before."""
        earlier = Clauses(before, settled(before))
        nouns = meant_nouns(earlier, clauses.words[tie.noun[0]])
        return self._name(earlier, Tie(nouns, nouns, tie.rule)) if nouns else None

    def _meaning(self, word: str, noun: str) -> int:
        """Return what the corpus says an adjective means of a noun; 0 where it says nothing."""
        learned = self.knowledge.polarities
        return learned.get((word, noun)) or learned.get((word, ""), 0)

    def _sign(self, clauses: Clauses, tie: Tie, noun: str) -> tuple[int, int]:
        """Return whether an opinion praises or blames this noun, and where its words begin."""
        first, last = tie.opinion[0], tie.opinion[1] - 1
        if tie.rule == "absence":
            return -1, first
        judge = last if clauses.letters[last] == "Q" else first  # "huge *pain*", but "*well* made"
        word = clauses.words[judge]
        own = self._meaning(word, noun)
        if not own:
            own = sign_of(word, clauses.letters[judge])
            turned = {(word, noun), (base(word, ADJECTIVE), noun)}
            own = own if turned.isdisjoint(turned_pairs()) else -own
        sign, begin = sentiment(clauses, judge, own)
        return sign, min(first, begin)


def _asks(text: str, sentence: Reading, clauses: Clauses) -> bool:
    """Whether a sentence is a question, which says nothing: "Is the screen good?", but not "Great screen, right?"."""
    if clauses.letters[0] not in "BMW":
        return False
    _, end = sentence.span(0, len(clauses.words) - 1)
    return text[end : end + 2].lstrip().startswith("?")


def _order(mention: Mention) -> tuple[int, int, str, int]:
    return mention.start, mention.end, mention.opinion, mention.sentiment
