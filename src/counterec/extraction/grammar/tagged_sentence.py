"""A sentence with the class of each word, and the questions of grammar that constructions ask about it."""

from __future__ import annotations

import re

from counterec.extraction.grammar.word_class_patterns import WordClass, pattern

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
        """Return the pronoun that is a verb's subject."""
        found = self.before(_PRONOUN_SUBJECT, verb)
        return found[0] if found else None

    def noun_runs_before(self, at: int) -> list[Span]:
        """Return the runs of nouns not far before a position."""
        return [match.span() for match in _NOUN_RUN.finditer(self.tags, max(0, at - _NOT_FAR), at)]
