"""The page behind a real nginx, under a sub-path: assets, socket, links and addresses all stay below it."""

from __future__ import annotations

import re
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect
from scripts.nginx import installed_nginx
from scripts.page_server import HOST, Server, free_port

from tests.browser.reading import chosen_item, explained, panel, the_list
from tests.browser.visits import Visits, connected

PAGE = Path(__file__).parents[2] / "docs" / "page.md"
DOCUMENTED, PATH = "/why", "/tools/why"
"""The path in the documented configuration, and a deeper one to try it with."""
CONFIG = """
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
worker_processes 1;
events {{ worker_connections 256; }}
http {{
  access_log {folder}/access.log;
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
  server {{
    listen {host}:{port};
    {location}
  }}
}}
"""


def documented(port: int) -> str:
    """What the documentation says to write into nginx's configuration, for this server and path."""
    (block,) = re.findall(r"```text\n(location .*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    return block.replace("127.0.0.1:8080", f"{HOST}:{port}").replace(DOCUMENTED, PATH)


@pytest.fixture
def proxied(demo: Server, tmp_path: Path) -> Iterator[str]:
    """The address of the page behind nginx."""
    nginx = installed_nginx()
    if nginx is None:
        pytest.skip("nginx is not installed; python -m scripts.set_up_browser installs it")
    port, config = free_port(), tmp_path / "nginx.conf"
    config.write_text(CONFIG.format(folder=tmp_path, host=HOST, port=port, location=documented(demo.port)))
    process = subprocess.Popen([str(nginx), "-p", str(tmp_path), "-c", str(config)], stderr=subprocess.DEVNULL)
    try:
        _wait_for(f"http://{HOST}:{port}{PATH}/", process, tmp_path / "error.log")
        yield f"http://{HOST}:{port}"
    finally:
        process.terminate()
        process.wait(10)


def _wait_for(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(100):
        assert process.poll() is None, log.read_text()
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.1)
    raise AssertionError(log.read_text())


def test_everything_stays_below_the_path(proxied: str, visits: Visits) -> None:
    page = visits.blank()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{proxied}{PATH}/")
    connected(page)
    explained(page)
    item = chosen_item(page)
    page.get_by_role("button", name="Show the smallest change").click()
    expect(the_list(page).locator("li.below .name", has_text=item)).to_be_visible()
    assert urlsplit(page.url).path.startswith(PATH)
    for title in ("The model", "For a seller", "Why not?", "Why?"):
        panel(page, title)
        expect(page.get_by_role("link", name=title, exact=True)).to_have_attribute("aria-current", "page")
        assert urlsplit(page.url).path.startswith(PATH)
    the_list(page).get_by_role("link").nth(1).click()
    explained(page)
    assert urlsplit(page.url).path.startswith(PATH)
    outside = [url for url in asked if not urlsplit(url).path.startswith(PATH) and not url.startswith("data:")]
    assert outside == []


def test_an_address_below_the_path_can_be_opened(proxied: str, visits: Visits) -> None:
    page = visits.open(f"{proxied}{PATH}/model?position=2")
    expect(page.get_by_role("combobox", name="Position in the list")).to_have_value("2")
    page.reload()
    expect(page.get_by_role("combobox", name="Position in the list")).to_have_value("2")
