"""What the page about the service shows works as it stands."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import httpx
import pytest

from counterec.service.middleware import AT_ONCE, BODY_BYTES, BODY_SECONDS
from counterec.service.routes import LONGEST_MS, MOST_PAIRS, MOST_STREAMED
from tests.service.serving import ROOT, Served

PAGE = (ROOT / "docs" / "service.md").read_text(encoding="utf-8")


@pytest.mark.skipif(shutil.which("curl") is None, reason="there is no curl")
def test_the_question_by_curl(served: Served, api: httpx.Client) -> None:
    (command,) = re.findall(r"^```bash\n(curl .*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    listed = api.get("/recommendations", params={"user_id": "U0004"}).json()["items"]
    command = command.replace("http://127.0.0.1:8080", served.url).replace("ITEM", listed[0]["item_id"])
    ended = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True, timeout=60)
    (answer,) = json.loads(ended.stdout)["answers"]
    assert answer["item_id"] == listed[0]["item_id"]
    assert answer["sentence"]


def test_every_route_is_on_the_page(api: httpx.Client) -> None:
    document = api.get("/openapi.json").json()
    listed = re.findall(r"`(GET|POST) (/[^`?]*)", PAGE)
    there_are = {
        (method.upper(), re.sub(r"\{\w+\}", "ID", path))
        for path, operations in document["paths"].items()
        for method in operations
    }
    assert there_are == set(listed)


def test_every_limit_is_on_the_page() -> None:
    for most in (MOST_PAIRS, MOST_STREAMED, LONGEST_MS, AT_ONCE):
        assert f"{most:,}" in PAGE
    assert f"{BODY_SECONDS:.0f} seconds, or is longer than {BODY_BYTES // 2**20} MiB" in PAGE


def test_the_container_serves_what_the_page_says() -> None:
    steps = Path(ROOT / "Dockerfile").read_text(encoding="utf-8")
    assert "USER counterec" in steps
    for option in ("--api-only", "--token-file", "--host"):
        assert option in steps
