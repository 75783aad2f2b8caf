"""SVG as a part of the page: sized by its box, labelled for whoever cannot see it, and with inner names of its own."""

from __future__ import annotations

import re

from counterec.wording.markup import Markup, element

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
