"""The first panel: a user's list, and why one item is in it."""

from __future__ import annotations

from counterec.service.page.panel import Opened
from counterec.service.page.text_elements import heading


async def case_panel(opened: Opened) -> None:
    """Show the case that the address names."""
    heading(1, f"Why is this in the list? ({opened.site.name})")
