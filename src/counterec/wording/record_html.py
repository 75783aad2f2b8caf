"""The record of an answer as HTML: the reason, the sentence, the changes on their scales, and the marks.

A report, a notebook and whoever embeds an answer show this; the words are those of the other modules.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from counterec.wording.change import Change
from counterec.wording.marks import Mark, marks
from counterec.wording.markup import Markup, element, isolated, together
from counterec.wording.phrases import shown_values
from counterec.wording.reasons import reason
from counterec.wording.record import AnswerRecord
from counterec.wording.sentences import background, sentence

TRACK, HEIGHT, ROOM = 120, 16, 8
"""The size of the line on which a change is drawn, in pixels, and the room at its ends."""
ARM = 4
"""Half the size of a cross."""
NEAREST = "What comes nearest:"
"""The heading over the changes of a miss."""


def answer_html(record: AnswerRecord, behind: Callable[[Change], Markup | None] | None = None) -> Markup:
    """An answer in full; ``behind`` says what stands behind a change, such as review sentences."""
    more = background(record)
    heading = None if record.explained or not record.changes else NEAREST
    evidence = [] if behind is None else [found for change in record.changes if (found := behind(change))]
    return element(
        "div",
        element("p", reason(record), class_="ce-lead"),
        element("p", sentence(record)),
        element("p", heading, class_="ce-note") if heading else None,
        changes_html(record.changes) if record.changes else None,
        marks_html(marks(record)),
        element("p", more, class_="ce-note") if more else None,
        evidence,
        class_="ce-answer",
    )


def changes_html(changes: Sequence[Change]) -> Markup:
    """Changes as a table: aspect, before, after, drawn on the scale and, where counted, the opinions behind it."""
    counted = all(change.opinions is not None for change in changes)
    drawn = any(_is_drawn(change) for change in changes)
    head = [element("th", name, scope="col") for name in ("aspect", "before", "after")]
    if drawn:
        head.append(element("th", "on its scale", scope="col", class_="ce-drawn"))
    if counted:
        head.append(element("th", "opinions", scope="col", class_="ce-number"))
    rows = [_change_row(change, drawn, counted) for change in changes]
    return element("table", element("thead", element("tr", head)), element("tbody", rows), class_="ce-changes")


def _change_row(change: Change, drawn: bool, counted: bool) -> Markup:
    before, after = change_values(change)
    cells = [
        element("th", isolated(change.aspect), scope="row"),
        element("td", isolated(before)),
        element("td", element("strong", isolated(after))),
    ]
    if drawn:
        cells.append(element("td", _on_scale(change) if _is_drawn(change) else None, class_="ce-drawn"))
    if counted:
        cells.append(element("td", change.opinions, class_="ce-number"))
    return element("tr", cells)


def change_values(change: Change) -> tuple[str, str]:
    """Before and after as people read them, *absent* included."""
    before, after = change.shown() if change.attribute is None else shown_values(change)
    return "absent" if change.added else before, "absent" if change.removed else after


def marks_html(found: Sequence[Mark]) -> Markup:
    """Marks as a list of the meaning of each for whoever points at it."""
    shown = [element("li", mark.label, title=mark.meaning, class_=f"ce-mark ce-{mark.tone}") for mark in found]
    return element("ul", shown, class_="ce-marks") if shown else together()


def _is_drawn(change: Change) -> bool:
    """Whether the aspect has a line to move on; a category, or yes and no, has none."""
    return change.attribute is None or change.attribute.is_number


def _on_scale(change: Change) -> Markup:
    """The change as a line from the lowest to the highest value: a ring before, a dot after, a cross if it is gone."""
    low, high = (f"{end:g}" for end in (change.low, change.high))
    middle = HEIGHT / 2
    before, after = (_place(change, value) for value in (change.before, change.after))
    svg = element(
        "svg",
        element("line", x1=ROOM, x2=ROOM + TRACK, y1=middle, y2=middle, stroke="currentColor", opacity=0.3),
        element("line", x1=before, x2=after, y1=middle, y2=middle, class_="ce-move", stroke_width=3),
        None if change.added else element("circle", cx=before, cy=middle, r=4.5, class_="ce-before", stroke_width=1.5),
        _cross(after) if change.removed else element("circle", cx=after, cy=middle, r=4.5, class_="ce-after"),
        width=TRACK + 2 * ROOM,
        height=HEIGHT,
        viewBox=f"0 0 {TRACK + 2 * ROOM} {HEIGHT}",
        aria_hidden="true",
    )
    ends = (element("span", end, class_="ce-end") for end in (low, high))
    return element("span", next(ends), svg, next(ends), class_="ce-scale")


def _place(change: Change, value: float) -> float:
    """Where a value lies on the line; what is off the scale, such as *absent*, beyond its end."""
    share = (value - change.low) / change.span
    return round(min(max(ROOM + TRACK * share, ROOM / 2), 1.5 * ROOM + TRACK), 1)


def _cross(at: float) -> Markup:
    """The sign of what is gone."""
    top, bottom = HEIGHT / 2 - ARM, HEIGHT / 2 + ARM
    return together(
        element("line", x1=at - ARM, x2=at + ARM, y1=start, y2=end, class_="ce-move", stroke_width=2)
        for start, end in ((top, bottom), (bottom, top))
    )


NOTEBOOK_STYLE = Markup(
    "<style>"
    ".ce-card{max-width:46em;font-family:system-ui,sans-serif;line-height:1.45;overflow-wrap:anywhere}"
    ".ce-card .ce-lead{font-size:1.2em;margin:.2em 0 .4em}"
    ".ce-card .ce-note,.ce-card summary{opacity:.8;margin:.3em 0}"
    ".ce-card table{border-collapse:collapse;margin:.5em 0}"
    ".ce-card th,.ce-card td{text-align:left;padding:.15em .8em .15em 0;background:none}"
    ".ce-card .ce-number{text-align:right}"
    ".ce-card .ce-scale{display:inline-flex;align-items:center;gap:.2em}"
    ".ce-card .ce-end{opacity:.7;font-size:.85em}"
    ".ce-card svg{overflow:visible;vertical-align:middle}"
    ".ce-card .ce-move{stroke:#d1651b}.ce-card .ce-after{fill:#d1651b}"
    ".ce-card .ce-before{fill:none;stroke:currentColor}"
    ".ce-card .ce-marks{display:flex;flex-wrap:wrap;gap:.4em;list-style:none;margin:.5em 0;padding:0}"
    ".ce-card .ce-mark{border:1px solid;border-radius:1em;padding:0 .7em;font-size:.85em;opacity:.85;margin:0}"
    ".ce-card .ce-below{opacity:.65}.ce-card .ce-cut td,.ce-card .ce-cut th{border-top:2px solid}"
    "</style>"
)
"""The style of what a notebook shows: of its own class, in the colours of the notebook, light or dark."""


def notebook_card(*content: Markup) -> Markup:
    """What a notebook shows of a value."""
    return element("div", NOTEBOOK_STYLE, *content, class_="ce-card")
