"""Records of every kind, to make sentences from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

from counterec.core.attributes import Attribute, Value
from counterec.core.explainers.answer import Status
from counterec.core.explainers.answer_row import ROW_COLUMNS, UNCHANGED, AnswerRow
from counterec.core.explainers.constraints import Constraints
from counterec.core.explainers.history.answer_row import HistoryRow
from counterec.core.explainers.question import KINDS, Kind
from counterec.core.opinions import Ladder
from counterec.wording import (
    AnswerRecord,
    AudienceRecord,
    Change,
    HistoryRecord,
    Record,
    RerankingRecord,
    history_record,
)
from counterec.wording.change import telling_digits

MISSES = tuple(status.label for status in Status if status is not Status.EXPLAINED)
LADDER = Ladder.of_reviews()

# Changes of which nobody knows what they take in reviews.
WORSE = Change("battery", 4.5, 1.2)
SLIGHTLY_WORSE = Change("screen", 4.0, 3.5)
GONE = Change("camera", 3.0, 0.0)
UNDER = Change("sound", 3.0, 0.5)
BETTER = Change("battery", 2.0, 4.1)
SLIGHTLY_BETTER = Change("screen", 4.0, 4.5)
NEW = Change("camera", 0.0, 4.2)
OVER = Change("noise", 4.0, 5.5, absent=6.0, low_is_worse=False)


def counted(aspect: str, praises: int, complaints: int, balance: int | None) -> Change:
    """A change between two values that opinions give; None: nobody has reviewed the aspect."""
    before = float(LADDER.value(praises - complaints)) if praises + complaints else 0.0
    after = 0.0 if balance is None else float(LADDER.value(balance))
    digits = 1 if balance is None else telling_digits(LADDER, after)
    counts = {"praises": praises, "complaints": complaints, "balance_after": balance}
    return Change(aspect, before, after, digits=digits, **counts)


PRICE = Attribute("price", low=50, high=300, worse="high", format="{:.0f} €")
DISTANCE = Attribute("distance", low=0, high=8, unit="km", step=0.1)
STARS = Attribute("stars", low=1, high=5, worse="low", step=0.5, can_be_absent=True)
WIFI = Attribute("has_wifi", "yes_no", worse="low", can_be_absent=True)
VEGAN = Attribute("is_vegan", "yes_no")
GENRE = Attribute("genre", "category", values=("drama", "comedy"))
SERVICE = Attribute("service", "quality", worse="low", can_be_absent=True)


def fact(attribute: Attribute, before: Value, after: Value) -> Change:
    """A change of an attribute between two values as people have them."""
    codes = attribute.code(before), attribute.code(after)
    (low, high), absent = attribute.ends, attribute.absent
    lower = attribute.worse != "high"
    return Change(
        attribute.name, *codes, span=high - low, absent=absent, low=low, low_is_worse=lower, attribute=attribute
    )


# Facts, as a question that worsens or a question that improves has them.
WORSE_FACTS = (
    fact(PRICE, 120.0, 187.0),
    fact(DISTANCE, 1.0, 2.5),
    fact(WIFI, True, False),
    fact(VEGAN, True, False),
    fact(VEGAN, False, True),
    fact(GENRE, "drama", "comedy"),
    fact(STARS, 4.0, 3.5),
    fact(STARS, 4.0, None),
    fact(SERVICE, 4.5, 2.0),
    fact(SERVICE, 4.5, None),
)
BETTER_FACTS = (
    fact(PRICE, 187.0, 120.0),
    fact(WIFI, False, True),
    fact(WIFI, None, True),
    fact(GENRE, "drama", "comedy"),
    fact(STARS, None, 4.5),
    fact(SERVICE, None, 4.5),
    fact(SERVICE, 2.0, 4.5),
)

COMPLAINTS = counted("battery", 9, 7, -1)  # 4.5 → 2.1
ONE_COMPLAINT = counted("screen", 1, 0, 0)  # 3.9 → 3.0
SILENCE = counted("camera", 9, 7, None)
ONE_SILENT = counted("sound", 1, 0, None)
MANY_SILENT = tuple(counted(aspect, 9, 7, None) for aspect in ("room", "bed", "staff", "price", "pool", "lift"))
PRAISES = counted("battery", 3, 3, 2)  # 3.0 → 4.5
ONE_PRAISE = counted("screen", 4, 2, 3)  # 4.5 → 4.8
FIRST_PRAISES = counted("camera", 0, 0, 2)
FIRST_PRAISE = counted("sound", 0, 0, 1)

STRICT = Constraints(
    keep=("price",), lowest={"zoom": 2.0}, highest={"zoom": 4.0}, unreviewed_beyond="never", most=2, masked=True
)
"""Constraints of every kind."""


def row_of(question: Kind, *changes: Change, status: str = "explained", **more: Any) -> AnswerRow:
    """The row of an answer about the item a; where two are compared, the other is b."""
    balances = [change.praises - change.complaints if change.opinions else None for change in changes]  # type: ignore[operator]
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
        "margin": 1e-4,
        "values": "unreviewed" if any(change.removed for change in changes) else "reachable",
        "balance_before": balances,
        "balance_after": [change.balance_after for change in changes],
    }
    return AnswerRow(**{**known, **more})


OF_THE_RECORD = ("item", "versus", "position_after", "instead", "spread", "constraints", "past", "facts")
OF_THE_RECORD += ("new_user", "new_item")


def answer(question: Kind, *changes: Change, status: str = "explained", **more: Any) -> AnswerRecord:
    """An answer about Phone A; where two are compared, the other is Phone B."""
    names = {"item": "Phone A", "versus": "Phone B" if question.startswith("why_rather") else None, "k": 5}
    names |= {name: more.pop(name) for name in OF_THE_RECORD if name in more}
    return AnswerRecord(row_of(question, *changes, status=status, **more), changes=changes, **names)


def largest(changes: Sequence[Change]) -> Sequence[Change]:
    """The changes that a sentence names: the three that go furthest on their scales, if there are more."""
    if len(changes) <= 3:
        return changes
    return sorted(changes, key=lambda change: -abs(change.after - change.before) / change.span)[:3]


def hair(question: Kind, *changes: Change, status: str = "explained", **more: Any) -> AnswerRecord:
    """An answer about an item that is where it is by a hair."""
    before, after, target = (2.0, 3.0, 2.005) if question == "why_not" else (2.005, 1.0, 2.0)
    scores: dict[str, Any] = {"score_before": before, "target": target, "spread": 1.0}
    if status == "explained":
        scores["score_after"] = after
    return answer(question, *changes, status=status, **{**scores, **more})


def lead(aspects: float, history: float, *past: str) -> dict[str, Any]:
    """What a row and its record say of a lead of these parts over a target of 1.0; past items go by their ids."""
    parts = {"lead_aspects": aspects, "lead_history": history, "carried_by": past, "past": past}
    return {**parts, "score_before": 1.0 + aspects + history, "target": 1.0}


def nets(hold: int, agree: int, of: int = 3) -> dict[str, int]:
    """In how many nets an answer holds."""
    return {"nets": of, "nets_agree": agree, "nets_hold": hold}


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
        e, f, g, h = PRAISES, ONE_PRAISE, FIRST_PRAISES, FIRST_PRAISE
    else:
        a, b, c, d = WORSE, SLIGHTLY_WORSE, GONE, UNDER
        e, f, g, h = COMPLAINTS, ONE_COMPLAINT, SILENCE, ONE_SILENT
    plain = [[a], [b], [c], [d], [a, b], [a, c], [c, d], [a, d], [a, b, c], [a, b, c, d]]
    return [*plain, [e], [f], [g], [h], [e, f], [f, e], [e, g], [g, h], [h, g], [e, f, g, h], [e, b]]


def every_record() -> Iterator[Record]:
    """Every question with every status, and everything else that leads to words of its own."""
    for question in KINDS:
        for changes in changes_for(question):
            yield answer(question, *changes)
            yield answer(question, *changes, status="not_found", constraints=STRICT)
        yield from _misses_of(question)
        yield from _near_ones_of(question)
    yield from _verdicts()
    yield answer("why", WORSE, necessary=True, sufficient=False, looked_at=1000, calls=5, scored=80)
    yield from _reasons()
    yield from _many()
    yield from _backgrounds()
    for question in KINDS:
        yield answer(question, status="not_found", new_user=True, new_item=True)
    yield answer("why", OVER)
    scores = {"score_before": 42.0, "score_after": 37.4996, "target": 37.51, "position": 1, "position_after": 6}
    for left_out in ([], *([name] for name in scores), ["score_before", "position"]):
        yield answer("why", WORSE, proof="smallest", **{name: scores[name] for name in scores if name not in left_out})
    yield from _audiences()
    yield from _rerankings()
    yield from _facts()


def facts_for(question: str) -> list[list[Change]]:
    """Facts alone, and two together."""
    known = BETTER_FACTS if question in ("why_not", "audience") else WORSE_FACTS
    return [*([change] for change in known), list(known[:2])]


def _facts() -> Iterator[Record]:
    """Every question about attributes of a schema."""
    for question in KINDS:
        for changes, equal_sets in product(facts_for(question), (0, 3)):
            yield answer(question, *changes, facts=True, equal_sets=equal_sets)
            yield answer(question, *changes, facts=True, status="not_found", goal="relaxed", constraints=STRICT)
        for status, goal in product(MISSES, ("minimal", "single")):
            yield answer(question, status=status, goal=goal, facts=True)
    for necessary, sufficient, question in product((None, True, False), (None, True, False), ("why", "why_rather")):
        changes = facts_for(question)[-1]
        verdicts = {"necessary": necessary, "sufficient": sufficient}
        yield answer(question, *changes, goal="complete", facts=True, **verdicts)
    not_a_car = fact(Attribute("is_car", "yes_no"), False, True)
    no_pool = fact(Attribute("pool", "yes_no"), False, True)
    for question, changes in product(("why", "why_rather"), ([no_pool], [not_a_car])):
        yield answer(question, *changes, facts=True, equal_sets=0, **lead(0.3, 0.7))
        yield answer(question, *changes, facts=True, instead="Phone B" if question == "why" else None)
    for changes in facts_for("audience"):
        yield audience(*changes, facts=True)
    for status, goal in product(MISSES, ("minimal", "single")):
        had = 120 if status == "already_true" else 0
        yield audience(status=status, goal=goal, facts=True, had_it=had, kept_it=had)
    yield reranking(2, 7, fact(VEGAN, False, True), fact(STARS, None, 4.0))


def _misses_of(question: Kind) -> Iterator[Record]:
    for status, goal in product(MISSES, ("minimal", "single")):
        nearest = [] if status in UNCHANGED else changes_for(question)[0]
        yield answer(question, *nearest, status=status, goal=goal)
        yield answer(question, *nearest, status=status, goal=goal, constraints=Constraints())
    worsened, raised = {"score_before": 3.0, "score_after": 1.99995}, {"score_before": 1.0, "score_after": 2.00005}
    too_close = raised if question == "why_not" else worsened
    yield answer(question, *changes_for(question)[0], status="not_found", target=2.0, **too_close)
    place = 9 if question == "why_not" else 3
    yield answer(question, *changes_for(question)[0], status="not_found", position_after=place)
    yield answer(question, status="nothing_to_change", constraints=replace(STRICT, most=1))


def _near_ones_of(question: Kind) -> Iterator[Record]:
    yield hair(question, *changes_for(question)[0])
    if question == "why":
        yield hair("why", WORSE, instead="Phone B")
    yield hair(question, status="not_found", score_before=20_000.0, target=20_000.0)


def _verdicts() -> Iterator[Record]:
    for necessary, sufficient in product((None, True, False), repeat=2):
        for question in ("why", "why_rather", "why_rather_takes"):
            yield answer(question, WORSE, GONE, goal="complete", necessary=necessary, sufficient=sufficient)


def _reasons() -> Iterator[Record]:
    """What only a shopper's sentence tells apart."""
    for instead, equal_sets in product((None, "Phone B"), (0, 3)):
        yield answer("why", WORSE, instead=instead, equal_sets=equal_sets)
        yield answer("why", status="not_found", instead=instead)
    for equal_sets in (0, 3):
        yield answer("why_rather", SLIGHTLY_WORSE, equal_sets=equal_sets)


