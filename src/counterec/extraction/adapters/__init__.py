"""Adapters that turn a Python callable, a spaCy pipeline or the output of Sentires into an extractor."""

from counterec.extraction.adapters.callable import CallableExtractor
from counterec.extraction.adapters.sentires import SentiresExtractor
from counterec.extraction.adapters.spacy import SpacyExtractor

__all__ = ["CallableExtractor", "SentiresExtractor", "SpacyExtractor"]
