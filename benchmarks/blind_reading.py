"""A blind reading of explanations: which of three a reader believes, pictures and understands best.

    python -m benchmarks.blind_reading sheet demo=RUN instruments=RUN hotels=RUN --cases 20 --out FOLDER
    python -m benchmarks.blind_reading table FOLDER --readers "…" --out benchmarks/results/blind_reading.md

``sheet`` draws recommended pairs by the seed and writes ``sheet.md``, which a reader gets, and ``key.json``, which the
reader does not get. A case shows what the user reviewed and what these reviews speak of, what the item's reviews say,
and three explanations in random order, all of the same item in the same list:

- *before*: the kind of answer that there was before. The smallest change, to any value, in the paper's wording ("if the
  battery had been slightly worse (3.0 → 2.7), …"); no reason for the shopper, and nothing of the user's history;
- *after*: what a person is shown today. The reason for the shopper, with the user's history where it is part of it, and
  the sentence with values that reviews can give;
- *efm*: the aspect that the Explicit Factor Model names for this pair, among those that the item has, worsened to the
  median value of today's answers, in today's words. EFM knows of aspects only: nothing is said of history.

The run's model may be of any kind.

A reader writes one line per case to ``NAME.csv`` in the folder: the case, then believable, picture and clear (1 to 5)
for A, B and C, then the preferred letter. ``table`` puts the lines of all readers together.
"""

from __future__ import annotations

import argparse
import csv
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from counterec.baselines.efm import EFM
from counterec.core.evaluation.robustness import robustness
from counterec.core.explainers.answer_columns import answer_rows
from counterec.core.explainers.answer_row import AnswerRow
from counterec.core.explainers.constraints import Constraints
from counterec.core.explainers.counter import CountER
from counterec.core.explainers.lead import leads
from counterec.core.explainers.question_builders import why
from counterec.core.scorers.base import PairBatch
from counterec.experiment.fitted_baselines import baseline_data
from counterec.randomness import generator
from counterec.run import Run, open_run
from counterec.wording import reason, sentence

WAYS = ("before", "after", "efm")
LETTERS = "ABC"
QUESTIONS = ("believable", "picture", "clear")
SHOWN = 6
"""How many aspects of a user and of an item a reader sees."""


def main() -> None:
    options = parse()
    if options.command == "sheet":
        write_sheet(options)
    else:
        options.out.write_text("\n".join(table(options)) + "\n", encoding="utf-8")


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    sheet = commands.add_parser("sheet")
    sheet.add_argument("runs", nargs="+", metavar="NAME=RUN")
    sheet.add_argument("--cases", type=int, default=20, help="cases per run")
    sheet.add_argument("--seed", type=int, default=0)
    sheet.add_argument("--out", type=Path, required=True)
    results = commands.add_parser("table")
    results.add_argument("folder", type=Path)
    results.add_argument("--readers", required=True, help="who the readers were: people, or which language models")
    results.add_argument("--out", type=Path, default=Path("benchmarks/results/blind_reading.md"))
    return parser.parse_args()