MANY = ("battery", "screen", "camera", "sound", "graphics", "controls", "value for money", "front desk")
"""Aspects as people write them: no name is a part of another."""
KINDS_OF_CHANGES = ("counted", "uncounted", "slight", "absent", "mixed", "facts")


def many(question: str, count: int, kind: str) -> list[Change]:
    """So many changes as the question wants them, the first the largest: of one kind, or of all."""
    raised, changes = question in ("why_not", "audience"), []
    for place, aspect in enumerate(MANY[:count]):
        one = ("counted", "absent")[place % 2] if kind == "mixed" else kind
        step = 0.1 * place
        match one:
            case "counted":
                before, balance = ((1, 3), 9 - place) if raised else ((4, 1), place - 6)
                changes.append(counted(aspect, *before, balance))
            case "absent" if raised:
                changes.append(counted(aspect, 0, 0, 8 - place))
            case "absent":
                changes.append(counted(aspect, 20 - place, 4, None))
            case "facts":
                attribute = Attribute(aspect, low=0, high=10, worse="low")
                values = (1.0, 9.0 - step) if raised else (9.0 - step, 1.0)
                changes.append(fact(attribute, *values))
            case _:
                far = 0.9 if one == "slight" else 3.0
                low, high = 1.0, 1.0 + far - step
                changes.append(Change(aspect, low, high) if raised else Change(aspect, high, low))
    return changes


