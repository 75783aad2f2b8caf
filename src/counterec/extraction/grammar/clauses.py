"""A sentence as letters, read from both ends: what stands right of a position, and what stands left of it."""

from __future__ import annotations

import re
from collections.abc import Iterator

Span = tuple[int, int]

_NOUN = "(?P<noun>N{1,5}O?)"
_MORE_OBJECTS = re.compile(rf"(?:,|,?C){_NOUN}(?![RGMK]{{0,3}}[BVMI]|N|P?D?N{{1,3}}[BVM]|R)")
_MORE_OF_A_LIST = re.compile(rf"(?:,|,?C)D{{0,2}}[AFX]{{0,2}}{_NOUN}(?![RGMK]{{0,3}}[BVMI]|N|F)")

# These are read from right to left.
_PHRASE = r"[NOQ]{1,5}[AFYXR]{0,3}D{0,2}P"
_SUBJECT = re.compile(
    rf",?[RGMFE]{{0,4}}(?:,[RPDONAIX]{{1,6}},)?,?(?:K,?)?(?:\)[^()]{{1,25}}\()?(?:(?:[NO]{{1,5}}[AFYX]{{0,2}}D{{0,2}}P)?[RPT]?[VFM]{{1,3}}R?I(?=N))?(?:VT)?(?:{_PHRASE}){{0,2}}(?P<noun>O?N{{1,5}})"
    r"(?P<list>(?:[AFYX]{0,2}D{0,2}(?:,?C,?|,)O?N{1,5}){1,4}(?=(?:[AFYX]{1,2}D{1,2}|D{0,2})(?:$|[|(),:CWRK])))?"
)
_COPULA = re.compile(r"(?:[RGEDXMACQK,]|F(?=[RAC,])|DP[AD]|\|,?(?=[AQ])){0,8}?P?(?P<noun>B)")
_PRONOUN = re.compile(r"[RGMFE]{0,4}(?P<noun>[ID])")
_RUN = re.compile("N{1,5}O?")


_NOT_FAR = 60
"""Pronouns point back this many words at most; it keeps the time linear in the length of a sentence."""


class Clauses:
    """The words and letters of a sentence."""

    def __init__(self, words: list[str], letters: str) -> None:
        self.words = words
        self.letters = letters
        self._turned = letters[::-1]
        self._size = len(letters)

    def right(self, pattern: re.Pattern[str], at: int) -> Span | None:
        """Return the nouns a pattern finds from a position on."""
        match = pattern.match(self.letters, at)
        return match.span("noun") if match else None

    def left(self, pattern: re.Pattern[str], at: int) -> Span | None:
        """Return the nouns a pattern, written from right to left, finds before a position."""
        match = pattern.match(self._turned, self._size - at)
        return self._unturned(match, "noun") if match else None

    def _unturned(self, match: re.Match[str], group: str) -> Span:
        start, end = match.span(group)
        return self._size - end, self._size - start

    def joined(self, noun: Span, listed: bool = False) -> Iterator[Span]:
        """Return a noun and those joined to it on the right: "great food *and service*"; with articles in a list."""
        found: Span | None = noun
        while found:
            yield found
            found = self.right(_MORE_OF_A_LIST if listed else _MORE_OBJECTS, found[1])

    def subjects(self, verb: int) -> Iterator[Span]:
        """Return the subjects of a verb: "the *sound* and the *build* are"."""
        match = _SUBJECT.match(self._turned, self._size - verb)
        if not match:
            return
        yield self._unturned(match, "noun")
        if match["list"]:
            for run in _RUN.finditer(self.letters, *self._unturned(match, "list")):
                yield run.span()

    def copula(self, at: int) -> int | None:
        """Return the linking verb whose predicate a position belongs to."""
        found = self.left(_COPULA, at)
        return found[0] if found else None

    def pronoun(self, verb: int) -> int | None:
        """Return the pronoun that is a verb's subject."""
        found = self.left(_PRONOUN, verb)
        return found[0] if found else None

    def runs_before(self, at: int) -> list[Span]:
        """Return the runs of nouns not far before a position."""
        return [match.span() for match in _RUN.finditer(self.letters, max(0, at - _NOT_FAR), at)]
