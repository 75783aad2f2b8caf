"""Records of every kind, to make sentences from."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from counterec.core.explainers.answer import Status
from counterec.core.explainers.answer_row import ROW_COLUMNS, UNCHANGED, AnswerRow
from counterec.core.explainers.question import KINDS, Kind
from counterec.wording import AnswerRecord, AudienceRecord, Change, Record, RerankingRecord

MISSES = tuple(status.label for status in Status if status is not Status.EXPLAINED)

WORSE = Change("battery", 4.5, 1.2)
SLIGHTLY_WORSE = Change("screen", 4.0, 3.5)
GONE = Change("camera", 3.0, 0.0)
UNDER = Change("sound", 3.0, 0.5)
BETTER = Change("battery", 2.0, 4.1)
SLIGHTLY_BETTER = Change("screen", 4.0, 4.5)
NEW = Change("camera", 0.0, 4.2)
OVER = Change("noise", 4.0, 5.5, absent=6.0, low_is_worse=False)


def row_of(question: Kind, *changes: Change, status: str = "explained", **more: Any) -> AnswerRow:
    """The row of an answer about the item a; where two are compared, the other is b."""
    known: dict[str, Any] = {
        **dict.fromkeys(ROW_COLUMNS),
        "user_id": "u",
        "item_id": "a",
        "question": question,
        "versus": "b" if question.startswith("why_rather") else None,
        "goal": "minimal",
        "status": status,
        "aspects": [change.aspect for change in changes],
        "before": [change.before for change in changes],
        "after": [change.after for change in changes],
    }
    return AnswerRow(**{**known, **more})


def answer(question: Kind, *changes: Change, status: str = "explained", **more: Any) -> AnswerRecord:
    """An answer about Phone A; where two are compared, the other is Phone B."""
    names = {"item": "Phone A", "versus": "Phone B" if question.startswith("why_rather") else None, "k": 5}
    names |= {name: more.pop(name) for name in ("item", "versus", "position_after", "margin") if name in more}
    return AnswerRecord(row_of(question, *changes, status=status, **more), changes=changes, **names)


def audience(*changes: Change, status: str = "explained", **more: object) -> AudienceRecord:
    """An answer about Phone B and 120 users, of whom 30 are wanted."""
    counts = {"asked": 120, "wanted": 30, "entered": 37 if status == "explained" else 0, "had_it": 0, "kept_it": 0}
    return AudienceRecord("Phone B", changes, status, **{**counts, **more})  # type: ignore[arg-type]


def reranking(before: int, after: int, *changes: Change, **more: object) -> RerankingRecord:
    """What becomes of Phone A in a list of 5."""
    return RerankingRecord("Phone A", changes or (WORSE,), before, after, 5, **more)  # type: ignore[arg-type]


def changes_for(question: str) -> list[list[Change]]:
    """One, two, three and four changes of all kinds, all as the question wants them."""
    if question in ("why_not", "audience"):
        a, b, c, d = BETTER, SLIGHTLY_BETTER, NEW, Change("sound", 0.0, 0.5)
    else:
        a, b, c, d = WORSE, SLIGHTLY_WORSE, GONE, UNDER
    return [[a], [b], [c], [d], [a, b], [a, c], [c, d], [a, d], [a, b, c], [a, b, c, d]]


def every_record() -> Iterator[Record]:
    """Every question with every status, and everything else that leads to words of its own."""
    for question in KINDS:
        for changes in changes_for(question):
            yield answer(question, *changes)
        for status in MISSES:
            nearest = [] if status in UNCHANGED else changes_for(question)[0]
            yield answer(question, *nearest, status=status)
            yield answer(question, *nearest, status=status, goal="single")
    for necessary, sufficient in product((None, True, False), repeat=2):
        for question in ("why", "why_rather", "why_rather_takes"):
            yield answer(question, WORSE, GONE, goal="complete", necessary=necessary, sufficient=sufficient)
    yield answer("why", OVER)
    scores = {"score_before": 42.0, "score_after": 37.4996, "target": 37.51, "position": 1, "position_after": 6}
    for left_out in ([], *([name] for name in scores), ["score_before", "position"]):
        yield answer("why", WORSE, proof="smallest", **{name: scores[name] for name in scores if name not in left_out})
    for changes in changes_for("audience"):
        yield audience(*changes)
        yield audience(*changes, status="not_found", entered=12)
    for status in MISSES:
        nearest = [] if status in UNCHANGED else [BETTER]
        had = 120 if status == "already_true" else 0
        yield audience(*nearest, status=status, had_it=had, kept_it=had)
        yield audience(*nearest, status=status, goal="single", had_it=had, kept_it=had)
    for had, kept in ((1, 1), (1, 0), (9, 9), (9, 0), (9, 4)):
        yield audience(BETTER, had_it=had, kept_it=kept)
    yield audience(BETTER, asked=1, wanted=1, entered=1)
    for before, after in ((2, 7), (9, 3), (2, 4), (9, 7), (1, 1), (9, 9)):
        yield reranking(before, after)
        yield reranking(before, after, WORSE, NEW, Change("sound", 3.0, 0.0), score_before=1.0, score_after=0.5)
