"""Reads reviews and mentions from many file formats as streams of checked tables, and counts every problem."""

from counterec.data.readers.chunks import MENTION_ROWS
from counterec.data.readers.first_look import FirstLook, first_look
from counterec.data.readers.format_detection import guess_format
from counterec.data.readers.item_names import read_item_categories, read_item_names
from counterec.data.readers.problems import Tally
from counterec.data.readers.reader import read
from counterec.data.readers.source import FORMATS, Source, is_mentions
from counterec.data.readers.value_parsing import DATES

__all__ = [
    "DATES",
    "FORMATS",
    "MENTION_ROWS",
    "FirstLook",
    "Source",
    "Tally",
    "first_look",
    "guess_format",
    "is_mentions",
    "read",
]
__all__ += ["read_item_categories", "read_item_names"]
