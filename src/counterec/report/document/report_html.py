"""The whole report: its head, the main numbers, the sections, and nothing from elsewhere."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from counterec.pipeline.files import beside_of, writing
from counterec.report.document.inputs import ReportInputs
from counterec.report.document.sections.driver_sections import drivers_section, findings, items_section
from counterec.report.document.sections.examples_section import examples_section
from counterec.report.document.sections.run_sections import (
    data_section,
    experiment_section,
    recommender_section,
    settings_section,
)
from counterec.report.document.sections.unexplained_section import unexplained_section
from counterec.report.html import Section, count, decimal, paragraph, share, tiles
from counterec.report.overview import outcomes
from counterec.wording.markup import Markup, element, isolated, together

FILE = "report.html"
"""Where the report lies in a run folder, unless another place is named."""
SECTIONS = (
    examples_section,
    drivers_section,
    items_section,
    data_section,
    recommender_section,
    unexplained_section,
    experiment_section,
    settings_section,
)
"""In the order of the page: what people came for first, how it was made last."""
WITHOUT_TEXT = (
    "Made without review texts; users are shown by pseudonyms, made with a key that was not kept. The items that a "
    "user got or reviewed are shown."
)
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
"""What a browser may load for this page: nothing."""


def report_html(inputs: ReportInputs) -> str:
    """The report as one HTML document."""
    name = inputs.folder.path.resolve().name
    sections = [make(inputs) for make in SECTIONS]
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", http_equiv="Content-Security-Policy", content=POLICY),
        element("meta", name="color-scheme", content="light dark"),
        element("title", f"{name}: why these recommendations?"),
        element("style", Markup(_style())),
    )
    main = element("main", [section.html() for section in sections], id="content")
    body = element("body", _skip(), _header(inputs, name), _contents(sections), main)
    return f"<!DOCTYPE html>\n{element('html', head, body, lang='en')}\n"


def write_report_html(inputs: ReportInputs, path: Path) -> Path:
    """Write the report so that a reader sees the old file or the new one; return where it is."""
    document = report_html(inputs)
    with writing(path.parent):
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = beside_of(path)
        beside.write_text(document, encoding="utf-8")
        beside.replace(path)
    return path


def _style() -> str:
    return (files(__package__) / "style.css").read_text(encoding="utf-8")


def _skip() -> Markup:
    return element("a", "Skip to the content", href="#content", class_="skip")


def _header(inputs: ReportInputs, name: str) -> Markup:
    note = None if inputs.privacy.shows_text else paragraph(WITHOUT_TEXT, small=True)
    return element(
        "header",
        element("p", "CountERec report", class_="kicker"),
        element("h1", isolated(name)),
        paragraph(
            "Why is each item in each user's list? An answer names the smallest change that was found to take the "
            "item off the list. Every such change was tried out in the model."
        ),
        note,
        _main_numbers(inputs),
    )


def _main_numbers(inputs: ReportInputs) -> Markup:
    if inputs.cases is None:
        return together()
    found = outcomes(inputs.cases)
    lists = f"to {count(found.users)} users, {count(found.items)} different items"
    what = "attributes" if inputs.imported else "aspects"
    facts = [
        (count(found.recommendations), "recommendations", lists),
        (share(found.explained_share, 1), "explained", f"by the method {inputs.methods[0]}"),
        (decimal(found.aspects_named, 1), f"{what} per explanation", f"{share(found.one_aspect)} name a single one"),
    ]
    if found.led_by_history is not None:
        facts.append(
            (share(found.led_by_history), "rest on history", f"more than on {what}: on what the user reviewed before")
        )
    elif found.necessary is not None:
        facts.append((share(found.necessary), "necessary", "the item leaves if no item has what is named"))
    return together(tiles(facts), findings(inputs, found))


def _contents(sections: list[Section]) -> Markup:
    links = [element("li", element("a", section.title, href=f"#{section.name}")) for section in sections]
    return element("nav", element("ul", links), aria_label="Contents")