def many_records(count: int) -> Iterator[AnswerRecord | AudienceRecord | RerankingRecord]:
    """Answers to every question with this many aspects: every kind of change, proof, status, verdict and lead."""
    for question, kind in product(KINDS, KINDS_OF_CHANGES):
        changes = many(question, count, kind)
        facts, side = {"facts": kind == "facts"}, -1 if question == "why_not" else 1
        for proof in (None, "found", "irreducible", "smallest"):
            for more in ({"equal_sets": 0}, lead(side * 0.7, side * 0.3, "C"), lead(side * 0.1, side * 0.9, "C")):
                yield answer(question, *changes, proof=proof, **more, **facts)
        yield answer(question, *changes, status="out_of_budget", **facts)
        for keep, bounded in ((MANY[:count], ()), (("zoom",), ("lens", "price")), (("zoom", "lens"), MANY[:count])):
            constraints = Constraints(keep=keep, lowest=dict.fromkeys(bounded, 2.0))
            yield answer(question, *changes, status="not_found", constraints=constraints, **facts)
        for necessary, sufficient in product((None, True, False), repeat=2):
            if question != "why_not":
                verdicts = {"necessary": necessary, "sufficient": sufficient}
                yield answer(question, *changes, goal="complete", **verdicts, **facts)
    for kind in KINDS_OF_CHANGES:
        changes, facts = many("audience", count, kind), {"facts": kind == "facts"}
        for proof in (None, "found", "irreducible", "smallest"):
            yield audience(*changes, proof=proof, had_it=9, kept_it=9, **facts)
        yield audience(*changes, status="not_found", entered=12, constraints=STRICT, **facts)
        yield reranking(2, 7, *many("why", count, kind))
        yield reranking(9, 3, *changes)


