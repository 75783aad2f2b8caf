"""Experiments on some users: a table in minutes, or a bounded number per seed; and the line that says so."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

QUICK: Mapping[str, Any] = {
    "seeds": 1,
    "protocols": ("sampled",),
    "quick": True,
    "users": 100,
    "detail_users": 30,
    "sweep_users": 20,
    "baselines": ("efm", "a2cf"),
    "lambdas": (100.0,),
    "alphas": (0.2,),
}
"""What a quick experiment measures, where nothing else is asked for."""


def users_note(settings: Mapping[str, Any]) -> tuple[str, ...]:
    """One line on how many users were drawn; none where all of them, or those of a quick look, are measured."""
    most = settings.get("users", 0)
    if not most or settings.get("quick", False):
        return ()
    return (f"Of at most {most} users per seed, whom each seed draws anew; models and baselines learn from everybody.",)


def quick_note(settings: Mapping[str, Any]) -> tuple[str, ...]:
    """One line on what a quick experiment leaves out; none for a whole one."""
    if not settings.get("quick", False):
        return ()
    left_out = [f"all but {settings['users']} users"] if settings.get("users", 0) else []
    if settings.get("seeds", 1) == 1:
        left_out.append("all seeds but one")
    protocols = settings.get("protocols", ())
    left_out += [f"the protocol {name}" for name in ("full", "sampled") if name not in protocols]
    left_out += [
        f"the baseline {name}" for name in ("efm", "mter", "a2cf") if name not in settings.get("baselines", ())
    ]
    if len(settings.get("lambdas", ())) <= 1 or len(settings.get("alphas", ())) <= 1:
        left_out.append("other values of λ and α than the paper's")
    return (f"A quick experiment, not for conclusions. It leaves out {', '.join(left_out) or 'nothing'}.",)