def write_sheet(options: argparse.Namespace) -> None:
    options.out.mkdir(parents=True, exist_ok=True)
    lines, key = [*introduction()], {}
    for text in options.runs:
        name, _, folder = text.partition("=")
        run = open_run(Path(folder))
        for number, case in enumerate(cases(run, options.cases, options.seed), start=1):
            title, order = (
                f"{name} {number}",
                generator(options.seed, "order", f"{name} {number}").permutation(len(WAYS)),
            )
            key[title] = {LETTERS[place]: WAYS[way] for place, way in enumerate(order)} | {"efm_true": case["efm_true"]}
            lines += ["", f"## {title}", "", *case["facts"], ""]
            lines += [f"{LETTERS[place]}. {case[WAYS[way]]}" for place, way in enumerate(order)]
    (options.out / "sheet.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (options.out / "key.json").write_text(json.dumps(key, indent=1), encoding="utf-8")


def introduction() -> Iterator[str]:
    yield "# Which explanation would you believe?"
    yield ""
    yield "A recommender put an item into a user's list of five. Each case has three explanations of that. For each one"
    yield "judge from 1 (no) to 5 (yes): is its aspect a *believable* reason for this user and item; is the change easy"
    yield "to *picture*; is the text *clear*? Then say which of the three you would show to the user. Opinions are"
    yield "counted in reviews; a value lies between 1 and 5."


def cases(run: Run, count: int, seed: int) -> Iterator[dict[str, Any]]:
    """Drawn pairs that all three ways can explain, one per user, with the texts of the three."""
    before, after = (answers(run, way) for way in ("before", "after"))
    efm, worst = EFM().fitted(baseline_data(run), seed), typical_value(after)
    order = generator(seed, "cases").permutation(len(after))
    seen: set[str] = set()
    for place in order.tolist():
        row, old = after[place], before[place]
        if not (row.explained and old.explained) or row.user_id in seen:
            continue
        user, item = run.space.users.number(row.user_id), run.space.items.number(row.item_id)
        named = efm_row(run, efm.weights(np.array([user]), np.array([item]))[0], row, worst)
        if named is None:
            continue
        seen.add(row.user_id)
        yield {
            "facts": facts(run, user, item),
            "before": sentence(run.record(old)),
            "after": f"{reason(run.record(row))} {sentence(run.record(row))}",
            "efm": f"{reason(run.record(named))} {sentence(run.record(named))}",
            "efm_true": takes_it_off(run, user, item, named),
        }
        if len(seen) == count:
            return


def answers(run: Run, way: str) -> list[AnswerRow]:
    """Every list explained by *minimal*, as it is today or with the smallest change of any value."""
    today = way == "after"
    question = why(
        run.space, run.recommendations, constraints=Constraints(values="reachable" if today else "continuous")
    )
    found = CountER(run.scorer, telling=today).explain(question)
    _, positions, _ = run.recommendations.pairs()
    if not today:
        return answer_rows(found, question, positions + 1)
    mark = robustness(run.scorer, question, found, member_lists=run.member_lists)
    return answer_rows(found, question, positions + 1, leads(run.scorer, question, found), mark)


def typical_value(rows: list[AnswerRow]) -> float:
    """The median of the values that today's answers lead to, those of unreviewed aspects left out."""
    found = [value for row in rows if row.explained and row.values == "reachable" for value in row.after]
    if not found:
        raise ValueError("this run has no explanation with possible values, and so nothing to read")
    return float(np.median(found))


def efm_row(run: Run, weights: np.ndarray, row: AnswerRow, worst: float) -> AnswerRow | None:
    """The same words about the aspect that EFM aligns best, worsened to the possible value nearest to a typical one."""
    space, item, opinions = run.space, run.space.items.number(row.item_id), run.space.opinions
    quality, lowest = space.item_quality[item], space.possible[0]
    weights = np.where(quality > lowest, weights, -np.inf)
    if opinions is None or not np.isfinite(weights).any():
        return None
    aspect = int(weights.argmax())
    ladder = space.ladder_of(item, aspect)
    if ladder is None:
        return None
    worse = np.flatnonzero((lowest[aspect] <= ladder.values) & (ladder.values < quality[aspect]))
    if not len(worse):
        return None
    after = int(worse[np.abs(ladder.values[worse] - worst).argmin()])
    only_aspects = replace(
        row,
        lead_aspects=None,
        lead_history=None,
        carried_by=None,
        score_without_aspects=None,
        nets=None,
        nets_agree=None,
        nets_hold=None,
    )
    return replace(
        only_aspects,
        aspects=(space.aspects.texts[aspect],),
        before=(float(quality[aspect]),),
        after=(float(ladder.values[after]),),
        balance_before=(int(opinions.item_praises[item, aspect] - opinions.item_complaints[item, aspect]),),
        balance_after=(int(ladder.balance[after]),),
        values="reachable",
        score_after=None,
        proof="found",
        alternatives=(),
    )


def takes_it_off(run: Run, user: int, item: int, row: AnswerRow) -> bool:
    """Whether what a row says is true of the recommender: the changed item is scored and falls below the list."""
    quality = run.space.item_quality[[item]].copy()
    quality[0, run.space.aspects.numbers(row.aspects)] = row.after
    score = float(run.scorer.score(PairBatch.for_user(run.space, user, np.array([item]), quality))[0])
    return row.target is not None and row.margin is not None and score < row.target - row.margin


def facts(run: Run, user: int, item: int) -> Iterator[str]:
    """What the user reviewed, what these reviews speak of, and what the item's reviews say."""
    space, opinions = run.space, run.space.opinions
    if opinions is None:
        raise ValueError("a reading needs the opinions behind the values; make the run again")
    past = run.interactions["train"].of(user).tolist()
    yield f"The user reviewed: {', '.join(run.item_name(space.items.texts[past_item]) for past_item in past)}."
    yield ""
    spoken = opinions.user_praises[user] + opinions.user_complaints[user]
    most = [aspect for aspect in np.argsort(-spoken, kind="stable")[:SHOWN] if spoken[aspect]]
    said = ", ".join(f"{space.aspects.texts[aspect]} ({spoken[aspect]}×)" for aspect in most)
    yield f"The user's own reviews speak most of: {said or 'no aspect at all'}."
    yield ""
    counts = opinions.item_praises[item] + opinions.item_complaints[item]
    most = [aspect for aspect in np.argsort(-counts, kind="stable")[: 2 * SHOWN] if counts[aspect]]
    known = ", ".join(
        f"{space.aspects.texts[aspect]} {space.item_quality[item, aspect]:.1f} ({counts[aspect]})" for aspect in most
    )
    item_id = space.items.texts[item]
    yield f"The item, {run.item_name(item_id)}, by its reviews (value, number of opinions): {known}."


def table(options: argparse.Namespace) -> Iterator[str]:
    key = json.loads((options.folder / "key.json").read_text(encoding="utf-8"))
    readings = [(file.stem, row) for file in sorted(options.folder.glob("*.csv")) for row in csv.reader(file.open())]
    yield "# A blind reading"
    yield ""
    yield f"Written by `benchmarks/blind_reading.py`. {len(key)} cases with three explanations each, in random order;"
    yield f"{len(readings)} readings by {len({name for name, _ in readings})} readers: {options.readers}."
    yield ""
    yield "*before* is the kind of answer that there was before: the smallest change, to any value, in the paper's"
    yield "wording. *after* is today's: a reason and a sentence, with possible values and, where the recommender goes"
    yield "by it, the user's history. Both are true of the recommender that made the list: the changed item leaves it."
    yield "*efm* is the aspect that EFM names, in today's words. It is another model's, and its sentences may be false"
    yield "of this one; readers cannot see that."
    for title in ("all", *dict.fromkeys(case.rsplit(" ", 1)[0] for case in key)):
        chosen = [row for _, row in readings if title == "all" or row[0].rsplit(" ", 1)[0] == title]
        yield from ["", f"## {title}", "", f"| | {' | '.join(QUESTIONS)} | preferred |", "|---|---|---|---|---|"]
        for way in WAYS:
            yield summary(way, key, chosen)
        true = np.mean([case["efm_true"] for name, case in key.items() if title in ("all", name.rsplit(" ", 1)[0])])
        yield ""
        yield f"True of the recommender: *before* and *after* 100%, *efm* {true:.0%}."


def summary(way: str, key: dict[str, dict[str, Any]], rows: list[list[str]]) -> str:
    """The mean judgement of one way, and how often it was preferred."""
    marks, preferred = [], 0
    for case, *numbers, letter in rows:
        place = next(place for place, mark in enumerate(LETTERS) if key[case][mark] == way)
        marks.append([float(number) for number in numbers[3 * place : 3 * place + 3]])
        preferred += key[case].get(letter.strip()) == way
    means = np.array(marks).mean(axis=0)
    return f"| {way} | {' | '.join(f'{mean:.2f}' for mean in means)} | {preferred / len(rows):.0%} |"


if __name__ == "__main__":
    main()
