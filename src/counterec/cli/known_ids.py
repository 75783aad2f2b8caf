"""Users and items as people name them on the command line: by id, and items by name, too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterec.errors import UnknownIdError

if TYPE_CHECKING:
    from counterec.run import Run


def known_user(run: Run, user: str) -> str:
    """Return the user's id; of a user who was left out for too few reviews, say that."""
    from counterec.pipeline.layout import OTHER_REVIEWS

    if user not in run.space.users and run.has(OTHER_REVIEWS):
        wrote = len(run.table(OTHER_REVIEWS, ["user_id"]).filter(user_id=user))
        if wrote:
            least = run.config.data.min_user_reviews
            reviews = "1 review" if wrote == 1 else f"{wrote} reviews"
            raise UnknownIdError(f"{user} wrote {reviews} of these items and was left out (--min-user-reviews {least})")
    run.space.users.number(user)
    return user


def known_item(run: Run, item: str) -> str:
    """Return the id of an item that is named by its id, or by a name that no other item has."""
    if item in run.space.items:
        return item
    found = [item_id for item_id, name in run.item_names.items() if name == item]
    if len(found) > 1:
        raise UnknownIdError(f"{len(found)} items are called {item!r}; name one by its id: {', '.join(found[:3])}")
    if not found:
        run.space.items.number(item)
    return found[0]
