"""The extractors by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from counterec.errors import ConfigError
from counterec.extraction.grammar.extractor import GrammarExtractor
from counterec.extraction.grammar.knowledge import KnowledgeRules
from counterec.extraction.grammar.synonyms import SynonymRules
from counterec.extraction.protocol import Extractor
from counterec.extraction.simple import SimpleExtractor

EXTRACTORS: Mapping[str, Callable[[], Extractor]] = {"grammar": GrammarExtractor, "simple": SimpleExtractor}


def make_extractor(name: str, near_synonyms: bool = False) -> Extractor:
    """Return a new extractor of this name; *grammar* also merges nouns that a corpus uses alike, if asked to."""
    if name not in EXTRACTORS:
        raise ConfigError(f"unknown extractor {name!r}; one of {', '.join(EXTRACTORS)}")
    if near_synonyms and name == GrammarExtractor.name:
        return GrammarExtractor(KnowledgeRules(near_synonyms=SynonymRules()))
    return EXTRACTORS[name]()
