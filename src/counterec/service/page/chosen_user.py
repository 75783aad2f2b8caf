"""Whose list the address means."""

from __future__ import annotations

from counterec.service.page.panel import Opened
from counterec.service.page.text_elements import box, link, text


async def chosen_user(opened: Opened) -> str | None:
    """The user whom the address names; otherwise the one that the page begins with, None if nobody has a list."""
    shown = opened.address.get("user")
    if shown is not None:
        return opened.site.user_id(shown)
    example = await opened.site.ask(lambda _: opened.site.example)
    return None if example is None else example[0]


def show_whose(opened: Opened, user_id: str) -> None:
    """Say whose list it is, and where another one is found."""
    shown = opened.site.user_name(user_id)
    with box("p", "row muted"):
        text(f"For the list of {shown}.")
        link("Find another user", str(opened.address.to("/", user=shown)))
