"""Errors as problem documents (RFC 9457): a kind, what happened with the offending value, and what to do."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from starlette.types import Send

MEDIA_TYPE = "application/problem+json"
SHOWN = 120
"""Characters of an offending value that are shown."""


@dataclass(eq=False)
class Problem(Exception):  # noqa: N818  # what the standard calls it
    """What a client is told instead of an answer."""

    status: int
    kind: str
    """One word of our own, the end of its URN."""
    detail: str
    headers: Mapping[str, str] = field(default_factory=dict)
    more: Mapping[str, Any] = field(default_factory=dict)
    """Further members of the document."""

    def document(self) -> dict[str, Any]:
        """The members of the document."""
        return {
            "type": f"urn:counterec:problem:{self.kind}",
            "title": HTTPStatus(self.status).phrase,
            "status": self.status,
            "detail": self.detail,
            **self.more,
        }

    def body(self) -> bytes:
        """As it is sent; ASCII, so that any text of a request can be named."""
        return json.dumps(self.document()).encode("ascii")

    def all_headers(self) -> list[tuple[bytes, bytes]]:
        """The headers of the response."""
        own = {"content-type": MEDIA_TYPE, "cache-control": "no-store", **self.headers}
        return [(name.encode("latin-1"), value.encode("latin-1")) for name, value in own.items()]

    async def send(self, send: Send) -> None:
        """Answer with it."""
        body = self.body()
        headers = [*self.all_headers(), (b"content-length", str(len(body)).encode())]
        await send({"type": "http.response.start", "status": self.status, "headers": headers})
        await send({"type": "http.response.body", "body": body})


def shown(value: object) -> str:
    """An offending value, cut where it is long."""
    text = repr(value) if not isinstance(value, str) else repr(value[: SHOWN + 1])
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
