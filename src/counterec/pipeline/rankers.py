"""The rankers of a run: the ready rules, from tables, and one of the operator's own.

Rules that are data lie in the run folder as arrays. A ranker that is code is named in the operator's config: by the
name of a plugin, or as ``module:factory``. The second is never written into a
folder, which can execute nothing: there it is only said that a ranker was given.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING

import numpy as np

from counterec.core.interactions import Interactions
from counterec.core.rankers.at_most_per_group import AtMostPerGroup
from counterec.core.rankers.boosts import Boosts
from counterec.core.rankers.first_k import FIRST_K
from counterec.core.rankers.protocol import Ranker, require_ranker
from counterec.core.rankers.without_seen import WithoutSeen
from counterec.errors import UsageError
from counterec.plugins import guarded, plugin_named

if TYPE_CHECKING:
    from counterec.core.space import AspectSpace

GIVEN = "given"
"""What a run folder says of a ranker that is code: only who has it can open the folder with it."""


def own_ranker(name: str, space: AspectSpace) -> Ranker:
    """The ranker that a config names: a plugin's, or ``module:factory``; either is called with the space."""
    if name == GIVEN:
        raise UsageError(
            "the lists of this run were made by a ranker of your own, which is code and not in the folder; "
            "open it with open_run(folder, ranker=...)"
        )
    module, found, factory = name.partition(":")
    if not found:
        plugin = plugin_named("ranker", name)
        with guarded("ranker", name):
            return _made(plugin.load(), name, space)
    try:
        return _made(getattr(import_module(module), factory), name, space)
    except (ImportError, AttributeError) as error:
        raise UsageError(f"the ranker {name!r} cannot be imported ({error}); write module:factory") from None


def _made(factory: object, name: str, space: AspectSpace) -> Ranker:
    if not callable(factory):
        raise UsageError(f"the ranker {name!r} is no function; it must take the aspect space and return a ranker")
    ranker: Ranker = factory(space)
    require_ranker(ranker)
    return ranker


def ranker_from(rules: Mapping[str, np.ndarray], own: Ranker | None, space: AspectSpace) -> Ranker:
    """The rules of a run folder, one after the other: what was seen is left out, then boosts, then the list is made."""
    ranker: Ranker = own or FIRST_K
    if "groups" in rules:
        ranker = AtMostPerGroup(rules["groups"], int(rules["most"][0]))
    if "boosts" in rules:
        ranker = Boosts(rules["boosts"], ranker)
    if "seen.users" in rules:
        seen = Interactions(rules["seen.users"], rules["seen.items"], len(space.users), len(space.items))
        ranker = WithoutSeen(seen, ranker)
    return ranker
