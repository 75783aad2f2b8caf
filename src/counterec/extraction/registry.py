"""The built-in extractors by name."""

from __future__ import annotations

from counterec.errors import ConfigError
from counterec.extraction.grammar.corpus_knowledge import KnowledgeRules
from counterec.extraction.grammar.extractor import GrammarExtractor
from counterec.extraction.grammar.near_synonyms import SynonymRules
from counterec.extraction.protocol import Extractor

EXTRACTORS = (GrammarExtractor.name,)


def check_extractor_name(name: str) -> None:
    """Raise unless a built-in extractor has this name."""
    if name == "simple":
        raise ConfigError("the extractor 'simple' was removed; use 'grammar', the default")
    if name not in EXTRACTORS:
        raise ConfigError(f"unknown extractor {name!r}; use {' or '.join(map(repr, EXTRACTORS))}")


def make_extractor(name: str, near_synonyms: bool = False) -> Extractor:
    """Return a new extractor of this name, which may merge nouns that a corpus uses alike."""
    check_extractor_name(name)
    return GrammarExtractor(KnowledgeRules(near_synonyms=SynonymRules() if near_synonyms else None))
