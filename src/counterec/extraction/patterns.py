"""Which opinion speaks of which noun: regular expressions over the letters of a sentence (see ``words``).

Every repetition is bounded, so that the time is linear in the length of the sentence, whatever it holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_NOUNS = "N{1,4}(?!N)"
# A subject may be a list, unless its first noun is the object of something: "a great screen and the camera is poor".
_NO_OBJECT = "(?<![WVOPTB])(?<![WVOPTB][DA])(?<![WVOPTB]DA)"
_SUBJECTS = rf"(?:{_NO_OBJECT}{_NOUNS}(?:(?:,|,?[CQ])[DA]{{0,2}}{_NOUNS}){{0,3}}|{_NOUNS})"
# A list of objects ends where a new clause begins: "great screen and the battery is poor".
_OBJECTS = rf"{_NOUNS}(?:,?[CQ][DA]{{0,2}}{_NOUNS}(?![RGMK]{{0,3}}[BWV])){{0,3}}"
_OPINIONS = "O(?:,?[CQ]?[REGD]{0,2}O){0,3}"
# Opinions before a noun may be a list, unless the first ends a clause: "it is not cheap, good screen".
_NO_PREDICATE = "(?<!B)(?<!B[RGE])(?<!B[RGE][RGE])"
# ", however," and ", in my view,"
_ASIDE = "(?:,[RPDXA]{1,4},)?"

_PATTERNS = [
    re.compile(pattern)
    for pattern in [
        # "great sound", "nice and bright little screen and camera"
        rf"(?P<opinions>{_NO_PREDICATE}{_OPINIONS}|O)A{{0,2}}(?P<aspects>{_OBJECTS})",
        # "the sound is really great", "the quality of the strings was not good", "the case, which looks nice"
        rf"(?P<aspects>{_SUBJECTS})(?:[PT]D?[AO]{{0,2}}{_NOUNS})?{_ASIDE},?K?[RGMWI]{{0,3}}B{_ASIDE}[RGEDBAP]{{0,4}}"
        rf"(?P<opinions>{_OPINIONS})",
        # "love the sound"
        rf"(?P<opinions>V)[RTP]?[DRK]{{0,2}}[AO]{{0,2}}(?P<aspects>{_OBJECTS})",
        # "happy with the sound"
        rf"(?P<opinions>O)TD{{0,2}}[AO]{{0,2}}(?P<aspects>{_OBJECTS})",
        # "the best thing about it is the sound", "what I like most is the sound"
        rf"(?P<opinions>[OV])[XNAIR]{{0,2}}(?:[PT][DI]{{0,2}}[AXN]{{0,2}})?BDA{{0,2}}(?P<aspects>{_OBJECTS})(?!R?[BO])",
        # "how bright the screen is"
        rf"R(?P<opinions>O)D(?P<aspects>{_NOUNS})B",
        # "the screen is dull and so is the sound"
        rf"(?P<opinions>O),?CRBD(?P<aspects>{_OBJECTS})",
        # "the battery lasts long", "staff friendly", "Battery: poor"
        rf"(?P<aspects>{_SUBJECTS}):?[RGMWXE]{{0,4}}(?P<opinions>{_OPINIONS})(?![AO]{{0,2}}N)",
    ]
]
_RUN = re.compile("N+")


def pairs(letters: str) -> list[tuple[int, int]]:
    """Return the (noun, opinion) pairs as positions, in order; of nouns in a row ("battery life"), the last."""
    found = (match for pattern in _PATTERNS for match in pattern.finditer(letters))
    return sorted({pair for match in found for pair in _pairs_of(match)})


def _pairs_of(match: re.Match[str]) -> Iterator[tuple[int, int]]:
    opinions = [at for at in range(*match.span("opinions")) if match.string[at] in "OV"]
    for run in _RUN.finditer(match.string, *match.span("aspects")):
        for opinion in opinions:
            yield run.end() - 1, opinion
