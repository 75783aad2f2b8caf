"""What a page is sent: files and the messages of its socket, in bytes."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page


class Traffic:
    """Counts the bytes that a page gets from now on."""

    def __init__(self, page: Page) -> None:
        self.received = 0.0
        session = page.context.new_cdp_session(page)
        session.on("Network.loadingFinished", self._file)
        session.on("Network.webSocketFrameReceived", self._message)
        session.send("Network.enable")

    def _file(self, event: dict[str, Any]) -> None:
        self.received += event["encodedDataLength"]

    def _message(self, event: dict[str, Any]) -> None:
        self.received += len(event["response"]["payloadData"])
