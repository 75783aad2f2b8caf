"""Charts inside the page: labelled, apart from each other, and with names from the data as text."""

from __future__ import annotations

import pytest

from counterec.report.html import inline_svg
from tests.report.document.pages import Page

DRAWN = (
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 30 20">'
    '<defs><clipPath id="clip1"><path d="M0,0"/></clipPath></defs>'
    '<g clip-path="url(#clip1)" role="graphics-object" aria-roledescription="group"><use href="#clip1"/></g></svg>\n'
)


def test_names_inside_are_its_own() -> None:
    page = Page(inline_svg(DRAWN, "a chart", "one") + inline_svg(DRAWN, "a chart", "two"))
    assert page.values("id") == ["one-clip1", "two-clip1"]
    assert page.values("clip-path") == ["url(#one-clip1)", "url(#two-clip1)"]
    assert page.values("href") == ["#one-clip1", "#two-clip1"]


def test_it_is_one_picture_with_one_label_and_no_address() -> None:
    shown = inline_svg(DRAWN, 'share of "x" & <y>', "one")
    page = Page(shown)
    assert page.values("role") == ["img"]
    assert page.values("aria-label") == ['share of "x" & <y>']
    assert page.values("viewbox") == ["0 0 30 20"]
    assert "http" not in shown


@pytest.fixture(scope="module")
def charts():
    pytest.importorskip("vl_convert")
    from counterec.report.document import charts

    return charts


class TestCharts:
    def test_names_from_the_data_are_text(self, charts) -> None:
        nasty = "<script>x</script>"
        rows = [(nasty, 0.5), ("plain & simple", 0.25)]
        page = Page(inline_svg(charts.svg_of(charts.bars(rows, "share")), "bars", "bars"))
        assert "script" not in page.tags
        assert nasty in page.text
        assert "50%" in page.text
