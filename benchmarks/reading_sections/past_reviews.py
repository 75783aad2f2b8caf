"""The user's own past reviews as reasons, beside aspects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from benchmarks.reading_sections.markdown import PLACE, percent, table, value
from benchmarks.reading_sections.places import Place
from counterec.core.explainers.history.settings import MOST_SETS


def past_reviews(found: Sequence[Place]) -> Iterator[str]:
    """How many items are explained by past reviews, alone and together with aspects."""
    yield (
        "Which of the user's own past reviews, had they not been written, would drop the item? Each answer is "
        f"verified by ranking all candidates again; at most {MOST_SETS} sets of reviews are scored per pair."
    )
    yield ""
    rows = []
    for one in found:
        ways = {each["by"]: each for each in one.found["history"]["explained"]}
        if not ways:
            continue
        past = ways["past reviews"]
        told = (
            percent(ways["aspects"]["explained"]),
            *(percent(past[name]) for name in ("explained", "one", "smallest")),
        )
        alone, either = ways["past reviews, and no aspects"], ways["either: whichever names fewer"]
        ends = (value(past["size"], 1), percent(alone["explained"]), percent(either["explained"]))
        rows.append((str(one), f"{past['explained']['cases']:,}", *told, *ends))
    heads = ("pairs", "by aspects", "by past reviews", "a single review", "proven smallest", "reviews named")
    yield from table((PLACE, *heads, "by reviews alone", "by either"), rows)
