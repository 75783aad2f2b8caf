"""The whole line at the paper's largest sizes: what each stage takes, and how it grows.

    python -m benchmarks.scale --size yelp --from text --model hybrid --work WORK
    python -m benchmarks.scale --size cds --from mentions --goals minimal relaxed single complete --work WORK
    python -m benchmarks.scale --doublings --work WORK
    python -m benchmarks.scale --estimate
    python -m benchmarks.scale --sizes

Worlds are generated, as reviews or as mentions. Each stage runs in a process of its own. The run folders and what was
measured lie in WORK: a command that was cut short goes on where it stopped, and one with further goals behind the
others begins with them. Each measurement is one section of the page; the others are kept. ``--share 0.1`` is a tenth
of the users and items.
"""

from __future__ import annotations

import argparse
import json
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import polars as pl

from benchmarks.generated_text import aspect_nouns, write_reviews
from benchmarks.pages import load_average, machine, page_of, sections_of, with_section
from benchmarks.scale_estimate import estimate, unit_costs
from benchmarks.stage_costs import MeasuredRun, StageCost
from counterec.pipeline.files import write_json
from counterec.synthetic.reviews import synthetic_mentions
from counterec.synthetic.world import CDS, CELL_PHONES, ELECTRONICS, YELP, WorldSize, synthetic_world

PAGE = Path("benchmarks/results/scale.md")
HEADING = """# The whole line, measured

By `python -m benchmarks.scale` ([how to run it again](../README.md)), on generated worlds of the sizes in the paper's
Table 1, on shares of one of them, and on a small one that is doubled. Each stage ran in a process of its own. Its
memory is the most that it and the processes it started had at one time, pages that they share counted once. Seconds
are those of the manifest.
"""
SIZES = {"yelp": YELP, "cds": CDS, "electronics": ELECTRONICS, "phones": CELL_PHONES}
NAMES = {"yelp": "Yelp", "cds": "CDs", "electronics": "Electronics", "phones": "Cell Phones"}
GOALS = ("minimal", "relaxed", "relaxed-masked", "single", "single-masked", "complete")
WORLD = "from text, net"
SHARES = {"⅛": "Yelp × 0.125", "¼": "Yelp × 0.25", "½": "Yelp × 0.5", "all": "Yelp"}
"""Shares of the users and items, and how the page's sections call them."""
MADE_FOR = {"fit again": "complete"}
"""Stages that one goal needs, and whose names do not end in it."""
PLAIN_SENTENCES = 6.0
"""Sentences without an opinion in a generated review, on average."""
SMALL = WorldSize(750, 1_250, 50, min_reviews=20, mean_reviews=42.0, cared_for=5, notable=5)
"""What is doubled."""
EPOCHS = 5
"""Of the trainings that are compared."""
DOUBLED = ("users", "items", "aspects", "text")
MIB = "MiB"


@dataclass(frozen=True)
class Measured:
    """What a section is about: a generated world, what it is given as, the model, and the goals."""

    size: WorldSize
    source: str
    model: str
    goals: tuple[str, ...]
    plain_sentences: float = PLAIN_SENTENCES
    epochs: int | None = None
    """How long each net is trained, for comparisons; None: as a run does, until validation says enough."""

    def run(self, place: Path, processes: int) -> MeasuredRun:
        """Generate the world, unless it is there, and return the run that is to be measured."""
        place.mkdir(parents=True, exist_ok=True)
        made = place / "generated.json"
        if not made.exists():
            write_json(made, self._generate(place))
        return MeasuredRun(place, self._settings(place), processes)

    def _generate(self, place: Path) -> dict[str, int]:
        world = synthetic_world(self.size, 0)
        counts = {"reviews": self.size.reviews, "mentions": len(world.mentions.aspects)}
        if self.source == "text":
            return counts | {"sentences": write_reviews(world, place / "reviews.jsonl", self.plain_sentences)}
        names = aspect_nouns(self.size.aspects)
        found = synthetic_mentions(world).with_columns(
            aspect=pl.Series([names[aspect] for aspect in world.mentions.aspects]),
            opinion=pl.when(pl.col("sentiment") > 0).then(pl.lit("good")).otherwise(pl.lit("bad")),
        )
        found.write_parquet(place / "mentions.parquet")
        return counts

    def _settings(self, place: Path) -> dict[str, Any]:
        """The defaults of a run, with these goals."""
        given: dict[str, Any] = {"sources": [str(place / "reviews.jsonl")]}
        if self.source == "mentions":
            given = {"sources": [str(place / "mentions.parquet")], "format": "mentions", "min_user_reviews": 7}
        model, explain = {"kind": self.model}, {"methods": list(self.goals)}
        settings: dict[str, Any] = {"data": given, "model": model, "explain": explain}
        settings["aspects"] = {"most": self.size.aspects}  # all of them
        return settings | ({"training": {"epochs": self.epochs}} if self.epochs else {})


