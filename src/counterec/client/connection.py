"""Requests to a server: JSON there, JSON or bytes back, and errors of the library for problem documents."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import httpx

from counterec.errors import ConfigError, ServiceError, UnknownIdError, UsageError

API = "/api/v1"
TRIES = 4
"""How often a request is sent while the server says that it has no time."""
NO_TIME = (429, 503)
LONGEST_WAIT_S = 5.0


class Connection:
    """One server."""

    def __init__(self, url: str, token: str | None, timeout: float, transport: httpx.BaseTransport | None) -> None:
        if not url.startswith(("http://", "https://")):
            raise ConfigError(f"{url!r} is not the address of a server; write it like http://localhost:8080")
        headers = {} if token is None else {"authorization": f"Bearer {token}"}
        base = url.rstrip("/").removesuffix(API) + API
        self.url = base
        self._client = httpx.Client(base_url=base, headers=headers, timeout=timeout, transport=transport)

    def close(self) -> None:
        """Close it."""
        self._client.close()

    def get(self, path: str, **params: Any) -> Any:
        """Read something."""
        return self._sent("GET", path, params={name: value for name, value in params.items() if value is not None})

    def post(self, path: str, body: Mapping[str, Any]) -> Any:
        """Ask something."""
        return self._sent("POST", path, json=dict(body))

    def delete(self, path: str) -> Any:
        """End something."""
        return self._sent("DELETE", path)

    def bytes(self, path: str, **params: Any) -> bytes:
        """Read a file."""
        return self._response("GET", path, params=params).content

    def _sent(self, method: str, path: str, **how: Any) -> Any:
        return self._response(method, path, **how).json()

    def _response(self, method: str, path: str, **how: Any) -> httpx.Response:
        for left in reversed(range(TRIES)):
            try:
                response = self._client.request(method, path, **how)
            except httpx.HTTPError as error:
                raise ServiceError(f"{self.url} does not answer ({type(error).__name__}: {error})") from None
            if response.status_code not in NO_TIME or not left:
                break
            time.sleep(min(_seconds(response.headers.get("retry-after")), LONGEST_WAIT_S))
        _require_success(response)
        return response


def _seconds(stated: str | None) -> float:
    return float(stated) if stated is not None and stated.isdecimal() else 1.0


def _require_success(response: httpx.Response) -> None:
    if response.is_success:
        return
    try:
        said = str(response.json()["detail"])
    except (ValueError, KeyError, TypeError):
        said = f"the server answers {response.status_code}"
    if response.status_code == 404:
        raise UnknownIdError(said)
    if response.status_code < 500 and response.status_code not in (408, 429):
        raise UsageError(said)
    raise ServiceError(said)
