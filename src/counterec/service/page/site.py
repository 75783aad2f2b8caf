"""What all openings of the page share: the run, and how it may be shown. None of it changes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from counterec.run import Run


@dataclass(frozen=True)
class Site:
    """A run on show."""

    run: Run
    no_text: bool = False
    """Whether review text and user ids are kept back."""
    language: str = "en"

    @property
    def name(self) -> str:
        """What the run is called: the name of its folder."""
        return self.run.path.resolve().name
