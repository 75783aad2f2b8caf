"""The phrases of a sentence: values on their scales, and changes, grouped and put into words."""

from __future__ import annotations

from collections.abc import Sequence

from counterec.wording.change import DEGREES, Change, whole
from counterec.wording.facts import attribute_name
from counterec.wording.message_catalogue import Catalogue
from counterec.wording.record import AnswerRecord


def capital(text: str) -> str:
    """The text as the beginning of a sentence; for text that begins with a word of the catalogue, not with a name."""
    return text[:1].upper() + text[1:]


def values(words: Catalogue, change: Change, *notes: str) -> str:
    """“4.5 → 2.1 of 5; 15 opinions so far”, with further notes before the opinions."""
    shown = "value.added" if change.added else "value.change"
    said = {"after": after(words, change)} | ({} if change.added else {"before": before(words, change)})
    return _noted(words, on_scale(words, change, words.say(shown, **said)), [*notes, *opinions(words, change)])


def now(words: Catalogue, change: Change) -> str:
    """“now 4.5 of 5 from 15 opinions”."""
    value = on_scale(words, change, before(words, change))
    if change.opinions is None:
        return words.say("value.now", value=value)
    return words.say_of("opinions.behind", change.opinions, value=value, count=change.opinions)


def opinions(words: Catalogue, change: Change) -> list[str]:
    """“15 opinions so far”, where they are counted."""
    if change.opinions is None:
        return []
    if change.opinions == 0:
        return [words.say("opinions.none")]
    return [words.say_of("opinions.so_far", change.opinions, count=change.opinions)]


def on_scale(words: Catalogue, change: Change, value: str) -> str:
    """“2.1 of 5”, where the scale is one of ratings; else “2.1 on a scale from 10 to 90”."""
    high = words.number(_brief(change.high))
    if change.low_is_worse and 0 <= change.low <= 1:
        return words.say("scale.of", value=value, high=high)
    return words.say("scale.range", value=value, low=words.number(_brief(change.low)), high=high)


def before(words: Catalogue, change: Change) -> str:
    """The value before, with enough digits."""
    return words.number(change.shown()[0])


def after(words: Catalogue, change: Change) -> str:
    """The value after, with enough digits; off the scale, only the end that it lies beyond."""
    if not change.off_scale:
        return words.number(change.shown()[1])
    if change.after < change.low:
        return words.say("value.under", bound=words.number(whole(change.low)))
    return words.say("value.over", bound=words.number(whole(change.high)))


def condition(words: Catalogue, changes: Sequence[Change]) -> str:
    """What would have to be different, as a clause about the item."""
    parts = []
    groups = [
        words.say_of("condition.group", len(group), degree=words.say(f"degree.{degree}"), aspects=moved(words, group))
        for degree in DEGREES
        if (group := [change for change in changes if change.moved and change.degree == degree])
    ]
    if groups:
        parts.append(words.say("condition.moved", groups=words.listed(groups)))
    if added := [change for change in changes if change.added]:
        named = [words.say("aspect.added", aspect=change.aspect, after=_rated(words, change)) for change in added]
        parts.append(words.say_of("condition.added", len(added), aspects=words.listed(named)))
    if gone := [change for change in changes if change.removed]:
        parts.append(words.say("condition.removed", aspects=removed(words, gone)))
    return words.listed(parts)


def matching(words: Catalogue, changes: Sequence[Change], versus: str) -> str:
    """The same, where the item takes the values of another one."""
    parts = []
    if kept := [change for change in changes if not change.removed]:
        named = [
            words.say("aspect.moved", aspect=change.aspect, values=values(words, change, *_by(words, change)))
            for change in kept
        ]
        parts.append(words.say("condition.matched", versus=versus, aspects=words.listed(named)))
    if gone := [change for change in changes if change.removed]:
        parts.append(words.say("condition.matched_absent", versus=versus, aspects=removed(words, gone)))
    return words.listed(parts)


