"""Extractors made from what others have: a Python callable, a spaCy pipeline, the output of Sentires."""

from counterec.extraction.adapters.callable import CallableExtractor
from counterec.extraction.adapters.sentires import SentiresExtractor
from counterec.extraction.adapters.spacy import SpacyExtractor

__all__ = ["CallableExtractor", "SentiresExtractor", "SpacyExtractor"]
