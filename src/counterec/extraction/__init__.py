"""From review texts to mentions: what an extractor is, the default one, and adapters for others."""

from counterec.extraction.grammar.extractor import GrammarExtractor
from counterec.extraction.protocol import Extractor, Mention

__all__ = ["Extractor", "GrammarExtractor", "Mention"]
