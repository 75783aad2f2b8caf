"""How fast the page opens and answers, and what it sends, for a large run beside the demo's size.

    python -m benchmarks.page_opening --users 10000 --items 20000 --out benchmarks/results/page_opening.md

Both runs are made from generated mentions, with a small net that is hardly trained: how good the lists are does not
matter here. Each is served by a process of its own and looked at in Chromium. Time is from the click to the answer on
the screen; sent is what the server sends for it, the socket included.
"""

from __future__ import annotations

import argparse
import platform
import statistics
import tempfile
import time
from collections.abc import Callable
from itertools import cycle
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright
from scripts.chromium import start_chromium
from scripts.generated_run import make_generated
from scripts.page_server import Server, started
from scripts.page_traffic import Traffic

from counterec.core.compute_limits import threads
from counterec.synthetic.world_size import WorldSize

DEMO = WorldSize()
ENDS = cycle((0.1, 0.9))
"""The shares of a row that it is moved to."""


def first_screen(page: Page, server: Server, user: str) -> None:
    page.goto(f"{server.url}/?user={user}")
    page.locator(".sentence").first.wait_for()


def found(page: Page, server: Server, user: str) -> None:  # noqa: ARG001
    page.get_by_role("combobox", name="Find another user").fill(user.lower())
    page.get_by_role("option", name=user).wait_for()
    page.keyboard.press("Escape")


def dragged(page: Page, server: Server, user: str) -> None:  # noqa: ARG001
    """Move the first row towards an end, and wait until the page says what that does to the list."""
    row, outcome = page.get_by_role("slider").first, page.locator(".outcome")
    said, place = outcome.inner_text(), row.bounding_box()
    assert place is not None
    row.click(position={"x": next(ENDS) * place["width"], "y": place["height"] / 3})
    page.wait_for_function("(said) => document.querySelector('.outcome').innerText !== said", arg=said, polling=5)


def model(page: Page, server: Server, user: str) -> None:  # noqa: ARG001
    page.goto(f"{server.url}/model")
    page.locator(".bar").first.wait_for()


def why_not(page: Page, server: Server, user: str) -> None:
    page.goto(f"{server.url}/why-not?user={user}")
    page.locator(".sentence").nth(1).wait_for()


STEPS: dict[str, Callable[[Page, Server, str], None]] = {
    "first screen": first_screen,
    "what if": dragged,
    "find a user": found,
    "why not": why_not,
    "the model": model,
}


def measured(browser: Browser, folder: Path, users: int, times: int) -> dict[str, tuple[float, float, float]]:
    """Per step: seconds of the first time, the median of the others, and kB sent in the last one."""
    results = {}
    with tempfile.TemporaryDirectory() as work:
        began = time.perf_counter()
        with started(folder, Path(work) / "log") as server:
            waited = time.perf_counter() - began
            results["start of the server"] = (waited, waited, 0.0)
            context = browser.new_context(viewport={"width": 1440, "height": 900})
            page = context.new_page()
            traffic = Traffic(page)
            width = max(4, len(str(users)))
            for name, step in STEPS.items():
                seconds = []
                for number in range(times + 1):
                    traffic.received, began = 0, time.perf_counter()
                    step(page, server, f"U{number * users // (times + 1) + 1:0{width}}")
                    seconds.append(time.perf_counter() - began)
                results[name] = (seconds[0], statistics.median(seconds[1:]), traffic.received / 1000)
            context.close()
    return results


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--users", type=int, default=10_000)
    parser.add_argument("--items", type=int, default=20_000)
    parser.add_argument("--times", type=int, default=9)
    parser.add_argument("--folder", type=Path, help="where the runs are kept, to be used again")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    sizes = {"demo": DEMO, "large": WorldSize(users=options.users, items=options.items)}
    with tempfile.TemporaryDirectory() as work, sync_playwright() as playwright, threads(1):
        browser, rows = start_chromium(playwright), {}
        for name, size in sizes.items():
            folder = (options.folder or Path(work)) / f"{name}-{size.users}-{size.items}"
            if not (folder / "manifest.json").exists():
                make_generated(folder, size)
            rows[name] = measured(browser, folder, size.users, options.times)
        browser.close()
    text = report(sizes, rows, options.times)
    print(text)
    if options.out:
        options.out.write_text(text, encoding="utf-8")


def report(sizes: dict[str, WorldSize], rows: dict[str, dict[str, tuple[float, float, float]]], times: int) -> str:
    lines = ["# How fast the page opens", "", f"Machine: {platform.processor() or platform.machine()}, one thread.", ""]
    lines += ["| run | users | items | step | first (s) | then (s) | sent (kB) |", "|---|---|---|---|---|---|---|"]
    for name, found_there in rows.items():
        size = f"{sizes[name].users:,} | {sizes[name].items:,}"
        for step, (first, then, sent) in found_there.items():
            lines.append(f"| {name} | {size} | {step} | {first:.2f} | {then:.2f} | {sent:,.0f} |")
    return "\n".join([*lines, "", f"Then: the median of {times}. Sent: in the last of them.", ""])


if __name__ == "__main__":
    main()
