"""A record as a sentence for the person it concerns, in the paper's form; the record decides every word."""

from __future__ import annotations

from collections.abc import Sequence

from counterec.core.explainers.answer_row import ALREADY_TRUE, NO_TARGET
from counterec.wording.change import Change
from counterec.wording.message_catalogue import Catalogue, catalogue
from counterec.wording.phrases import condition, given, matching, values, verdicts
from counterec.wording.record import AnswerRecord, AudienceRecord, Record, RerankingRecord

Values = dict[str, str | int]


def sentence(record: Record, language: str = "en") -> str:
    """“If the battery of Phone A had been slightly worse (3.0 → 2.1), it would not be recommended.”"""
    words = catalogue(language)
    match record:
        case AnswerRecord():
            return _answer(words, record)
        case AudienceRecord():
            return _audience(words, record)
        case RerankingRecord():
            return _reranking(words, record)


def _answer(words: Catalogue, record: AnswerRecord) -> str:
    row = record.row
    items: Values = {"item": record.item} if record.versus is None else {"item": record.item, "versus": record.versus}
    if not row.explained:
        return words.say(f"{row.question}.{_reason(row.goal, row.status)}", **items)
    if record.versus is not None and row.question == "why_rather_takes":
        matched = matching(words, record.changes, record.versus)
        said = words.say("why_rather_takes.several", condition=matched, **items)
    else:
        said = _conditional(words, f"{row.question}.", record.changes, items)
    judged = verdicts(words, record) if row.goal == "complete" else ""
    return f"{said} {judged}" if judged else said


def _audience(words: Catalogue, record: AudienceRecord) -> str:
    def users(count: int) -> str:
        return words.say_of("audience.users", record.asked, count=count, asked=record.asked)

    said = []
    if not record.explained:
        missed: Values = {"item": record.item}
        if record.status != NO_TARGET:
            missed["users"] = users(record.had_it if record.status == ALREADY_TRUE else record.wanted)
        said.append(words.say(f"audience.{_reason(record.goal, record.status)}", **missed))
    if record.changes:
        reached: Values = {"item": record.item, "users": users(record.entered)}
        if record.entered < record.wanted:
            said.append(_conditional(words, "audience.short_", record.changes, reached | {"wanted": record.wanted}))
        else:
            said.append(_conditional(words, "audience.", record.changes, reached))
        if record.had_it:
            said.append(_kept(words, record))
    return " ".join(said)


def _kept(words: Catalogue, record: AudienceRecord) -> str:
    """What becomes of the lists that hold the item already."""
    had, kept = record.had_it, record.kept_it
    if kept in (0, had):
        return words.say_of("audience.all_keep" if kept else "audience.all_lose", had, had=had, item=record.item)
    return words.say("audience.some_keep", had=had, kept=kept, lost=had - kept, item=record.item)


def _reranking(words: Catalogue, record: RerankingRecord) -> str:
    before, after, k = record.position_before, record.position_after, record.k
    said: Values = {"given": given(words, record.changes), "item": record.item, "before": before, "k": k}
    if before == after:
        return words.say("what_if.stays_within" if after <= k else "what_if.stays_below", **said)
    match before <= k, after <= k:
        case True, False:
            key = "leaves"
        case False, True:
            key = "enters"
        case True, True:
            key = "moves_within"
        case _:
            key = "moves_below"
    return words.say(f"what_if.{key}", after=after, **said)


def _conditional(words: Catalogue, key: str, changes: Sequence[Change], said: Values) -> str:
    """A question's sentence: one for a single aspect that gets better or worse, one for everything else."""
    (change, *others) = changes
    if others or not change.moved:
        return words.say(f"{key}several", condition=condition(words, changes), **said)
    degree = words.say(f"degree.{change.degree}")
    return words.say(f"{key}one", aspect=change.aspect, degree=degree, values=values(words, change), **said)


def _reason(goal: str, status: str) -> str:
    """Why there is no explanation. What was proven of single aspects is claimed of single aspects only."""
    return "cannot_flip_single" if goal == "single" and status == "cannot_flip" else status