def moved(words: Catalogue, changes: Sequence[Change]) -> str:
    """“battery (3.0 → 2.1 of 5) and price (4.0 → 3.5 of 5)”."""
    return words.listed(
        [words.say("aspect.moved", aspect=change.aspect, values=values(words, change)) for change in changes]
    )


def removed(words: Catalogue, changes: Sequence[Change]) -> str:
    """“battery (now 3.0 of 5) or price (now 4.0 of 5)”."""
    named = [words.say("aspect.moved", aspect=change.aspect, values=now(words, change)) for change in changes]
    return words.listed(named, "or")


def given(words: Catalogue, changes: Sequence[Change]) -> str:
    """What was changed, without a word about better or worse, and what that means in reviews."""
    parts = []
    if kept := [change for change in changes if change.moved]:
        parts.append(words.say("what_if.moved", aspects=words.listed([_given(words, change) for change in kept])))
    if added := [change for change in changes if change.added]:
        named = [
            words.say("aspect.moved", aspect=change.aspect, values=_rated(words, change, meaning(words, change)))
            for change in added
        ]
        parts.append(words.say("what_if.added", aspects=words.listed(named)))
    if gone := [change for change in changes if change.removed]:
        parts.append(words.say("what_if.removed", aspects=removed(words, gone)))
    return capital(words.listed(parts))


def meaning(words: Catalogue, change: Change) -> str:
    """What a given value means in reviews: “that is 3 more complaints”; empty where opinions are not counted."""
    if change.opinions is None:
        return ""
    if change.more is None:
        return words.say("meaning.nothing")
    if change.more == 0:
        return words.say("meaning.even")
    kind = "complaints" if change.more < 0 else "praises"
    return words.say_of(f"meaning.{'new_' if change.added else ''}{kind}", abs(change.more), count=abs(change.more))


def verdicts(words: Catalogue, record: AnswerRecord) -> str:
    """What the aspects are necessary and sufficient for, or are not, as a sentence; empty where neither is known."""
    row = record.row
    items: dict[str, str | int] = {"item": record.item}
    if record.versus is not None:
        items["versus"] = record.versus
    key = "verdict.why_rather" if row.compares else "verdict.why"
    aspects = list(row.aspects)
    if record.facts:
        key, aspects = f"fact.{key}", [attribute_name(aspect) for aspect in aspects]
    claims = []
    if row.necessary is not None:
        name = "necessary" if row.necessary else "not_necessary"
        claims.append(
            words.say(f"{key}.{name}", aspects=words.listed(aspects, "and" if record.facts else "or"), **items)
        )
    if row.sufficient is not None:
        name = "sufficient" if row.sufficient else "not_sufficient"
        if claims:
            claims.append(words.say(f"{key}.then_{name}", **items))
        else:
            claims.append(words.say(f"{key}.alone_{name}", aspects=words.listed(aspects), **items))
    return f"{capital(words.say('list.semicolon').join(claims))}." if claims else ""


def _by(words: Catalogue, change: Change) -> list[str]:
    """What the other item's value would take in reviews, where that is known."""
    return [meaning(words, change)] if change.more is not None else []


def _given(words: Catalogue, change: Change) -> str:
    was = on_scale(words, change, before(words, change))
    said = words.say("aspect.given", aspect=change.aspect, before=was, after=after(words, change))
    notes = [note for note in (meaning(words, change), *opinions(words, change)) if note]
    return words.say("aspect.moved", aspect=said, values=_noted(words, notes[0], notes[1:])) if notes else said


def _rated(words: Catalogue, change: Change, note: str = "") -> str:
    """“4.2 of 5”, of what nobody speaks of yet."""
    return _noted(words, on_scale(words, change, after(words, change)), [note] if note else [])


def _noted(words: Catalogue, text: str, notes: Sequence[str]) -> str:
    return words.say("list.semicolon").join([text, *notes])


def _brief(value: float) -> str:
    """An end of a scale: “5”, “0.5”."""
    return whole(value).removesuffix(".0")
