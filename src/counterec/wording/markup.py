"""HTML from values: whatever is not marked as HTML already is text, and is escaped.

So a name or a review with tags, quotes or an ampersand in it is shown as it was written, and cannot do anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape
from typing import TypeAlias

from counterec.core.arrays import require

NAME = re.compile(r"[a-zA-Z][a-zA-Z0-9:-]*")
VOID = frozenset({"br", "col", "hr", "img", "link", "meta", "wbr"})
"""Elements that have no end."""
UNSHOWN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
"""Characters that no HTML document may hold."""


class Markup(str):
    """Text that is HTML already: it came from here, or from a chart."""

    __slots__ = ()


Child: TypeAlias = "str | int | Iterable[Child] | None"
Attribute: TypeAlias = str | int | float | bool | None


def element(tag: str, /, *children: Child, **attributes: Attribute) -> Markup:
    """An element with its children; text is escaped, None is left out.

    An attribute ``class_`` is ``class`` and ``aria_label`` is ``aria-label``; True is a bare attribute, None and False
    are none.
    """
    require(NAME.fullmatch(tag) is not None, f"{tag!r} is no name of an element")
    shown = "".join(_attribute(name, value) for name, value in attributes.items())
    if tag in VOID:
        require(not children, f"<{tag}> can hold nothing")
        return Markup(f"<{tag}{shown}>")
    return Markup(f"<{tag}{shown}>{together(*children)}</{tag}>")


def together(*children: Child) -> Markup:
    """Several children, one after the other."""
    return Markup("".join(_child(child) for child in children))


def isolated(text: str) -> Markup:
    """A name from the data: whichever way its script runs, it does not turn what stands around it."""
    return element("bdi", text)


def _child(child: Child) -> str:
    if child is None:
        return ""
    if isinstance(child, Markup):
        return child
    if isinstance(child, str):
        return escape(_showable(child))
    if isinstance(child, int):
        return str(child)
    return "".join(_child(one) for one in child)


def _attribute(name: str, value: Attribute) -> str:
    plain = name.rstrip("_").replace("_", "-")
    require(NAME.fullmatch(plain) is not None, f"{name!r} is no name of an attribute")
    if value is None or value is False:
        return ""
    return f" {plain}" if value is True else f' {plain}="{escape(_showable(str(value)))}"'


def _showable(text: str) -> str:
    return UNSHOWN.sub("\N{REPLACEMENT CHARACTER}", text)
