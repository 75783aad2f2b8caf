"""Makes the two pictures of the README again, from a run folder: the first screen, and the model.

    python -m scripts.screenshots [--run runs/demo]

Without a run, the demo is made first, which takes a few minutes.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from scripts.chromium import start_chromium
from scripts.page_server import Server, started

ROOT = Path(__file__).parent.parent
IMAGES = ROOT / "docs" / "images"
WIDTH = 1280
HEIGHTS = {"page": 1180, "model": 860}


def first_screen(page: Page, server: Server) -> None:
    """Open the first case and make the smallest change."""
    page.goto(server.url)
    page.locator(".headline").wait_for()
    page.get_by_role("button", name="Show the smallest change").click()
    page.locator(".outcome:not(:empty)").wait_for()


def model(page: Page, server: Server) -> None:
    """Show what drives the model, and the cases behind its first bar."""
    page.goto(f"{server.url}/model")
    page.locator(".bar").first.click()
    page.locator("ol.cases li").first.wait_for()


PICTURES: dict[str, Callable[[Page, Server], None]] = {"page": first_screen, "model": model}


def main() -> None:
    """Take the pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--run", type=Path, default=ROOT / "runs" / "demo")
    parser.add_argument("--out", type=Path, default=IMAGES)
    options = parser.parse_args()
    if not (options.run / "manifest.json").exists():
        subprocess.run([sys.executable, "-m", "counterec", "demo", "--out", options.run, "--quiet"], check=True)
    options.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as work, sync_playwright() as playwright:
        browser = start_chromium(playwright)
        with started(options.run, Path(work) / "log") as server:
            for name, visit in PICTURES.items():
                context = browser.new_context(
                    viewport={"width": WIDTH, "height": HEIGHTS[name]}, color_scheme="light", reduced_motion="reduce"
                )
                page = context.new_page()
                visit(page, server)
                page.mouse.move(0, 0)
                page.evaluate("window.scrollTo(0, 0)")
                page.wait_for_timeout(500)  # fonts and places have settled
                page.screenshot(path=options.out / f"{name}.png")
                context.close()
                print(options.out / f"{name}.png")
        browser.close()


if __name__ == "__main__":
    main()
