"""Charts on the page, or a word on why there are none: what draws them is optional."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from counterec.report.document.inline_svg import inline_svg
from counterec.report.document.parts import missing
from counterec.report.drawing import can_draw
from counterec.wording.markup import Markup, element

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
