"""The extractors by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from counterec.errors import ConfigError
from counterec.extraction.grammar.extractor import GrammarExtractor
from counterec.extraction.protocol import Extractor
from counterec.extraction.simple import SimpleExtractor

EXTRACTORS: Mapping[str, Callable[[], Extractor]] = {"grammar": GrammarExtractor, "simple": SimpleExtractor}


def make_extractor(name: str) -> Extractor:
    """Return a new extractor of this name."""
    if name not in EXTRACTORS:
        raise ConfigError(f"unknown extractor {name!r}; one of {', '.join(EXTRACTORS)}")
    return EXTRACTORS[name]()
