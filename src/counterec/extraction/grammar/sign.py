"""Whether an opinion, where it stands, is praise or blame, and where its words begin: negation, "too", wishes."""

from __future__ import annotations

from counterec.extraction.grammar.clauses import Clauses
from counterec.extraction.grammar.listing import listed

_WINDOW = 6
_NEGATIONS = listed("""
    not n't no never neither nor without hardly barely scarcely seldom rarely nothing none nobody cannot cant dont
    doesnt didnt isnt wasnt arent wont couldnt wouldnt less nowhere
    """)
_LIGHT = listed("have get got offer provide give find found seem look feel taste sound think say call be")
_WISHES = frozenset(("wish", "wished", "wishing"))
_WANTS = frozenset(("need", "needs", "needed"))
_MODALS = listed("could would should might 'd")
_ABLE = frozenset(("can", "ca", "cannot"))
_COMPARATIVES = ("er", "worse", "more")


def negation(clauses: Clauses, at: int) -> int | None:
    """Return where an opinion is negated, within its clause."""
    words, letters = clauses.words, clauses.letters
    for i in range(at - 1, max(-1, at - 1 - _WINDOW), -1):
        letter = letters[i]
        if letter in "|:()":
            return None
        if letters[at] in "AF" and (
            (letter in "NOQ" and words[i] not in _NEGATIONS) or (letter in "VFY" and words[i] not in _LIGHT)
        ):
            return None
        if words[i] in _NEGATIONS:
            return i
        if letter in ",C" and not (letters[i + 1] in "AREQ" and letters[i - 1] == "A"):
            return None
    return None


def sentiment(clauses: Clauses, at: int, own: int) -> tuple[int, int]:
    """Return +1 or -1 for the opinion at a position that is ``own`` by itself, and where its words begin."""
    words, letters = clauses.words, clauses.letters
    denied = negation(clauses, at)
    start = at if denied is None else _start(clauses, denied)
    if letters[at] == "A" and is_too_much(clauses, at):
        return (1 if denied is not None and own < 0 else -1), start  # "not too loud", but "not too good"
    if denied is not None and words[at + 1 : at + 2] == ["enough"]:
        return -1, start  # "not loud enough"
    first = max(0, at - _WINDOW - 1)
    before = words[first:at]
    if words[at].endswith(_COMPARATIVES) or "more" in before:
        modal = next((i for i in range(first, at) if words[i] in _MODALS), None)
        if modal is None and denied is not None and not _ABLE.isdisjoint(before):
            return own, start  # "can not be happier"
        if modal is not None:
            return (own, start) if denied is not None else (-1, modal)  # "could not be better"; "could be better"
        if not _WANTS.isdisjoint(before):
            return -1, start  # "needs better speakers"
    if not _WISHES.isdisjoint(before) or ("would" in before and "if" in words[at + 1 : at + 4]):
        return -1, start  # "I wish it were good", "would be great if"
    return (own if denied is None else -own), start


def is_too_much(clauses: Clauses, at: int) -> bool:
    """Whether "too" stands before a word: "too soft" blames, whatever "soft" does."""
    return "E" in clauses.letters[max(0, at - 2) : at]


def _start(clauses: Clauses, denied: int) -> int:
    """Return where a negation begins: "does n't" is one with its verb."""
    attached = clauses.words[denied] == "n't" and denied > 0 and clauses.letters[denied - 1] in "MB"
    return denied - 1 if attached else denied
