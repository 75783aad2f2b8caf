"""The extractors by name: the built-in one, and those that other packages bring."""

from __future__ import annotations

from counterec.errors import ConfigError, PluginError
from counterec.extraction.grammar.corpus_knowledge import KnowledgeRules
from counterec.extraction.grammar.extractor import GrammarExtractor
from counterec.extraction.grammar.near_synonyms import SynonymRules
from counterec.extraction.protocol import Extractor
from counterec.plugins import installed, plugin_named

EXTRACTORS = (GrammarExtractor.name,)
"""The built-in ones."""
_METHODS = ("fitted", "extract", "learned")


def check_extractor_name(name: str) -> None:
    """Raise unless an extractor has this name."""
    names = (*EXTRACTORS, *(plugin.name for plugin in installed("extractor")))
    if name not in names:
        raise ConfigError(f"unknown extractor {name!r}; use {' or '.join(map(repr, names))}")


def extractor_code(name: str) -> tuple[str, ...]:
    """The package that an extractor of this name runs, if another package brings it."""
    check_extractor_name(name)
    return () if name in EXTRACTORS else (plugin_named("extractor", name).code,)


def make_extractor(name: str, near_synonyms: bool = False) -> Extractor:
    """Return a new extractor of this name, which may merge nouns that a corpus uses alike."""
    check_extractor_name(name)
    if name not in EXTRACTORS:
        return _plugged_in(name, near_synonyms)
    return GrammarExtractor(KnowledgeRules(near_synonyms=SynonymRules() if near_synonyms else None))


def _plugged_in(name: str, near_synonyms: bool) -> Extractor:
    """The extractor of another package."""
    if near_synonyms:
        raise ConfigError(f"near synonyms are found by the extractor 'grammar' alone; leave them out with {name!r}")
    plugin = plugin_named("extractor", name)
    make = plugin.load()
    try:
        made: Extractor = make()
    except Exception as error:  # it is anybody's code
        raise plugin.fault(error) from None
    lacking = [method for method in _METHODS if not callable(getattr(made, method, None))]
    if lacking:
        raise PluginError(f"{plugin.label}: a {type(made).__name__} has no {' and no '.join(lacking)}; ask its authors")
    return made
