"""What stands behind an answer, in plain words: the parts of a lead, what keeps an item, in how many nets it holds."""

from __future__ import annotations

from counterec.wording.message_catalogue import Catalogue, catalogue
from counterec.wording.record import AnswerRecord, AudienceRecord


def background(record: AnswerRecord | AudienceRecord, language: str = "en") -> str:
    """Where the item's lead comes from, and in how many nets the answer holds; empty where nothing is known of either.

    It stands beside the sentence, not in it: readers took it for a part of the reason, and for a retraction of it.
    """
    words = catalogue(language)
    if isinstance(record, AudienceRecord):
        return audience_mark(words, record)
    return " ".join(part for part in (lead(words, record), mark(words, record)) if part)


def lead(words: Catalogue, record: AnswerRecord) -> str:
    """“Of its lead over B, 70% comes from its aspects and 30% from what the user reviewed before (…).”

    Where the parts have different signs, the one that speaks against the whole is named as such. Empty where the parts
    are not known, or history is less than half a percent of the whole.
    """
    aspects, history = record.row.lead_aspects, record.row.lead_history
    if aspects is None or not history:
        return ""
    items = {"other": _other(words, record), "past": past(words, record)}
    whole = aspects + history
    key = "lead.ahead" if whole >= 0 else "lead.behind"
    share = round(100 * history / whole) if whole else -1
    if 0 <= share <= 100:
        return words.say(key, aspects=100 - share, history=share, **items) if share else ""
    return words.say(f"{key}_only_{'history' if (history > 0) == (whole >= 0) else 'aspects'}", **items)


def kept(words: Catalogue, record: AnswerRecord) -> str:
    """That the user's history alone keeps the item where it is; empty where that was not found to be so."""
    if not record.kept_by_history:
        return ""
    if record.versus is not None:
        return words.say("kept.why_rather", versus=record.versus, past=past(words, record))
    return words.say("kept.why", past=past(words, record))


def mark(words: Catalogue, record: AnswerRecord, prefix: str = "") -> str:
    """“This holds in 2 of the 2 nets, of 3, that agree with the list.” Empty where there are no several nets to ask.

    ``prefix`` begins the names of the messages.
    """
    row = record.row
    if row.nets is None or row.nets == 1 or row.nets_agree is None or row.nets_hold is None:
        return ""
    key = f"{prefix}holds.{'order' if row.compares else 'list'}"
    if not row.nets_agree:
        return words.say(f"{key}.none", nets=row.nets)
    if row.nets_agree == 1:
        return words.say(f"{key}.one_holds" if row.nets_hold else f"{key}.one_fails", nets=row.nets)
    if row.nets_agree == row.nets:
        return words.say(f"{key}.all", hold=row.nets_hold, nets=row.nets)
    return words.say(f"{key}.some", hold=row.nets_hold, agree=row.nets_agree, nets=row.nets)


def audience_mark(words: Catalogue, record: AudienceRecord, prefix: str = "") -> str:
    """“In 2 of the 3 nets, whose mean decides, it would enter at least 10 of these lists.” Empty where none is asked.

    ``prefix`` begins the names of the messages.
    """
    if record.nets is None or record.nets == 1 or record.nets_hold is None or not record.explained:
        return ""
    key = {0: "none", record.nets: "all"}.get(record.nets_hold, "some")
    said = {"nets": record.nets, "wanted": record.wanted}
    some = {"hold": record.nets_hold} if key == "some" else {}
    return words.say(f"{prefix}holds.audience.{key}", **said, **some)


def unknown(words: Catalogue, record: AnswerRecord, prefix: str = "") -> list[str]:
    """That nothing is known of the user, or of the item, where that is so: one part each.

    ``prefix`` begins the names of the messages.
    """
    user = [words.say(f"{prefix}unknown.user")] if record.new_user else []
    return user + ([words.say(f"{prefix}unknown.item", item=record.item)] if record.new_item else [])


def past(words: Catalogue, record: AnswerRecord) -> str:
    """“what the user reviewed before (above all A and B)”."""
    if not record.past:
        return words.say("lead.past")
    return words.say("lead.past_named", items=words.listed(record.past))


def _other(words: Catalogue, record: AnswerRecord) -> str:
    """The item that the lead is over."""
    known = record.versus or record.instead
    return known or words.say("lead.first_below" if record.row.lowers else "lead.last_listed")
