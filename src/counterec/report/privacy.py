"""What of people is shown: everything, or neither their words nor their ids.

A pseudonym is the beginning of HMAC-SHA-256(key, user id). The key is drawn anew for every report and for every start
of the page, and is never written: within one of them a user keeps a pseudonym, and nobody can tell from it, not even
by trying all ids, whose it is. The items that somebody got or reviewed are shown all the same, so whoever knows these
of a person may still recognise them.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from base64 import b32encode
from dataclasses import dataclass, field

from counterec.core.arrays import require

KEY_BYTES = 32
PSEUDONYM_BYTES = 6
"""48 bits: among a hundred thousand users two share a pseudonym with a probability of 1 in 50,000."""
PREFIX = "user-"


@dataclass(frozen=True)
class Privacy:
    """Whether review texts are shown, and by what name a user is."""

    key: bytes | None = field(default=None, repr=False)
    """What pseudonyms are made with; None: ids and texts are shown as they are."""

    def __post_init__(self) -> None:
        require(self.key is None or len(self.key) == KEY_BYTES, f"the key of pseudonyms must have {KEY_BYTES} bytes")

    @classmethod
    def without_text(cls) -> Privacy:
        """No text and pseudonyms for ids, by a key that nobody has; a seeded one could be made again."""
        return cls(secrets.token_bytes(KEY_BYTES))

    @property
    def shows_text(self) -> bool:
        """Whether review texts are shown."""
        return self.key is None

    def user(self, user_id: str) -> str:
        """The name by which a user is shown: the id, or the pseudonym."""
        if self.key is None:
            return user_id
        found = hmac.digest(self.key, user_id.encode("utf-8", "surrogatepass"), hashlib.sha256)[:PSEUDONYM_BYTES]
        return PREFIX + b32encode(found).decode().rstrip("=").lower()


EVERYTHING = Privacy()
"""Ids and texts as they are."""
