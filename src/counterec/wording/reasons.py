"""A record as a reason for the shopper: “Recommended mainly for its battery; if that were worse, …”.

It is the same verified answer as the sentence for everyone else, and claims no more. Aspects are given as the reason
only if the item is good on each of them, and not where it is ahead by a hair.
"""

from __future__ import annotations

from counterec.core.explainers.answer_row import ALREADY_TRUE, NO_TARGET
from counterec.wording.message_catalogue import Catalogue, catalogue
from counterec.wording.record import AnswerRecord

SINGULAR = ("ss", "us", "is", "canvas", "gas", "lens", "news", "gps")
"""Endings of English words that end in *s* and are no plurals."""


def reason(record: AnswerRecord, language: str = "en") -> str:
    """“Recommended mainly for its battery; if that were worse, Kolvera Tide would be in your list instead.”"""
    words, row = catalogue(language), record.row
    if row.status in (ALREADY_TRUE, NO_TARGET) or (row.status == "failed" and row.question != "why"):
        return _say(words, record, row.status)
    if record.by_a_hair:
        return _say(words, record, "hair")
    if not row.explained or (row.lowers and not all(change.good for change in record.changes)):
        return _say(words, record, "overall")
    return _lowered(words, record) if row.lowers else _raised(words, record)


def _say(words: Catalogue, record: AnswerRecord, name: str) -> str:
    """The message of this name; where the item below the list is not known, one that does without it."""
    if record.versus is not None:
        return words.say(f"reason.why_rather.{name}", versus=record.versus)
    key = f"reason.{record.row.question}.{name}"
    if record.row.question != "why" or name not in ("hair", "overall"):
        return words.say(key)
    return words.say(key, instead=record.instead) if record.instead else words.say(f"{key}_alone")


def _lowered(words: Catalogue, record: AnswerRecord) -> str:
    weight = "mainly" if record.row.equal_sets == 0 else "among"
    said = {"aspects": words.listed(record.row.aspects), "unless": _unless(words, record)}
    if record.versus is not None:
        return words.say(f"reason.why_rather.{weight}", versus=record.versus, **said)
    outcome = words.say("reason.gone")
    if record.instead is not None:
        outcome = words.say("reason.instead", instead=record.instead)
    return words.say(f"reason.why.{weight}", outcome=outcome, **said)


def _unless(words: Catalogue, record: AnswerRecord) -> str:
    """What would have to be different."""
    worse, gone = ([change for change in record.changes if change.removed is removed] for removed in (False, True))
    degree = words.say("degree.slightly_worse" if all(change.slight for change in worse) else "degree.worse")
    if record.row.question == "why_rather_takes" and record.versus is not None:
        degree = words.say("degree.matched", versus=record.versus)
    named = [change.aspect for change in record.changes]
    count = 1 if len(named) == 1 and not sounds_plural(named[0]) else 2
    if not gone:
        return words.say_of("reason.worse", count, degree=degree)
    if not worse:
        return words.say_of("reason.without", count)
    listed = {"aspects": words.listed([change.aspect for change in worse])}
    return words.say("reason.mixed", degree=degree, others=words.listed([c.aspect for c in gone], "or"), **listed)


def _raised(words: Catalogue, record: AnswerRecord) -> str:
    parts = []
    if better := [change for change in record.changes if change.moved]:
        degree = words.say("degree.slightly_better" if all(change.slight for change in better) else "degree.better")
        parts.append(words.say("reason.better", aspects=words.listed([c.aspect for c in better]), degree=degree))
    if added := [change.aspect for change in record.changes if change.added]:
        parts.append(words.say("reason.praised", aspects=words.listed(added)))
    return words.say("reason.why_not.would", conditions=words.listed(parts))


def sounds_plural(aspect: str) -> bool:
    """Whether an English aspect takes *those* rather than *that*: “strings”, but not “service” or “bass”."""
    last = aspect.lower().split()[-1] if aspect.split() else ""
    return last.endswith("s") and not last.endswith(SINGULAR)
