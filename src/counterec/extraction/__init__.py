"""From review texts to mentions: what an extractor is, and a first simple one."""

from counterec.extraction.protocol import Extractor, Mention
from counterec.extraction.simple import SimpleExtractor

__all__ = ["Extractor", "Mention", "SimpleExtractor"]
