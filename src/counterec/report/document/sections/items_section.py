"""Which items win and lose by which aspects."""

from __future__ import annotations

from counterec.report.document.inputs import ReportInputs
from counterec.report.html import Section, count, grid, missing, panel, paragraph, table
from counterec.report.overview import Side, items_by_aspect
from counterec.wording.markup import Markup, element, isolated, together

MOST_ITEMS = 10
MOST_ASPECTS = 4
"""How many aspects are named of an item."""


def items_section(inputs: ReportInputs) -> Section:
    """The section."""
    title = "Which items win and lose"
    if inputs.cases is None:
        return Section("items", title, missing("Nothing is explained in this run yet.", "Go on with counterec run."))
    return Section("items", title, grid(_side(inputs, "wins"), _side(inputs, "loses")))


TITLES: dict[Side, str] = {"wins": "Items that win", "loses": "Items that lose"}
NOTES: dict[Side, str] = {
    "wins": "An item wins a list by what would take it off the list if it were otherwise.",
    "loses": "An item just below a list loses it by what keeps items of the list ahead of it.",
}
HEADS: dict[Side, list[str]] = {"wins": ["item", "by", "lists"], "loses": ["item", "by", "just below"]}


def _side(inputs: ReportInputs, side: Side) -> Markup:
    assert inputs.cases is not None
    found = items_by_aspect(inputs.cases, side)
    if not len(found):
        why = "rules decide the lists, so what would move up is not in the stored answers" if side == "loses" else ""
        return panel(
            TITLES[side],
            missing(f"No item is known to {side.removesuffix('s')} by anything{': ' + why if why else ''}."),
        )
    items: dict[str, list[tuple[str, int, int]]] = {}
    for item_id, aspect, lists, of_lists, _ in found.iter_rows():
        items.setdefault(item_id, []).append((aspect, lists, of_lists))
    ranked = sorted(items.items(), key=lambda item: (-item[1][0][2], item[0]))[:MOST_ITEMS]
    rows = [[inputs.folder.item_name(item_id), _by(own), count(own[0][2])] for item_id, own in ranked]
    shown = table(HEADS[side], rows, label=TITLES[side], texts=2)
    where = "are in most lists" if side == "wins" else "are most often just below a list"
    some = "All" if len(rows) == len(items) else f"The {len(rows)} of"
    most = f"{some} {count(len(items))} items that {where if len(rows) < len(items) else 'do'}."
    return panel(TITLES[side], paragraph(NOTES[side], small=True), shown, paragraph(most, small=True))


def _by(aspects: list[tuple[str, int, int]]) -> Markup:
    """The aspects with the number of lists that each wins or loses, the most first."""
    shown = [
        element("span", isolated(aspect), " ", element("span", lists, class_="note"), class_="by")
        for aspect, lists, _ in aspects[:MOST_ASPECTS]
    ]
    return together(*(part for one in shown for part in (one, " ")))
