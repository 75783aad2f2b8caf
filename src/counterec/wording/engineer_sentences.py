"""A record as one sentence for engineers: its numbers; what is not known is left out."""

from __future__ import annotations

from collections.abc import Sequence

from counterec.core.explainers.answer_row import AnswerRow
from counterec.wording.background import audience_mark, mark, unknown
from counterec.wording.change import Change, apart
from counterec.wording.facts import shown_values
from counterec.wording.history_record import HistoryRecord
from counterec.wording.history_sentences import history_engineer_sentence
from counterec.wording.message_catalogue import Catalogue, catalogue
from counterec.wording.misses import helpful_settings
from counterec.wording.record import AnswerRecord, AudienceRecord, Record, RerankingRecord

DIGITS = 4
"""Digits shown after the point, or as many more as it takes to tell two numbers apart."""


def engineer_sentence(record: Record, language: str = "en") -> str:
    """“Phone A: battery 3.0000 → 2.1012; score 42.0000 → 37.4996, target 37.5000; …”"""
    words = catalogue(language)
    match record:
        case AnswerRecord():
            facts, head = _answer(words, record), f"engineer.{record.row.question}"
        case AudienceRecord():
            facts, head = _audience(words, record), "engineer.audience"
        case RerankingRecord():
            facts, head = _reranking(words, record), "engineer.what_if"
        case HistoryRecord():
            return history_engineer_sentence(record, language)
    said = words.say("list.semicolon").join(fact for fact in facts if fact)
    if isinstance(record, AnswerRecord) and record.versus is not None:
        return words.say(head, item=record.item, versus=record.versus, facts=said)
    return words.say(head, item=record.item, facts=said)


def _answer(words: Catalogue, record: AnswerRecord) -> list[str]:
    row = record.row
    return [
        *_outcome(words, row.status, record.changes, flips=row.explained or record.ended_early),
        _scores(words, row.score_before, row.score_after, row.target),
        _lead(words, record),
        words.say("engineer.blurred") if record.blurred else "",
        _positions(words, row.position, record.position_after, record.k),
        _verdicts(words, row),
        mark(words, record, "engineer."),
        *unknown(words, record, "engineer."),
        _search(words, row.goal, row.values, row.proof),
        _calls(words, row),
        _may_help(words, record),
    ]


def _audience(words: Catalogue, record: AudienceRecord) -> list[str]:
    counts = [
        words.say("engineer.reached", entered=record.entered, asked=record.asked),
        words.say("engineer.wanted", wanted=record.wanted),
        words.say("engineer.had", had=record.had_it),
        words.say("engineer.kept", kept=record.kept_it),
    ]
    return [
        *_outcome(words, record.status, record.changes, flips=record.explained),
        _together(words, *counts),
        audience_mark(words, record, "engineer."),
        _search(words, record.goal, None if record.constraints is None else record.constraints.values, record.proof),
        _may_help(words, record),
    ]


def _reranking(words: Catalogue, record: RerankingRecord) -> list[str]:
    return [
        _changes(words, record.changes),
        _scores(words, record.score_before, record.score_after, None),
        _positions(words, record.position_before, record.position_after, record.k),
    ]


def _together(words: Catalogue, *facts: str) -> str:
    return words.say("list.comma").join(fact for fact in facts if fact)


def _outcome(words: Catalogue, status: str, changes: Sequence[Change], *, flips: bool) -> list[str]:
    said = [] if status == "explained" else [words.say("engineer.status", status=words.say(f"status.{status}"))]
    if flips:
        return [*said, _changes(words, changes)]
    return [*said, words.say("engineer.miss", changes=_changes(words, changes))] if changes else said


def _changes(words: Catalogue, changes: Sequence[Change]) -> str:
    said = []
    for change in changes:
        if change.attribute is not None:
            before, after = shown_values(words, change)
            said.append(words.say("engineer.change", aspect=change.aspect, before=before, after=after))
            continue
        before, after = (words.number(shown) for shown in change.shown(DIGITS))
        absent = words.say("engineer.absent") if change.added or change.removed else ""
        said.append(
            words.say(
                "engineer.change",
                aspect=change.aspect,
                before=absent if change.added else before,
                after=absent if change.removed else after,
            )
        )
    return words.listed(said)


def _scores(words: Catalogue, before: float | None, after: float | None, target: float | None) -> str:
    known = {
        name: value for name, value in (("before", before), ("after", after), ("target", target)) if value is not None
    }
    shown = {name: words.number(text) for name, text in zip(known, apart(*known.values(), digits=DIGITS), strict=True)}
    aim = words.say("engineer.target", target=shown.pop("target")) if "target" in shown else ""
    return _together(words, _before_and_after(words, "engineer.score", shown), aim)


def _lead(words: Catalogue, record: AnswerRecord) -> str:
    """The two parts of the lead, the past items behind the second, and the score without aspects, where it decides."""
    row = record.row
    if row.lead_aspects is None or row.lead_history is None:
        return ""
    parts = {"aspects": row.lead_aspects, "history": row.lead_history}
    shown = {name: words.number(text) for name, text in zip(parts, apart(*parts.values(), digits=DIGITS), strict=True)}
    said = words.say("engineer.lead", **shown)
    if record.past:
        said = words.say("engineer.lead_by", past=words.listed(record.past), **shown)
    if not record.kept_by_history or row.score_without_aspects is None:
        return said
    bare = words.number(f"{row.score_without_aspects:z.{DIGITS}f}")
    return _together(words, said, words.say("engineer.without_aspects", score=bare))


def _positions(words: Catalogue, before: int | None, after: int | None, k: int) -> str:
    shown = {name: str(value) for name, value in (("before", before), ("after", after)) if value is not None}
    moved = _before_and_after(words, "engineer.position", shown)
    return _together(words, moved, words.say("engineer.k", k=k)) if moved else ""


def _before_and_after(words: Catalogue, key: str, shown: dict[str, str]) -> str:
    if not shown:
        return ""
    return words.say(key if len(shown) == 2 else f"{key}_{next(iter(shown))}", **shown)


def _verdicts(words: Catalogue, row: AnswerRow) -> str:
    verdicts = {"necessary": row.necessary, "sufficient": row.sufficient}
    known = [name if verdict else f"not_{name}" for name, verdict in verdicts.items() if verdict is not None]
    looked_at = "" if row.looked_at is None else words.say("engineer.looked_at", looked_at=row.looked_at)
    return _together(words, *(words.say(f"engineer.{name}") for name in known), looked_at)


def _calls(words: Catalogue, row: AnswerRow) -> str:
    """What the answer cost, where that was counted."""
    if row.calls is None or row.scored is None:
        return ""
    return words.say("engineer.calls", calls=row.calls, rows=row.scored)


def _search(words: Catalogue, goal: str, values: str | None, proof: str | None) -> str:
    known = {"goal": goal, "values": values, "proof": proof}
    return _together(words, *(words.say(f"engineer.{name}", **{name: value}) for name, value in known.items() if value))


def _may_help(words: Catalogue, record: AnswerRecord | AudienceRecord) -> str:
    """The settings that restrict a search that found nothing, by their names."""
    settings = helpful_settings(record)
    return words.say("engineer.may_help", settings=words.listed(settings, "or")) if settings else ""