def _many() -> Iterator[Record]:
    for count in (4, 7):
        yield from many_records(count)


def _backgrounds() -> Iterator[Record]:
    """Leads of every sort, items that history keeps, and every mark."""
    parts = ((0.7, 0.3), (0.3, 0.7), (0.1, 0.9), (0.9, 0.1), (1.2, -0.2), (-0.2, 1.2), (0.5, 0.5))
    sets = ([WORSE], [GONE], [WORSE, GONE], [Change("sound", 2.0, 1.2)])
    for (aspects, history), past, changes in product(parts, ((), ("Case C", "Cable D")), sets):
        for question, equal_sets in product(("why", "why_rather"), (0, 3)):
            yield answer(question, *changes, equal_sets=equal_sets, **lead(aspects, history, *past))
    for aspects, history in ((-0.7, -0.3), (-1.2, 0.2), (0.2, -1.2)):
        yield answer("why_not", BETTER, **lead(aspects, history, "Case C"))
    for question, past in product(("why", "why_rather"), ((), ("Case C",))):
        yield kept(question, *past)
    for question, (hold, agree) in product(KINDS, ((3, 3), (2, 2), (1, 1), (0, 1), (0, 3), (0, 0))):
        yield answer(question, *changes_for(question)[0], **nets(hold, agree))


