"""Sentences whose words have classes: their phrases, subjects and objects, pronouns and negations."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache
from itertools import compress, pairwise

from counterec.extraction.lexicon import opinion_words
from counterec.extraction.sentences import Sentence, cut
from counterec.extraction.tagger import judging, tagged, traits
from counterec.extraction.words import CLASS_OF, NEGATIONS, WordClass, base_noun, pattern, word_set

Span = tuple[int, int]
"""The first word, and the one after the last."""

_COPULA_LETTER = WordClass.COPULA.value
_NOT_FAR = 60
"""Pronouns refer back at most this many words, which keeps the time linear in the length of a sentence."""

_NOUN_RUN = pattern("NOUN{1,5} GENERAL_NOUN?")
# "great food *and service*", but not "great food and service was slow"
_NEXT_NOUN = pattern("""
    (?: COMMA | COMMA? AND) (?P<noun> NOUN{1,5} GENERAL_NOUN?)
    (?! [ADVERB NEGATION AUXILIARY RELATIVE]{0,3} [COPULA VERB AUXILIARY PRONOUN] | NOUN
      | PREPOSITION? DETERMINER? NOUN{1,3} [COPULA VERB AUXILIARY] | ADVERB)
""")
# "I love the strap, *the case* and *the new grip*"
_NEXT_NOUN_WITH_ARTICLE = pattern("""
    (?: COMMA | COMMA? AND) DETERMINER{0,2} [ADJECTIVE PAST OTHER]{0,2} (?P<noun> NOUN{1,5} GENERAL_NOUN?)
    (?! [ADVERB NEGATION AUXILIARY RELATIVE]{0,3} [COPULA VERB AUXILIARY PRONOUN] | NOUN | PAST)
""")
# "happy *with the sound*"
_AFTER_PREPOSITION = pattern("""
    ADVERB? PREPOSITION [ADVERB PRONOUN]? DETERMINER{0,2} (?: [ADVERB TOO]? MODIFIER){0,3} NOUNS
""")
# "the best thing *about it is the screen*", "what I like *is the sound*", but not "is the screen bright"
_AFTER_COPULA = pattern("""
    (?: PREPOSITION [DETERMINER PRONOUN]{0,2} [ADJECTIVE OTHER NOUN GENERAL_NOUN]{0,3}
      | PRONOUN? AUXILIARY PRONOUN? VERB?)?
    COMMA? RELATIVE? ADVERB? COPULA ADVERB? PREPOSITION? (?: RELATIVE? DETERMINER)? MODIFIER{0,2} NOUNS
    (?! [ADVERB NEGATION TOO]{0,2} [ADJECTIVE COPULA])
""")

# These are written, and matched, from right to left: from the verb or the predicate back to its subject.
_SUBJECT = pattern("""
    COMMA? [ADVERB NEGATION AUXILIARY PAST TOO]{0,4}    # "the sound *has never been*"
    (?: COMMA [ADVERB PREPOSITION DETERMINER GENERAL_NOUN NOUN ADJECTIVE PRONOUN OTHER]{1,6}
        COMMA)?                                         # "the camera, *however*, is"
    COMMA? (?: RELATIVE COMMA?)?                        # "the case, *which* is"
    (?: CLOSE [^OPEN CLOSE]{1,25} OPEN)?                # "the viewer *(it opens pages)* is"
    (?: (?: [NOUN GENERAL_NOUN]{1,5} MODIFIER{0,2} DETERMINER{0,2} PREPOSITION)?
        [ADVERB PREPOSITION TO]? [VERB PAST AUXILIARY]{1,3} ADVERB? PRONOUN (?=NOUN))?  # "the soup *I had at noon* was"
    (?: VERB TO)?                                       # "the menu *to choose* is"
    (?: BACKWARD_PHRASE){0,2}                           # "the clerk *at the front desk* was"
    BACKWARD_NOUNS
    (?P<list>                                           # "*the screen, the camera and* the strap are"
      (?: MODIFIER{0,2} DETERMINER{0,2} (?: COMMA? AND COMMA? | COMMA) GENERAL_NOUN? NOUN{1,5}){1,4}
      (?= (?: MODIFIER{1,2} DETERMINER{1,2} | DETERMINER{0,2})
          (?: $ | [BREAK OPEN CLOSE COMMA COLON AND QUESTION_WORD ADVERB RELATIVE])))?
""")
# "*is* one of the best", "*was* warm, fresh and tasty"
_COPULA = pattern("""
    (?: [ADVERB NEGATION TOO DETERMINER OTHER AUXILIARY ADJECTIVE AND OPINION_NOUN RELATIVE COMMA]
      | PAST (?=[ADVERB ADJECTIVE AND COMMA]) | DETERMINER PREPOSITION [ADJECTIVE DETERMINER]
      | BREAK COMMA? (?=[ADJECTIVE OPINION_NOUN])){0,8}?
    PREPOSITION? (?P<noun> COPULA)
