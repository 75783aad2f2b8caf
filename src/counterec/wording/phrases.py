"""The phrases of a sentence: changes, grouped and put into words."""

from __future__ import annotations

from collections.abc import Sequence

from counterec.wording.change import DEGREES, Change, whole
from counterec.wording.message_catalogue import Catalogue
from counterec.wording.record import AnswerRecord


def capital(text: str) -> str:
    """The text as the beginning of a sentence; for text that begins with a word of the catalogue, not with a name."""
    return text[:1].upper() + text[1:]


def values(words: Catalogue, change: Change) -> str:
    """“3.0 → 2.1”."""
    return words.say("value.change", before=before(words, change), after=after(words, change))


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
        named = [words.say("aspect.added", aspect=change.aspect, after=after(words, change)) for change in added]
        parts.append(words.say_of("condition.added", len(added), aspects=words.listed(named)))
    if gone := [change for change in changes if change.removed]:
        parts.append(words.say("condition.removed", aspects=removed(words, gone)))
    return words.listed(parts)


def matching(words: Catalogue, changes: Sequence[Change], versus: str) -> str:
    """The same, where the item takes the values of another one."""
    parts = []
    if kept := [change for change in changes if not change.removed]:
        parts.append(words.say("condition.matched", versus=versus, aspects=moved(words, kept)))
    if gone := [change for change in changes if change.removed]:
        parts.append(words.say("condition.matched_absent", versus=versus, aspects=removed(words, gone)))
    return words.listed(parts)


def given(words: Catalogue, changes: Sequence[Change]) -> str:
    """What was changed, without a word about better or worse."""
    parts = []
    if kept := [change for change in changes if change.moved]:
        named = [
            words.say("aspect.given", aspect=change.aspect, before=before(words, change), after=after(words, change))
            for change in kept
        ]
        parts.append(words.say("what_if.moved", aspects=words.listed(named)))
    if added := [change for change in changes if change.added]:
        named = [words.say("aspect.given_added", aspect=change.aspect, after=after(words, change)) for change in added]
        parts.append(words.say("what_if.added", aspects=words.listed(named)))
    if gone := [change for change in changes if change.removed]:
        parts.append(words.say("what_if.removed", aspects=removed(words, gone)))
    return capital(words.listed(parts))


def moved(words: Catalogue, changes: Sequence[Change]) -> str:
    """“battery (3.0 → 2.1) and price (4.0 → 3.5)”."""
    return words.listed(
        [words.say("aspect.moved", aspect=change.aspect, values=values(words, change)) for change in changes]
    )


def removed(words: Catalogue, changes: Sequence[Change]) -> str:
    """“battery (now 3.0) or price (now 4.0)”."""
    named = [words.say("aspect.removed", aspect=change.aspect, before=before(words, change)) for change in changes]
    return words.listed(named, "or")


def verdicts(words: Catalogue, record: AnswerRecord) -> str:
    """What the aspects are necessary and sufficient for, or are not, as a sentence; empty where neither is known."""
    row = record.row
    items: dict[str, str | int] = {"item": record.item}
    if record.versus is not None:
        items["versus"] = record.versus
    key = "verdict.why_rather" if row.compares else "verdict.why"
    claims = []
    if row.necessary is not None:
        name = "necessary" if row.necessary else "not_necessary"
        claims.append(words.say(f"{key}.{name}", aspects=words.listed(row.aspects, "or"), **items))
    if row.sufficient is not None:
        name = "sufficient" if row.sufficient else "not_sufficient"
        if claims:
            claims.append(words.say(f"{key}.then_{name}", **items))
        else:
            claims.append(words.say(f"{key}.alone_{name}", aspects=words.listed(row.aspects), **items))
    return f"{capital(words.say('list.semicolon').join(claims))}." if claims else ""
