"""The API below its path, whatever else the path holds: a router's pattern would miss one with a line break."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send


class ApiPath:
    """Hands requests below the path to the API, and all others on."""

    def __init__(self, app: ASGIApp, api: ASGIApp, path: str) -> None:
        self._app, self._api, self._path = app, api, path

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand the request to one of the two."""
        if scope["type"] == "http" and scope["path"].startswith(f"{self._path}/"):
            scope["root_path"] = scope.get("root_path", "") + self._path
            await self._api(scope, receive, send)
        else:
            await self._app(scope, receive, send)
