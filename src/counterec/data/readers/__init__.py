"""Reviews and mentions from the files people have, streamed as checked tables, with everything odd counted."""

from counterec.data.readers.chunks import MENTION_ROWS
from counterec.data.readers.guessing import guess_format
from counterec.data.readers.names import read_item_names
from counterec.data.readers.reading import read
from counterec.data.readers.source import FORMATS, Source, is_mentions
from counterec.data.readers.tally import Tally

__all__ = ["FORMATS", "MENTION_ROWS", "Source", "Tally", "guess_format", "is_mentions", "read", "read_item_names"]