def kept(question: Kind, *past: str, **more: Any) -> AnswerRecord:
    """An item that stays where it is with no aspects at all, for what the user reviewed."""
    known = {**lead(0.1, 2.0, *past), "score_without_aspects": 2.5, "constraints": STRICT}
    return answer(question, status="cannot_flip", **{**known, **more})


def _audiences() -> Iterator[Record]:
    for changes in changes_for("audience"):
        yield audience(*changes)
        yield audience(*changes, status="not_found", entered=12, constraints=STRICT)
    for status in MISSES:
        nearest = [] if status in UNCHANGED else [BETTER]
        had = 120 if status == "already_true" else 0
        yield audience(*nearest, status=status, had_it=had, kept_it=had)
        yield audience(*nearest, status=status, goal="single", had_it=had, kept_it=had)
    for had, kept in ((1, 1), (1, 0), (9, 9), (9, 0), (9, 4)):
        yield audience(BETTER, had_it=had, kept_it=kept)
    yield audience(BETTER, asked=1, wanted=1, entered=1)
    for hold in (0, 2, 3):
        yield audience(BETTER, nets=3, nets_hold=hold)


def _rerankings() -> Iterator[Record]:
    for before, after in ((2, 7), (9, 3), (2, 4), (9, 7), (1, 1), (9, 9)):
        yield reranking(before, after)
        yield reranking(before, after, WORSE, NEW, Change("sound", 3.0, 0.0))
    given = (COMPLAINTS, ONE_COMPLAINT, SILENCE, PRAISES, ONE_PRAISE, FIRST_PRAISES, FIRST_PRAISE)
    new = (counted("zoom", 0, 0, balance) for balance in (0, -1, -2))
    for change in (*given, *new, Change("zoom", 3.0, 2.5, praises=1, complaints=1)):
        yield reranking(2, 7, change)


def by_history(status: str = "explained", reviews: tuple[str, ...] = ("Tide", "Reef"), **known: Any) -> HistoryRecord:
    """An answer by history about Kite, in a list of 5."""
    leaves = known.pop("leaves", status == "explained")
    row = {
        "user_id": "u",
        "item_id": "Kite",
        "position": 2,
        "by": "history",
        "status": status,
        "reviews": reviews,
        "leaves": leaves,
        "position_after": 7 if leaves else 3,
        "instead": "Wren" if leaves else None,
        "score_before": 2.5,
        "score_after": 1.25,
        "target_before": 1.5,
        "target_after": 1.75,
        "margin": 0.0001,
        "proof": "smallest" if status == "explained" else None,
        "past_reviews": 9,
        "sets": 31,
        **known,
    }
    return history_record(HistoryRow.of(row), k=5, names={"Tide": "Kolvera Tide"})


def by_history_records() -> Iterator[HistoryRecord]:
    """Every status, with a nearest miss and without."""
    yield by_history()
    yield by_history(instead=None, proof="irreducible", past_reviews=2, sets=1)
    yield by_history("out_of_budget", leaves=True)
    for status in MISSES:
        yield by_history(status, (), score_after=2.5, target_after=1.5, position_after=2, past_reviews=1)
    for status in ("not_found", "cannot_flip", "out_of_budget"):
        yield by_history(status)
        yield by_history(status, position_after=None)
        yield by_history(status, position_after=6)
    yield by_history("failed", (), score_before=None, score_after=None, position=None, position_after=None)
