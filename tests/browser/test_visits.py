"""The watch itself: what is wrong on a page is seen."""

from __future__ import annotations

import socketserver
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler

import pytest
from playwright.sync_api import Browser

from tests.browser.axe import grave_violations
from tests.browser.visits import PHONE, Visits, scrolls_sideways

PAGES = {
    "/good": "<html lang='en'><title>Good</title><main><h1>Good</h1></main></html>",
    "/logs": "<script>console.error('it went wrong')</script>",
    "/throws": "<script>throw Error('it went wrong')</script>",
    "/leaves": "<img src='http://example.com/x.png' alt=''>",
    "/unnamed": "<html lang='en'><title>Unnamed</title><main><h1>One</h1><button></button></main></html>",
    "/wide": "<div style='width: 800px'>wide</div>",
}


class _Pages(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200 if self.path in PAGES else 204)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(PAGES.get(self.path, "").encode())

    def log_message(self, *words: object) -> None:
        pass


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), _Pages) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


@pytest.mark.parametrize(
    ("path", "noted"),
    [
        ("/good", []),
        ("/logs", ["console: it went wrong"]),
        ("/throws", ["error: it went wrong"]),
        ("/leaves", ["leaves the machine: http://example.com/x.png", "console: Failed to load resource"]),
    ],
)
def test_what_goes_wrong_is_noted(browser: Browser, url: str, path: str, noted: list[str]) -> None:
    visits = Visits(browser)
    visits.blank().goto(url + path, wait_until="networkidle")
    visits.close()
    assert len(visits.problems) == len(noted)
    assert all(found.startswith(said) for found, said in zip(visits.problems, noted, strict=True))
    visits.forgive("went wrong")
    assert visits.unforgiven() == [problem for problem in visits.problems if "went wrong" not in problem]


def test_grave_violations_are_found(visits: Visits, url: str) -> None:
    page = visits.blank()
    page.goto(f"{url}/good")
    assert grave_violations(page) == []
    page.goto(f"{url}/unnamed")
    assert [found.split()[0] for found in grave_violations(page)] == ["button-name"]


def test_what_is_too_wide_is_found(visits: Visits, url: str) -> None:
    page = visits.blank(PHONE)
    page.goto(f"{url}/good")
    assert not scrolls_sideways(page)
    page.goto(f"{url}/wide")
    assert scrolls_sideways(page)
