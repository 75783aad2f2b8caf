"""What the experiments say, read honestly: one page over all data sets, models and protocols.

    python -m benchmarks.reading

Every sentence with a number is made from what was collected of the reports, and from the pages of causes and of the
control. Where an aim is missed, the page says where, by how much, and what could have been reached.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from benchmarks.experiment import RESULTS, hours_by_data
from benchmarks.reading_sections.bounds import bounds
from benchmarks.reading_sections.claims import as_published, claims
from benchmarks.reading_sections.failing_claims import failing_claims
from benchmarks.reading_sections.in_short import in_short
from benchmarks.reading_sections.lists import lists
from benchmarks.reading_sections.markdown import reports
from benchmarks.reading_sections.model_side import model_side
from benchmarks.reading_sections.orders import orders
from benchmarks.reading_sections.past_reviews import past_reviews
from benchmarks.reading_sections.places import PUBLISHED_NET, Causes, Place, places
from benchmarks.reading_sections.reasons import reasons, trained
from benchmarks.reading_sections.transfer import retraining, transfer
from benchmarks.reading_sections.user_side import user_side

PAGE, CAUSES, CONTROL = "README.md", "causes.json", "training_control.md"
SECTIONS: dict[str, Callable[[Sequence[Place]], Iterator[str]]] = {
    "In short": in_short,
    "How good the lists are": lists,
    "The model's side: F_NS": model_side,
    "The user's side: F1 with the mask": user_side,
    "Transfer": transfer,
    "Deletion and insertion": orders,
    "Another training": retraining,
    "Past reviews as reasons": past_reviews,
    "The paper's claims": claims,
    "With the settings as published": as_published,
    "Why expectations fail": reasons,
}
WITH_PUBLISHED_NET = (lists, retraining)
"""The sections that show the net as published, too."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--results", type=Path, default=RESULTS, help="where everything was collected, and goes")
    results = parser.parse_args().results
    causes, control = ((results / name).read_text(encoding="utf-8") for name in (CAUSES, CONTROL))
    known: Causes = json.loads(causes)
    found = list(places(results))
    ours = [one for one in found if one.model != PUBLISHED_NET]
    lines = ["# The paper's experiment, read honestly", "", *head(found, sum(hours_by_data(results).values()))]
    for title, section in SECTIONS.items():
        read = found if section in WITH_PUBLISHED_NET else ours
        lines += ["", f"## {title}", "", *section(read)]
        lines += ["", *bounds(read, known)] if section is model_side else []
    lines += ["", *failing_claims(ours, known), "", *trained(control)]
    (results / PAGE).write_text("\n".join(lines) + "\n", encoding="utf-8")


def head(found: Sequence[Place], taken: float) -> Iterator[str]:
    """How it was made, and what the words mean."""
    counts = Counter(len(one.found["seeds"]) for one in found)
    seeds = ", ".join(f"{reports(count)} with {n} {'seed' if n == 1 else 'seeds'}" for n, count in counts.most_common())
    looked_at = ", ".join(map(str, found[0].found["settings"]["looked_at"]))
    yield (
        f"Made by `python -m benchmarks.reading` from {reports(len(found))}, each of one data set, one kind of model "
        f"and one protocol: {seeds}. {_users(found)} The stages took {taken:.1f} hours in all, trainings included. "
        "Beside this page stand all tables, figures and claims of each report, and a [summary](summary.md); "
        "[causes.md](causes.md) and [training_control.md](training_control.md) look for reasons."
    )
    yield ""
    yield (
        "Shares stand twice: of the *explained* pairs, as in the paper, and of *all*, where a pair without an "
        "explanation counts as a failure. Intervals are of 95%, by a bootstrap over users, items and seeds. Under "
        "*full*, all items are candidates; under *sampled*, those that the paper's protocol draws; the two are "
        f"never mixed. *complete*'s preferences were chosen while looking at seed {looked_at}; what is said to be of "
        "fresh seeds is of the others alone. Data, split and held-out reviews are the same for all seeds: they were "
        "looked at while the software was built."
    )


def _users(found: Sequence[Place]) -> str:
    """How many users' lists were explained per seed, by data set."""
    bounds = {one.data: one.found["settings"]["users"] for one in found}
    told = (f"{data} {f'at most {users:,}' if users else 'all'}" for data, users in bounds.items())
    return f"Users whose lists were explained, per seed: {', '.join(told)}."


if __name__ == "__main__":
    main()
