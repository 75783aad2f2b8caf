"""The layers before page and API, in their order."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from counterec.service.front.at_once import AtOnce
from counterec.service.front.body_limit import BodyLimit
from counterec.service.front.probes import Probes
from counterec.service.front.rate_limit import RateLimit
from counterec.service.front.request_log import RequestLog
from counterec.service.front.same_origin import SameOrigin
from counterec.service.front.token_gate import TokenGate

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from counterec.service.metrics import Metrics
    from counterec.service.settings import ServiceSettings

API = "/api/v1"
"""Where the application for programs is mounted."""


def guarded(
    app: ASGIApp,
    settings: ServiceSettings,
    metrics: Metrics,
    is_ready: Callable[[], bool],
    gathered: Callable[[], Awaitable[bytes]],
) -> ASGIApp:
    """An application behind all layers; the last one named here is the first that a request meets."""
    app = AtOnce(app, settings.limits.at_once, API)
    app = BodyLimit(app, settings.limits, API)
    app = Probes(app, is_ready, gathered)
    app = TokenGate(app, settings.token, API)
    app = RateLimit(app, settings.limits.rate)
    app = SameOrigin(app, settings.on_loopback, settings.origins)
    return RequestLog(app, metrics, API)