def main() -> None:
    options = parse()
    if options.estimate:
        print("\n".join(estimate(unit_costs(page_of(options.out)))))
        return
    if options.sizes:
        print("\n".join(sizes_table(page_of(options.out))))
        return
    if options.doublings:
        name, lines = f"Twice as much, from {options.source}, {options.model}", doublings(options)
    else:
        name, lines = named(options), one_size(options)
    measured = list(lines)  # before the load average is read
    body = "\n".join([f"{machine()}, {options.processes} processes; {load_average()}.", "", *measured])
    options.out.write_text(with_section(HEADING, page_of(options.out), name, body), encoding="utf-8")
    print(f"## {name}\n\n{body}")


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", choices=SIZES, default="yelp")
    parser.add_argument("--share", type=float, default=1.0, help="of the users and items, for a quick look")
    parser.add_argument("--from", dest="source", choices=("text", "mentions"), default="text")
    parser.add_argument("--model", choices=("net", "hybrid"), default="hybrid")
    parser.add_argument("--goals", nargs="+", choices=GOALS, default=["minimal"])
    parser.add_argument("--doublings", action="store_true", help="a small world, and each of its numbers doubled")
    parser.add_argument("--estimate", action="store_true", help="what far more would take, from what was measured")
    parser.add_argument("--sizes", action="store_true", help="what was measured at several shares, side by side")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--work", type=Path, default=Path("runs/scale"))
    parser.add_argument("--out", type=Path, default=PAGE)
    return parser.parse_args()


def named(options: argparse.Namespace) -> str:
    share = "" if options.share == 1 else f" × {options.share:g}"
    return f"{NAMES[options.size]}{share} from {options.source}, {options.model}"


def shared(size: WorldSize, share: float) -> WorldSize:
    """Return a size with this share of the users and items; users write as many reviews."""
    items = max(round(size.items * share), round(2 * size.mean_reviews) + 1)
    return replace(size, users=max(1, round(size.users * share)), items=items)


def doubled(small: Measured, what: str) -> Measured:
    """Return what is measured with twice the users, items, aspects, or sentences in a review."""
    if what == "text":
        # A review has its mentions' sentences, too: about one.
        return replace(small, plain_sentences=2 * small.plain_sentences + 1)
    return replace(small, size=replace(small.size, **{what: 2 * getattr(small.size, what)}))


def one_size(options: argparse.Namespace) -> Iterator[str]:
    """Measure one size, one goal after another, and yield its section."""
    size = shared(SIZES[options.size], options.share)
    place = options.work / named(options).replace(" ", "-").replace(",", "").lower()
    run = Measured(size, options.source, options.model, tuple(options.goals)).run(place, options.processes)
    costs = run.measure()
    yield from described(place, size, run.counts())
    yield from ["", *cost_table(costs), "", *judged(run.folder)]
    line = [cost for cost in costs.values() if not is_of_another_goal(cost.stage, "minimal")]
    minutes, peak = sum(cost.seconds for cost in line) / 60, max(cost.mebibytes for cost in line) / 1024
    yield f"\nThe whole line with the goal *minimal*: {minutes:.1f} minutes, at most {peak:.2f} GiB."


def is_of_another_goal(stage: str, goal: str) -> bool:
    """Whether a stage is made only for another goal than this one."""
    made_for = MADE_FOR.get(stage, stage.split()[-1])
    return made_for in GOALS and made_for != goal


