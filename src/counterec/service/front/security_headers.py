"""Headers that tell a browser what the page and the API never do."""

from __future__ import annotations

EVERYWHERE = (
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
)
DATA = b"default-src 'none'; frame-ancestors 'none'"
"""The policy of answers, which load nothing."""
DOCUMENTS = (
    b"default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    b"connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
)
"""The policy of the page that describes the API, and of the login."""
PAGE = (
    b"default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    b"img-src 'self' data:; font-src 'self' data:; connect-src 'self'; object-src 'none'; frame-ancestors 'none'; "
    b"base-uri 'self'; form-action 'self'"
)
"""The policy of the page: NiceGUI puts its state into the page as a script, and compiles templates in the browser."""


def policy(path: str, api: str) -> bytes:
    """The policy for a path."""
    if path == "/login" or path.startswith(f"{api}/docs"):
        return DOCUMENTS
    return DATA if path.startswith(f"{api}/") else PAGE


def with_security(headers: list[tuple[bytes, bytes]], path: str, api: str) -> list[tuple[bytes, bytes]]:
    """The headers of a response, and ours."""
    return [*headers, *EVERYWHERE, (b"content-security-policy", policy(path, api))]
