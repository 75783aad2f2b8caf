"""A browser logs in with the token, and then sees the page that it asked for."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect

from tests.browser.axe import grave_violations
from tests.browser.reading import explained
from tests.browser.visits import Visits

TOKEN = "a-token-of-the-tests-0123456789"


def test_a_browser_logs_in(serve, demo_run: Path, tmp_path: Path, visits: Visits) -> None:
    (tmp_path / "token").write_text(TOKEN)
    server = serve(demo_run, "--token-file", str(tmp_path / "token"))
    visits.forgive("401")
    page = visits.blank()
    page.goto(f"{server.url}/?user=U0009")
    assert grave_violations(page) == []
    page.get_by_label("Token of this server").fill("not-this-one-but-another")
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("alert")).to_contain_text("not the token")
    page.get_by_label("Token of this server").fill(TOKEN)
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url("**/?user=U0009")
    explained(page)
    page.goto(f"{server.url}/api/v1/docs")
    expect(page.get_by_text("/why-not-for-all").first).to_be_visible()
