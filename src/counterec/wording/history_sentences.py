"""An answer by history in words: for everyone, for the shopper, and in numbers for engineers."""

from __future__ import annotations

from counterec.wording.change import apart
from counterec.wording.history_record import HistoryRecord
from counterec.wording.message_catalogue import Catalogue, catalogue

DIGITS = 4
"""Digits shown after the point, or as many more as it takes to tell two numbers apart."""


def history_sentence(record: HistoryRecord, language: str = "en") -> str:
    """“If this user had not reviewed A and B, C would not be recommended.”"""
    words, row = catalogue(language), record.row
    if row.leaves:
        said = [words.say("by_history.explained", reviews=words.listed(record.reviews), item=record.item)]
        if row.ended_early:
            said.append(words.say("by_history.ended_early"))
        return " ".join(said)
    key = f"by_history.{row.status}"
    said = [words.say(key if key in words.messages else f"why.{row.status}", item=record.item)]
    if record.reviews:
        said.append(
            words.say("by_history.nearest", reviews=words.listed(record.reviews), outcome=_outcome(words, record))
        )
    return " ".join(said)


def _outcome(words: Catalogue, record: HistoryRecord) -> str:
    if record.too_close:
        return words.say("nearest.too_close")
    if record.row.position_after is None:
        return words.say("nearest.listed")
    return words.say("nearest.listed_at", position=record.row.position_after)


def history_reason(record: HistoryRecord, language: str = "en") -> str:
    """“Recommended because of your past reviews: if you had not reviewed A and B, C would be in your list instead.”"""
    words, status = catalogue(language), record.row.status
    if record.row.leaves:
        outcome = words.say("reason.gone")
        if record.instead is not None:
            outcome = words.say("reason.instead", instead=record.instead)
        return words.say("by_history.reason.explained", reviews=words.listed(record.reviews), outcome=outcome)
    if status in ("no_target", "already_true"):
        return words.say(f"reason.why.{status}")
    key = f"by_history.reason.{status}"
    return words.say(key if key in words.messages else "by_history.reason.not_found")


def history_engineer_sentence(record: HistoryRecord, language: str = "en") -> str:
    """“C: without the reviews of A and B; score 2.1000 → 1.2000, target 1.4000 → 1.3000; position 2 → 7, …”"""
    words, row = catalogue(language), record.row
    facts = []
    if not row.explained:
        facts.append(words.say("engineer.status", status=words.say(f"status.{row.status}")))
    if record.reviews:
        without = words.say("by_history.engineer.without", reviews=words.listed(record.reviews))
        facts.append(without if row.leaves else words.say("engineer.miss", changes=without))
    facts += [_numbers(words, record), words.say("engineer.k", k=record.k)]
    if row.proof:
        facts.append(words.say("engineer.proof", proof=row.proof))
    facts.append(words.say_of("by_history.engineer.known", row.past_reviews, count=row.past_reviews))
    facts.append(words.say_of("by_history.engineer.sets", row.sets, count=row.sets))
    said = words.say("list.semicolon").join(fact for fact in facts if fact)
    return words.say("engineer.why", item=record.item, facts=said)


def _numbers(words: Catalogue, record: HistoryRecord) -> str:
    """Score, target and position, before and after; before alone where nothing is left out."""
    row, said = record.row, []
    pairs = {"score": (row.score_before, row.score_after), "target": (row.target_before, row.target_after)}
    known = {name: pair for name, pair in pairs.items() if None not in pair}
    shown = iter(apart(*(value or 0.0 for pair in known.values() for value in pair), digits=DIGITS))
    for name in known:
        before, after = words.number(next(shown)), words.number(next(shown))
        key = f"by_history.engineer.{name}" if record.reviews else f"by_history.engineer.{name}_before"
        said.append(words.say(key, before=before, **({"after": after} if record.reviews else {})))
    if row.position is not None and row.position_after is not None and record.reviews:
        said.append(words.say("engineer.position", before=row.position, after=row.position_after))
    elif row.position is not None:
        said.append(words.say("engineer.position_before", before=row.position))
    return words.say("list.comma").join(said)
