"""How good the lists are that are explained."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from benchmarks.reading_sections.markdown import PLACE, but_not_in, table, value, with_interval
from benchmarks.reading_sections.places import BASELINES, Place


def lists(found: Sequence[Place]) -> Iterator[str]:
    """NDCG@K of the model, of popularity and of the baselines."""
    missed = [one for one in found if _ndcg(one, "relaxed") <= _ndcg(one, "popularity")]
    yield (
        f"By NDCG@K the model's lists are better than popularity's in {len(found) - len(missed)} of {len(found)} "
        f"reports{but_not_in(missed)} Items: how many different ones the lists hold, of all seeds."
    )
    yield ""
    rows = []
    for one in found:
        ours = one.ndcg("relaxed") or {"cases": 0, "value": None}
        others = (value(one.ndcg(method)) for method in ("popularity", *BASELINES))
        items = one.cell("relaxed")["fidelity"]["items"]
        rows.append((str(one), f"{ours['cases']:,}", f"{items:,}", with_interval(ours), *others))
    yield from table((PLACE, "lists", "items", "NDCG@K", "popularity", "EFM", "MTER", "A2CF"), rows)


def _ndcg(one: Place, method: str) -> float:
    quality = one.ndcg(method)
    return float(quality["value"]) if quality else 0.0