""")
# "*they* have never been"
_PRONOUN_SUBJECT = pattern("[ADVERB NEGATION AUXILIARY PAST TOO]{0,4} (?P<noun> [PRONOUN DETERMINER])")


class TaggedSentence:
    """The words of a sentence, and their classes as a string of one letter per word."""

    __slots__ = ("_reversed", "_size", "tags", "words")

    def __init__(self, words: list[str], tags: str) -> None:
        self.words = words
        self.tags = tags
        self._reversed = tags[::-1]
        self._size = len(tags)

    def after(self, template: re.Pattern[str], at: int) -> Span | None:
        """Return what a pattern's group ``noun`` matches, from a position on."""
        match = template.match(self.tags, at)
        return match.span("noun") if match else None

    def before(self, template: re.Pattern[str], at: int) -> Span | None:
        """Return what the group ``noun`` of a pattern written from right to left matches before a position."""
        match = template.match(self._reversed, self._size - at)
        return self._forward(match, "noun") if match else None

    def _forward(self, match: re.Match[str], group: str) -> Span:
        start, end = match.span(group)
        return self._size - end, self._size - start

    def noun_after_preposition(self, at: int) -> Span | None:
        """Return the nouns of a prepositional phrase that begins here: happy *with the sound*."""
        return self.after(_AFTER_PREPOSITION, at)

    def noun_after_copula(self, at: int) -> Span | None:
        """Return the nouns that follow a linking verb: the best thing *about it is the screen*."""
        return self.after(_AFTER_COPULA, at)

    def coordinated(self, noun: Span, with_articles: bool = False) -> list[Span]:
        """Return a noun and those coordinated with it on the right: "great food *and service*"."""
        template, found = _NEXT_NOUN_WITH_ARTICLE if with_articles else _NEXT_NOUN, [noun]
        while match := template.match(self.tags, found[-1][1]):
            found.append(match.span("noun"))
        return found

    def subjects(self, verb: int) -> list[Span]:
        """Return the subjects of a linking verb: "the *sound* and the *build* are"."""
        match = _SUBJECT.match(self._reversed, self._size - verb)
        if not match:
            return []
        found = [self._forward(match, "noun")]
        if match["list"]:
            found += [run.span() for run in _NOUN_RUN.finditer(self.tags, *self._forward(match, "list"))]
        return found

    def copula(self, at: int) -> int | None:
        """Return the linking verb whose predicate this position belongs to."""
        if self.tags.find(_COPULA_LETTER, 0, at) < 0:  # as in most sentences
            return None
        match = _COPULA.match(self._reversed, self._size - at)
        return self._size - match.end("noun") if match else None

    def pronoun_subject(self, verb: int) -> int | None:
        found = self.before(_PRONOUN_SUBJECT, verb)
        return found[0] if found else None

    def noun_runs_before(self, at: int) -> list[Span]:
        """Return the runs of nouns not far before a position."""
        return [match.span() for match in _NOUN_RUN.finditer(self.tags, max(0, at - _NOT_FAR), at)]


class JoinedSentence:
    """A sentence whose ``words`` have their phrases joined, what is known of them, and their places in the text."""

    __slots__ = ("_joins", "_places", "_sentence", "_traits", "words")

    def __init__(self, sentence: Sentence) -> None:
        self._sentence = sentence
        self._places: list[tuple[int, int]] = []
        words = sentence.words
        self._joins = [] if _beginnings().isdisjoint(pairwise(words)) else _joins(words)
        if self._joins:
            words = ["-".join(words[start:end]) for start, end in self._joins]
        self.words = words
        self._traits = traits(words)

    def judging(self) -> list[int]:
        """Return the positions of the words that may judge something."""
        return judging(self.words, self._traits)

    def tags(self) -> str:
        """Return the classes of the words, one letter per word."""
        return tagged(self._traits)

    def span(self, first: int, last: int) -> tuple[int, int]:
        """Return the characters of the text from the first word to the last, both included."""
        if not self._places:  # computed on first use: most sentences never need it
            self._places = self._sentence.places()
        if self._joins:
            first, last = self._joins[first][0], self._joins[last][1] - 1
        start = self._sentence.start
        return start + self._places[first][0], start + self._places[last][1]


def joined_sentences(text: str) -> list[JoinedSentence]:
    return [JoinedSentence(sentence) for sentence in cut(text)]


def _joins(words: list[str]) -> list[tuple[int, int]]:
    """Return the spans that become one word each, single words included; empty if there is no phrase."""
    phrases = _phrases()
    begun = compress(range(len(words)), map(phrases.__contains__, pairwise(words)))
    spans: list[tuple[int, int]] = []
    done = 0
    for at in begun:
        size = next((len(p) for p in phrases[words[at], words[at + 1]] if words[at : at + len(p)] == p), 0)
        if size and at >= done:
            spans += [(single, single + 1) for single in range(done, at)]
            spans.append((at, at + size))
            done = at + size
    return spans + [(single, single + 1) for single in range(done, len(words))] if spans else []


@cache
def _phrases() -> dict[tuple[str, str], list[list[str]]]:
    """Return the hyphenated entries of the word lists, split at hyphens, longest first, by their first two words."""
    found: dict[tuple[str, str], list[list[str]]] = defaultdict(list)
    for entry in sorted(CLASS_OF.keys() | opinion_words(), key=lambda entry: (-entry.count("-"), entry)):
        phrase = entry.split("-")
        if len(phrase) > 1 and all(phrase):
            found[phrase[0], phrase[1]].append(phrase)
    return dict(found)


@cache
def _beginnings() -> frozenset[tuple[str, str]]:
    """Return the first two words of all phrases."""
    return frozenset(_phrases())


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
