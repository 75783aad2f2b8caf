"""The elements of the report of a run: sections, panels, tables, charts, and numbers as people read them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from counterec.core.arrays import require
from counterec.report.figure_data import can_draw
from counterec.wording.markup import Child, Markup, element, isolated


@dataclass(frozen=True)
class Section:
    """One section of the report."""

    name: str
    """What its address ends in."""
    title: str
    body: Markup

    def html(self) -> Markup:
        """The section with its heading."""
        heading = element("h2", self.title, id=f"{self.name}-title")
        return element("section", heading, self.body, id=self.name, aria_labelledby=f"{self.name}-title")


@dataclass(frozen=True)
class Cell:
    """One cell of a table, where it is more than a text."""

    shown: Child
    aside: str = ""
    """A remark in small letters, such as an interval."""
    shade: float | None = None
    """How deep the cell is coloured, from 0 to 1."""
    number: bool = True


Row: TypeAlias = "Sequence[Child | Cell]"
"""One row of a table; its first cell names it."""


def paragraph(*content: Child, small: bool = False) -> Markup:
    """A paragraph."""
    return element("p", *content, class_="note" if small else None)


def missing(what: str, advice: str = "") -> Markup:
    """What stands where a run has no data for a panel."""
    return element("p", f"{what} {advice}".strip(), class_="missing")


def panel(title: str, *content: Child, wide: bool = False) -> Markup:
    """A part of a section, with a heading of its own."""
    return element("div", element("h3", title), *content, class_="panel wide" if wide else "panel")


def grid(*panels: Child) -> Markup:
    """Panels side by side where there is room."""
    return element("div", *panels, class_="grid")


def stacked(*panels: Child) -> Markup:
    """Panels one below the other, as one of those that stand side by side."""
    return element("div", *panels, class_="stack")


def beside(*content: Child) -> Markup:
    """Charts and tables of one panel, side by side where there is room."""
    return element("div", *content, class_="beside")


def folded(title: str, *content: Child) -> Markup:
    """What is shown on a click, and on paper."""
    return element("details", element("summary", title), *content)


def tiles(facts: Sequence[tuple[str, str, str]]) -> Markup:
    """The main numbers: value, what it is, and a remark."""
    shown = [
        element("div", element("dt", what), element("dd", value), element("dd", remark, class_="note"), class_="tile")
        for value, what, remark in facts
    ]
    return element("dl", shown, class_="tiles")


def table(head: Sequence[str], rows: Sequence[Row], *, label: str, texts: int = 1) -> Markup:
    """A table in a frame of its own, which is moved where it is too wide; the first cell of a row names it.

    The first ``texts`` columns hold texts, the others numbers. ``label`` says to a screen reader what it is.
    """
    columns = [_heading(heading, place, texts) for place, heading in enumerate(head)]
    body = [element("tr", [_cell(cell, place, texts) for place, cell in enumerate(row)]) for row in rows]
    for row in rows:
        require(len(row) == len(head), f"the table {label!r} has a row of {len(row)} cells for {len(head)} columns")
    inner = element("table", element("thead", element("tr", columns)), element("tbody", body))
    return element("div", inner, class_="scroll", role="group", aria_label=label, tabindex=0)


def _heading(heading: str, place: int, texts: int) -> Markup:
    """The heading of a column; over the names of rows there may be none."""
    return element("th", heading, scope="col", class_=None if place < texts else "number") if heading else element("td")


def _cell(content: Child | Cell, place: int, texts: int) -> Markup:
    cell = content if isinstance(content, Cell) else Cell(content, number=place >= texts)
    shown: Child = (
        isolated(cell.shown) if isinstance(cell.shown, str) and not isinstance(cell.shown, Markup) else cell.shown
    )
    inner = [shown, element("span", " ", cell.aside, class_="note") if cell.aside else None]
    kind = "number" if cell.number else None
    if place == 0:
        return element("th", inner, scope="row", class_=kind)
    shade = None if cell.shade is None else f"--shade:{round(100 * min(max(cell.shade, 0.0), 1.0))}%"
    return element("td", inner, class_=f"{kind or ''} shaded".strip() if shade else kind, style=shade)


NONE = "–"


def count(value: int | None) -> str:
    """“1,500”."""
    return NONE if value is None else f"{value:,}"


def share(value: float | None, digits: int = 0) -> str:
    """“13%”; what is neither none nor all is not rounded to it: “under 1%”, “over 99%”."""
    if value is None:
        return NONE
    if value in (0, 1):
        return f"{value:.0%}"
    shown, step = f"{value:.{digits}%}", 10.0**-digits
    if 0 < value < 1 and shown in (f"{0:.{digits}%}", f"{1:.{digits}%}"):
        return f"under {step:.{digits}f}%" if value < 0.5 else f"over {100 - step:.{digits}f}%"
    return shown


def decimal(value: float | None, digits: int = 2) -> str:
    """“1.16”."""
    return NONE if value is None else f"{value:z,.{digits}f}"


def measure(found: Mapping[str, Any] | None, digits: int = 3) -> str:
    """The value of a measure of an evaluation."""
    return NONE if found is None else decimal(found.get("value"), digits)


def interval(found: Mapping[str, Any] | None, digits: int = 3) -> str:
    """“0.189 to 0.230”; empty where there is none."""
    if found is None or found.get("value") is None or not found.get("interval"):
        return ""
    low, high = found["interval"]
    return f"{low:.{digits}f} to {high:.{digits}f}"


def seconds(value: float) -> str:
    """“0.3 s”, “2 min 19 s”."""
    if value < 60:
        return f"{value:.1f} s"
    minutes, rest = divmod(round(value), 60)
    return f"{minutes} min {rest} s"


_OUTER = re.compile(r"<svg\b[^>]*>")
_BOX = re.compile(r'viewBox="0 0 ([\d.]+) ([\d.]+)"')
_NAMES = re.compile(r'(\bid="|url\(#|href="#)([\w-]+)')
_ROLES = re.compile(r' (?:role|aria-\w+)="[^"]*"')
"""What a drawing says of its parts to a screen reader: here it is one picture with one label."""


def inline_svg(svg: str, label: str, name: str) -> Markup:
    """An SVG document that vl-convert has made, as an element; ``name`` begins the names of its clips and gradients."""
    start, box = _OUTER.search(svg), _BOX.search(svg)
    assert start is not None, "this is no SVG document"
    width, height = box.groups() if box else ("600", "400")
    inner = svg[start.end() : svg.rindex("</svg>")]
    own = Markup(_ROLES.sub("", _NAMES.sub(rf"\g<1>{name}-\g<2>", inner)))  # its texts were escaped when it was made
    return element(
        "svg",
        own,
        viewBox=f"0 0 {width} {height}",
        width=width,
        height=height,
        role="img",
        aria_label=label,
        class_="chart",
    )


UNDRAWN = (
    "This chart is not drawn, since Altair and vl-convert-python are not installed: pip install counterec[report]."
)


def figure(make: Callable[[Any], Any], label: str, name: str, caption: str = "") -> Markup:
    """A chart with its label and caption; ``make`` gets the module ``charts``, which only Altair can load."""
    if not can_draw():
        return missing(UNDRAWN)
    from counterec.report.document import charts

    shown = inline_svg(charts.svg_of(make(charts)), label, name)
    return element("figure", shown, element("figcaption", caption) if caption else None)