def described(place: Path, size: WorldSize, counts: dict[str, Any]) -> Iterator[str]:
    made = json.loads((place / "generated.json").read_text(encoding="utf-8"))
    found = counts["build"]
    generated = ", ".join(f"{number:,} {name}" for name, number in made.items())
    yield (
        f"Generated: {size.users:,} users, {size.items:,} items, {size.aspects} aspects, {generated}. The run has "
        f"{found['users']:,} users, {found['items']:,} items and {found['aspects']:,} aspects."
    )


def cost_table(costs: dict[str, StageCost]) -> Iterator[str]:
    yield f"| stage | seconds | peak {MIB} | load average before |\n|---|---|---|---|"
    for cost in costs.values():
        yield f"| {cost.stage} | {cost.seconds:,.1f} | {cost.mebibytes:,.0f} | {cost.load:.1f} |"
    yield f"| all | {sum(cost.seconds for cost in costs.values()):,.1f} | | |"


def judged(folder: Path) -> Iterator[str]:
    """Yield fidelity, PN and PS of each goal, as the run itself measured them."""
    found = json.loads((folder / "evaluation.json").read_text(encoding="utf-8"))["explanations"]
    yield "| goal | fidelity | PN | PS | pairs |\n|---|---|---|---|---|"
    for goal, measures in found.items():
        fidelity, model = measures["counterfactual"]["fidelity"], measures["model"]
        values = " | ".join(_number(each["value"]) for each in (fidelity, model["pn"], model["ps"]))
        yield f"| {goal} | {values} | {fidelity['cases']:,} |"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}"


def doublings(options: argparse.Namespace) -> Iterator[str]:
    """Measure a small world and each of its numbers doubled, and yield how the costs of each stage grow."""
    size, goals = shared(SMALL, options.share), tuple(options.goals)
    small = Measured(size, options.source, options.model, goals, epochs=EPOCHS)
    asked = [what for what in DOUBLED if what != "text" or options.source == "text"]
    runs = {"": small} | {what: doubled(small, what) for what in asked}
    base = options.work / f"doublings-{options.source}-{options.model}-{options.share:g}"
    found = {what: each.run(base / (what or "small"), options.processes).measure() for what, each in runs.items()}
    yield (
        f"{small.size.users:,} users, {small.size.items:,} items, {small.size.aspects} aspects, {small.size.reviews:,} "
        f"reviews of {small.plain_sentences:g} sentences and its mentions; then each of them twice. Nets are "
        f"trained for {EPOCHS} epochs, so that trainings are comparable."
    )
    yield from ["", *growth_table(found, asked)]


def growth_table(found: dict[str, dict[str, StageCost]], doubled_each: Sequence[str]) -> Iterator[str]:
    """Yield one row per stage: its cost, and how many times that it costs with twice as much of each."""
    names = [f"{what} × 2: time, memory" for what in doubled_each]
    yield f"| stage | seconds | {MIB} | {' | '.join(names)} |\n" + "|---" * (3 + len(names)) + "|"
    for stage, small in found[""].items():
        times = [_growth(small, found[what][stage]) for what in doubled_each]
        yield f"| {stage} | {small.seconds:.1f} | {small.mebibytes:,.0f} | {' | '.join(times)} |"


def _growth(small: StageCost, large: StageCost) -> str:
    # Below a second, and for memory that is mostly the imported packages, a ratio says nothing.
    time = f"{large.seconds / small.seconds:.2f}" if small.seconds >= 1 else "–"
    return f"{time}, {large.mebibytes / small.mebibytes:.2f}" if small.mebibytes else f"{time}, –"


def sizes_table(page: str) -> Iterator[str]:
    """Yield the table, one row per stage."""
    sections = sections_of(page)
    found = {share: _stages(sections[f"{name} {WORLD}"]) for share, name in SHARES.items()}
    yield f"| stage | {' | '.join(f'{share}: s, MiB' for share in found)} |"
    yield "|---" * (len(found) + 1) + "|"
    for stage in found["all"]:
        cells = (" ".join(found[share][stage]) for share in found)
        yield f"| {stage} | {' | '.join(cells)} |"


def _stages(section: str) -> dict[str, tuple[str, str]]:
    """The seconds and the peak memory of each stage, as they are printed."""
    rows = re.findall(r"^\| ([^|]+?) \| ([\d,.]+) \| ([\d,]+) \| [\d.]+ \|$", section, re.M)
    return {stage: (f"{seconds},", peak) for stage, seconds, peak in rows}


if __name__ == "__main__":
    main()
