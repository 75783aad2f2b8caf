"""From review texts to mentions: what an extractor is, the default one, and the first simple one."""

from counterec.extraction.grammar.extractor import GrammarExtractor
from counterec.extraction.protocol import Extractor, Mention
from counterec.extraction.simple import SimpleExtractor

__all__ = ["Extractor", "GrammarExtractor", "Mention", "SimpleExtractor"]
