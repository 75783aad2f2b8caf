"""What a change takes in reviews, as a phrase: “with 3 more complaints about its battery (4.5 → 2.1 of 5; …)”."""

from __future__ import annotations

from collections.abc import Sequence

from counterec.wording.change import Change
from counterec.wording.message_catalogue import Catalogue
from counterec.wording.phrases import after, now, on_scale, values


def in_reviews(words: Catalogue, changes: Sequence[Change]) -> str:
    """The changes as reviews would bring them about; each must be counted."""
    kept, gone = ([change for change in changes if change.removed is removed] for removed in (False, True))
    if len(changes) == 1 and changes[0].added:
        return _first_mention(words, changes[0])
    parts = []
    if kept:
        said: list[str] = []
        for change in kept:
            said.append(_opinions(words, change, first=not said))
        parts.append(words.say("reviews.with", parts=words.listed(said)))
    if gone:
        parts.append(words.say("reviews.nobody", aspects=words.listed(_aspects_now(words, gone), "or")))
    return words.listed(parts)


def spoken_of(words: Catalogue, changes: Sequence[Change]) -> str:
    """“its battery (now 4.5 of 5 from 15 opinions) and its price (…)”."""
    return words.listed(_aspects_now(words, changes))


def _opinions(words: Catalogue, change: Change, *, first: bool) -> str:
    """“3 more complaints about its battery (…)”, and after the first one “2 more about its price (…)”."""
    count = abs(change.more or 0)
    kind = "complaints" if change.worse else "new_praises" if change.added else "praises"
    said: dict[str, str | int] = {"count": count, "aspect": change.aspect, "values": values(words, change)}
    return words.say_of(f"reviews.{kind}", count, **said) if first else words.say(f"reviews.{kind}.next", **said)


def _first_mention(words: Catalogue, change: Change) -> str:
    shown = on_scale(words, change, words.say("value.added", after=after(words, change)))
    count = change.more or 0
    return words.say_of("reviews.first_praises", count, count=count, aspect=change.aspect, values=shown)


def _aspects_now(words: Catalogue, changes: Sequence[Change]) -> list[str]:
    return [words.say("reviews.its", aspect=change.aspect, values=now(words, change)) for change in changes]
