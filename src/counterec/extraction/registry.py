"""The extractors by name: the built-in one, and ``module:attribute``, which is called without arguments."""

from __future__ import annotations

from counterec.errors import ConfigError
from counterec.extraction.grammar.extractor import GrammarExtractor
from counterec.extraction.protocol import Extractor
from counterec.references import guarded, import_trusted, is_reference

EXTRACTORS = (GrammarExtractor.name,)
"""The built-in ones."""
_METHODS = ("fitted", "extract", "learned")


def check_extractor_name(name: str) -> None:
    """Raise unless this is an extractor's name, or may be one of code."""
    if name not in EXTRACTORS and not is_reference(name):
        raise ConfigError(f"unknown extractor {name!r}; use {' or '.join(map(repr, EXTRACTORS))}, or module:attribute")


def extractor_code(name: str) -> tuple[str, ...]:
    """Return the package of an extractor that is not built in."""
    check_extractor_name(name)
    if name in EXTRACTORS:
        return ()
    import_trusted(name, "extractor")
    return (name.partition(":")[0].split(".")[0],)


def make_extractor(name: str) -> Extractor:
    """Return a new extractor of this name."""
    check_extractor_name(name)
    if name in EXTRACTORS:
        return GrammarExtractor()
    make = import_trusted(name, "extractor")
    with guarded("extractor", name):
        made: Extractor = make()
    lacking = [method for method in _METHODS if not callable(getattr(made, method, None))]
    if lacking:
        raise ConfigError(
            f"the extractor {name!r} makes a {type(made).__name__}, which has no {' and no '.join(lacking)}"
        )
    return made
