"""What an operator decides about the service: who may ask, how much, and of what."""

from __future__ import annotations

import ipaddress
import os
from dataclasses import dataclass, field, fields
from pathlib import Path

from counterec.core.arrays import require
from counterec.errors import ConfigError

LOOPBACK = "127.0.0.1"
SHORTEST_TOKEN = 16
"""Characters that a token has at least: a shorter one can be guessed."""
MEBIBYTE = 1024 * 1024


@dataclass(frozen=True)
class Limits:
    """What is refused, with a status that says so. All but those of jobs hold for each process by itself."""

    body_bytes: int = 8 * MEBIBYTE
    """The longest body of a request (413)."""
    body_seconds: int = 20
    """How long a client may take to send it (408)."""
    pairs: int = 1000
    """The most pairs of one request (422)."""
    candidates: int = 1000
    """The most items of one stateless request (422)."""
    at_once: int = 256
    """Requests that are answered or wait at the same time (503)."""
    rate: int = 0
    """Requests per second of one client address (429); 0: as many as it likes."""
    deadline_ms: int = 60_000
    """The longest deadline that a request may state (422)."""
    jobs: int = 8
    """Jobs that run or wait at the same time (429)."""
    job_pairs: int = 100_000
    """The most pairs of one job (422)."""

    def __post_init__(self) -> None:
        for limit in fields(self):
            value, least = getattr(self, limit.name), 0 if limit.name == "rate" else 1
            if value < least:
                raise ConfigError(f"the limit {limit.name} is {value}; it must be {least} or more")


@dataclass(frozen=True)
class ServiceSettings:
    """One server: the run, who may ask about it, and how much."""

    folder: Path
    host: str = LOOPBACK
    device: str = "cpu"
    no_text: bool = False
    """Whether review text and user ids are kept back."""
    pseudonym_key: bytes | None = field(default=None, repr=False)
    """What pseudonyms are made with, where ids are kept back: all processes share it."""
    token: str | None = field(default=None, repr=False)
    """What a client must show; None: nothing, on loopback alone."""
    limits: Limits = field(default_factory=Limits)
    jobs_folder: Path | None = None
    """Where the database of batch jobs lies, on a local disk; None: in the user's folder of states."""
    models: tuple[str, ...] = ()
    """The models of the operator's config that stateless questions may name."""
    origins: tuple[str, ...] = ()
    """Other sites whose pages may ask from a browser; none by default."""
    log_json: bool = False
    """Whether a log line is one JSON object."""
    quiet: bool = False
    """Whether only what went wrong is logged."""

    def __post_init__(self) -> None:
        if self.token is None and not self.on_loopback:
            raise ConfigError(
                f"{self.host} can be reached by others, so a token is needed: write one into a file, such as by "
                "python -c 'import secrets; print(secrets.token_urlsafe(32))' > token, and pass --token-file token"
            )
        require(self.token is None or bool(self.token), "the token is empty")
        if self.no_text and self.pseudonym_key is None:
            raise ConfigError("where user ids are kept back, pseudonyms need a key")

    @property
    def on_loopback(self) -> bool:
        """Whether only this machine can reach the server."""
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False

    @property
    def jobs_database(self) -> Path:
        """The database of batch jobs: one per run folder, unless a folder for it is named."""
        if self.jobs_folder is not None:
            return self.jobs_folder / "jobs.sqlite"
        import hashlib

        state = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state")
        run = self.folder.resolve()
        return state / "counterec" / f"{run.name}-{hashlib.sha256(str(run).encode()).hexdigest()[:12]}" / "jobs.sqlite"


def token_of(file: Path) -> str:
    """The token that a file holds: its text, without the white space around it."""
    try:
        token = file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"--token-file {file}: cannot be read ({error})") from None
    if len(token) < SHORTEST_TOKEN or not token.isascii() or any(sign.isspace() for sign in token):
        raise ConfigError(
            f"--token-file {file}: a token is at least {SHORTEST_TOKEN} letters, digits or signs without spaces"
        )
    return token
