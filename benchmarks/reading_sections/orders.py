"""Deletion and insertion: how good the order is that a method gives to aspects."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from benchmarks.reading_sections.markdown import table, value
from benchmarks.reading_sections.places import SAME_LISTS, Place

CURVES = {"in_list": "POS@K", "deleted": "DEL", "inserted": "INS"}
METHODS = ("complete", "relaxed", "minimal", *SAME_LISTS)


def orders(found: Sequence[Place]) -> Iterator[str]:
    """The areas under the curves, and which method has the best."""
    best, rows = {name: Counter[str]() for name in CURVES}, []
    for one in found:
        areas = {each["method"]: each for each in one.found["orders"] if each["method"] in METHODS}
        for name, counts in best.items():
            better = max if name == "inserted" else min
            counts[better(areas, key=lambda method: float(areas[method][name]["value"]))] += 1
        shown = ("/".join(value(areas.get(method, {}).get(name), 2) for name in CURVES) for method in METHODS)
        rows.append((str(one), *shown))
    said = "; ".join(
        f"{CURVES[name]}: " + ", ".join(f"{method} in {count}" for method, count in counts.most_common())
        for name, counts in best.items()
    )
    yield (
        f"Best by the area under the curve, of {len(found)} reports: {said}. A goal of CountER orders the few "
        "aspects that it names, and the rest is drawn; an attribution orders all of them. POS@K and DEL are better "
        "low, INS high."
    )
    yield ""
    yield from table(("/".join(CURVES.values()), *METHODS), rows)
