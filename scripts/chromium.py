"""Where Chromium is on this machine, and how it is started."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Playwright

VARIABLE = "COUNTEREC_CHROMIUM"
"""The environment variable that names a Chromium to use before any other."""
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)
FLAGS = (
    "--no-sandbox",  # continuous integration often runs as root, where the sandbox does not start
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--force-color-profile=srgb",
    "--font-render-hinting=none",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",  # nothing leaves the machine
)


def installed_chromium() -> Path | None:
    """Return the Chromium of the environment variable, of the system or of Playwright; None if there is none."""
    for name in (os.environ.get(VARIABLE), *NAMES, *PLACES):
        if name and (found := shutil.which(name)):
            return Path(found)
    return _of_playwright()


def _of_playwright() -> Path | None:
    """The Chromium that Playwright downloaded for itself."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = Path(playwright.chromium.executable_path)
    return path if path.exists() else None


def start_chromium(playwright: Playwright) -> Browser:
    """Start the Chromium of this machine without a window."""
    found = installed_chromium()
    if found is None:
        raise FileNotFoundError("no Chromium on this machine; python -m scripts.set_up_browser installs one")
    return playwright.chromium.launch(executable_path=found, args=list(FLAGS))
