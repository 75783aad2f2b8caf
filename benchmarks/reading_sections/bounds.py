"""What any method could reach on the model's side, by what was found of causes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from benchmarks.allowed_sets import MOST_ALLOWED
from benchmarks.reading_sections.markdown import PLACE, table, value
from benchmarks.reading_sections.places import Causes, Place


def bounds(found: Sequence[Place], causes: Causes) -> Iterator[str]:
    """Both bounds, without the mask and with it."""
    yield from by_other_reasons(found, causes)
    yield ""
    yield from by_the_mask(found, causes)


def by_other_reasons(found: Sequence[Place], causes: Causes) -> Iterator[str]:
    """What any method could reach where the model recommends for other reasons, too."""
    yield (
        "An item that is in the list even if no item has any aspect is there for something else: in a hybrid, for "
        "what other people chose. No aspects count as sufficient for it, whoever names them, so PS is at most the "
        "share of the items that leave, and F_NS at most 2·PS/(1 + PS). A2CF ranks by aspects alone, so its own "
        "lists have no such bound. Where there is one, what *complete* reaches of it, and A2CF in its own lists:"
    )
    yield ""
    rows = []
    for one in found:
        known = causes.get(one.path)
        if known and known["leave without aspects"] < known["pairs"]:
            share = known["leave without aspects"] / known["pairs"]
            a2cf = value(one.cell("a2cf").get("f_ns_all"))
            rows.append((str(one), f"{share:.3f}", *_reached(one, 1.0, share, masked=False), a2cf))
    yield from table((PLACE, "PS at most", "F_NS at most", "complete", "of the bound", "A2CF, own lists"), rows)


def by_the_mask(found: Sequence[Place], causes: Causes) -> Iterator[str]:
    """What any method could reach that names only aspects that the user has mentioned and the item has."""
    yield (
        "With the mask, only aspects that the user has mentioned and the item has may be named. For some pairs no set "
        f"of these is necessary, or none is sufficient: every set was judged where at most {MOST_ALLOWED} are allowed; "
        "other pairs count as reachable unless they are known not to be. So these shares bound every method that "
        "explains the same lists with the mask; EFM and A2CF predict both sides for all aspects, and explain lists of "
        "their own. All pairs:"
    )
    yield ""
    rows = []
    for one in found:
        if known := causes.get(one.path):
            pn, ps = (known["allowed sets"][name] / known["pairs"] for name in ("necessary", "sufficient"))
            own = (value(one.cell(method, masked=True).get("f_ns_all")) for method in ("efm", "a2cf"))
            rows.append((str(one), f"{pn:.3f}", f"{ps:.3f}", *_reached(one, pn, ps, masked=True), *own))
    heads = (PLACE, "PN at most", "PS at most", "F_NS at most", "complete", "of the bound", "EFM", "A2CF")
    yield from table(heads, rows)


def _reached(one: Place, necessary: float, sufficient: float, masked: bool) -> tuple[str, str, str]:
    """The harmonic mean of two bounds, F_NS of *complete*, and how much of the bound it has."""
    bound = 2 * necessary * sufficient / (necessary + sufficient) if necessary + sufficient else 0.0
    ours = one.cell("complete", masked=masked)["f_ns_all"]
    return f"{bound:.3f}", value(ours), f"{ours['value'] / bound:.0%}" if bound else "–"
