"""How a file writes characters: by its first bytes, and for a line that is not UTF-8 by the line itself."""

from __future__ import annotations

import codecs
import re

LOOKED_AT = 1024
"""The bytes at the beginning of a file that show its encoding."""

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

_UTF8_CHARACTER = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")
_NOT_LATIN_1 = re.compile(rb"[\x81\x8d\x8f\x90\x9d\xd7\xf7\xfe\xff]")
"""Bytes that Windows' Latin-1 leaves undefined, or that hardly a word has: signs of damage, not of an encoding."""

NAMES = {
    "utf-8": "UTF-8",
    "utf-16-le": "UTF-16",
    "utf-16-be": "UTF-16",
    "utf-32-le": "UTF-32",
    "utf-32-be": "UTF-32",
}
"""Codec → the name that people know."""


def encoding_of(head: bytes) -> str:
    """Return the codec of a file: by its byte order mark, or UTF-16 by its NULs; else UTF-8.

    In UTF-16 every Latin letter has a NUL beside it: after it in the little-endian form, before it in the other.
    """
    for mark, codec in _MARKS:
        if head.startswith(mark):
            return codec
    even, odd = head[0::2], head[1::2]
    if odd and odd.count(0) > 0.4 * len(odd) and even.count(0) < 0.1 * len(even):
        return "utf-16-le"
    if odd and even.count(0) > 0.4 * len(even) and odd.count(0) < 0.1 * len(odd):
        return "utf-16-be"
    return "utf-8"


def is_latin_1(line: bytes) -> bool:
    """Whether a line that is not UTF-8 can be Latin-1: nothing in it is UTF-8, and every byte is a character."""
    return not _UTF8_CHARACTER.search(line) and not _NOT_LATIN_1.search(line)


def decoded_head(head: bytes) -> str:
    """Return the first bytes of a file as text, without a byte order mark; what is broken is replaced."""
    return head.decode(encoding_of(head), errors="replace").removeprefix("\ufeff")
