"""What is said where there is no explanation: why, what came nearest, and what may help."""

from __future__ import annotations

from counterec.core.explainers.constraints import NEVER, Constraints
from counterec.wording.facts import if_facts
from counterec.wording.message_catalogue import Catalogue
from counterec.wording.phrases import condition, matching
from counterec.wording.record import MISSED, AnswerRecord, AudienceRecord
from counterec.wording.review_phrases import in_reviews


def miss_key(words: Catalogue, question: str, goal: str, status: str, *, facts: bool) -> str:
    """Why there is no explanation. What was proven of single aspects is claimed of single aspects only.

    Of facts, it is said without a word about reviews.
    """
    key = f"{question}.{'cannot_flip_single' if goal == 'single' and status == 'cannot_flip' else status}"
    return f"fact.{key}" if facts and f"fact.{key}" in words.messages else key


def nearest(words: Catalogue, record: AnswerRecord) -> str:
    """What came nearest, and where the item would still stand; empty where nothing did."""
    if not record.changes:
        return ""
    outcome = _outcome(words, record)
    if record.facts:
        return words.say("nearest.given", given=if_facts(words, record.changes), outcome=outcome)
    if record.row.question == "why_rather_takes" and record.versus is not None:
        matched = matching(words, record.changes, record.versus)
        return words.say("nearest.matching", item=record.item, condition=matched, outcome=outcome)
    if all(change.counted for change in record.changes):
        return words.say("nearest.given", given=in_reviews(words, record.changes), outcome=outcome)
    changed = condition(words, record.changes)
    return words.say("nearest.condition", item=record.item, condition=changed, outcome=outcome)


def _outcome(words: Catalogue, record: AnswerRecord) -> str:
    if record.too_close:
        return words.say("nearest.too_close")
    if record.versus is not None:
        return words.say("nearest.ahead", versus=record.versus)
    side = "listed" if record.row.lowers else "below"
    if record.position_after is None:
        return words.say(f"nearest.{side}")
    return words.say(f"nearest.{side}_at", position=record.position_after)


def advice(words: Catalogue, record: AnswerRecord | AudienceRecord) -> str:
    """What may help: only what was not allowed and could be; empty where everything was."""
    ways = helpful_settings(record)
    if not ways or record.constraints is None:
        return ""
    if isinstance(record, AudienceRecord):
        ways = ["masked_audience" if way == "masked" else way for way in ways]
    said = [_way(words, record.constraints, way, facts=record.facts) for way in ways]
    return words.say("help.intro", ways=words.say("list.semicolon").join(said))


def helpful_settings(record: AnswerRecord | AudienceRecord) -> list[str]:
    """The settings that restrict what was sought, by name.

    None where an explanation was found, none could be, or the item would stay with no aspects at all.
    """
    status = record.row.status if isinstance(record, AnswerRecord) else record.status
    limits = record.constraints
    if limits is None or status not in MISSED or (isinstance(record, AnswerRecord) and record.kept_by_history):
        return []
    question = record.row.question if isinstance(record, AnswerRecord) else "audience"
    goal = record.row.goal if isinstance(record, AnswerRecord) else record.goal
    reachable, worsens = limits.values == "reachable", question not in ("why_not", "audience")
    applies = {
        "values": reachable and question != "why_rather_takes" and not record.facts,
        "unreviewed_beyond": reachable and worsens and limits.unreviewed_beyond == NEVER and _may_be_unknown(record),
        "masked": limits.masked,
        "keep": bool(limits.keep),
        "bounds": bool(limits.lowest or limits.highest),
        "most": limits.most is not None,
        "goal": goal == "single" and limits.most != 1,
        "relaxed": goal == "relaxed" and record.facts,
    }
    return [name for name, helps in applies.items() if helps]


def _may_be_unknown(record: AnswerRecord | AudienceRecord) -> bool:
    return isinstance(record, AnswerRecord) and record.may_be_unknown


def _way(words: Catalogue, limits: Constraints, way: str, *, facts: bool) -> str:
    if facts and f"fact.help.{way}" in words.messages:
        return words.say(f"fact.help.{way}")
    if way == "keep":
        return words.say("help.keep", aspects=words.listed(limits.keep))
    if way == "bounds":
        return words.say("help.bounds", aspects=words.listed(list(dict.fromkeys([*limits.lowest, *limits.highest]))))
    if way == "most" and limits.most is not None:
        return words.say_of("help.most", limits.most, count=limits.most)
    return words.say(f"help.{way}")
