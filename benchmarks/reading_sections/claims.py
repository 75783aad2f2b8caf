"""The paper's claims over all reports, and its literal settings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from benchmarks.reading_sections.markdown import PLACE, percent, reports, table, value
from benchmarks.reading_sections.places import Place
from counterec.report.published_numbers import published

VERDICTS = ("holds", "does not", "cannot tell")


def claims(found: Sequence[Place]) -> Iterator[str]:
    """How often each claim holds, and what refutes it where it does not."""
    texts = {claim["name"]: claim["text"] for claim in found[0].found["claims"]}
    yield (
        "The number of reports in which a claim holds, does not hold, or cannot be decided. Every `claims.txt` has all "
        "its parts."
    )
    yield ""
    rows = [(texts[name], *(str(counts[verdict]) for verdict in VERDICTS)) for name, counts in judged(found).items()]
    yield from table(("claim", *VERDICTS), rows)
    yield ""
    yield "What refutes a claim, by the part that fails in most reports, with the lowest and the highest value there:"
    yield ""
    for name, text in texts.items():
        failing: dict[str, list[float]] = {}
        for part in (
            part for claim in _of_all(found, name) for part in claim["parts"] if part["verdict"] == "does not"
        ):
            failing.setdefault(part["what"], []).append(part["value"])
        if failing:
            what, values = max(failing.items(), key=lambda entry: len(entry[1]))
            told = f"{min(values):.3f} to {max(values):.3f}" if len(values) > 1 else f"{values[0]:.3f}"
            parts = f"parts that fail somewhere: {len(failing)}"
            yield f"- {text} *{what}*: {told} ({reports(len(values))}); {parts}."


def judged(found: Sequence[Place]) -> dict[str, Counter[str]]:
    """By claim: in how many reports it has which verdict."""
    names = [claim["name"] for claim in found[0].found["claims"]]
    return {name: Counter(claim["verdict"] for claim in _of_all(found, name)) for name in names}


def _of_all(found: Sequence[Place], name: str) -> list[dict[str, Any]]:
    return [claim for one in found for claim in one.found["claims"] if claim["name"] == name]


def as_published(found: Sequence[Place]) -> Iterator[str]:
    """What the paper's literal settings explain."""
    yield (
        "Sigmoid scores, gradient steps and α = 0.2 as printed, for each λ: the share of pairs whose item leaves "
        "the list, the aspects named, and F_NS over all pairs. Our own way has no λ to set: it raises it for each "
        "pair until the item leaves."
    )
    yield ""
    rows: list[dict[str, str]] = []
    for one in found:
        there = [
            each
            for each in one.found["sweep"]
            if each["variant"] == "as_published" and each["alpha"] == published().text["alpha"]
        ]
        rows.append({PLACE: str(one)} | {f"λ = {each['lambda']:g}": _flips(each) for each in there})
    yield from table(list(rows[0]), (list(row.values()) for row in rows))


def _flips(point: dict[str, Any]) -> str:
    return f"{percent(point['fidelity'])}, {value(point['aspects'], 1)}, {value(point['f_ns_all'], 2)}"
