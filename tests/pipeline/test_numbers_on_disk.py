"""The split, the matrices and the evaluation of a run, computed again from the tables beside them by plain counting."""

from __future__ import annotations

import json
import math
from collections import Counter, defaultdict
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
import polars as pl
import pytest

from tests.pipeline.disk import Disk

Pair = tuple[str, str]


@pytest.fixture(scope="module", params=["full", "sampled"])
def folder(request, tiny_run: Path, sampled_run: Path) -> Path:
    return tiny_run if request.param == "full" else sampled_run


def part_of(folder: Path) -> dict[Pair, str]:
    rows = pl.read_parquet(folder / "split.parquet").rows()
    return {(user, item): part for user, item, part in rows}


def test_the_split(folder: Path) -> None:
    """Of each user the last five, by time and then item, are test; the one before validation."""
    reviews = pl.read_parquet(folder / "reviews.parquet")
    found, expected = part_of(folder), {}
    for (user,), rows in reviews.group_by("user_id"):
        for place, (_, item) in enumerate(sorted(rows.select("time", "item_id").rows(), reverse=True)):
            expected[user, item] = "test" if place < 5 else "validation" if place < 6 else "train"
    assert found == expected
    assert len(found) == len(reviews)


def test_the_matrices(folder: Path) -> None:
    """X and Y by Eq. 1, from the mentions of the training part alone: once a sentence, at most three a review."""
    disk, part = Disk(folder), part_of(folder)
    cared, said, total = Counter(), Counter(), Counter()
    in_sentence: dict[tuple[str, str, str, int], list[int]] = {}
    columns = ["user_id", "item_id", "aspect", "sentence", "sentiment"]
    for *place, sentiment in pl.read_parquet(folder / "mentions.parquet").select(columns).iter_rows():
        in_sentence.setdefault(tuple(place), []).append(sentiment)
    in_review = Counter()
    for (user, item, aspect, _), sentiments in in_sentence.items():
        in_review[user, item, aspect] += 1
        if part[user, item] == "train" and in_review[user, item, aspect] <= 3:
            cared[user, aspect] += 1
            said[item, aspect] += 1
            total[item, aspect] += np.sign(sum(sentiments)) or sentiments[-1]
    mentioned = Counter(aspect for (_, aspect), count in said.items() for _ in range(count))
    assert disk.aspects == sorted(aspect for aspect, count in mentioned.items() if count >= 5)
    for column, aspect in enumerate(disk.aspects):
        for row, user in enumerate(disk.users):
            t = cared[user, aspect]
            attention = 1 + 4 * (2 / (1 + math.exp(-t)) - 1) if t else 0
            assert disk.X[row, column] == pytest.approx(attention, abs=1e-6)
        for row, item in enumerate(disk.items):
            quality = 1 + 4 / (1 + math.exp(-total[item, aspect])) if said[item, aspect] else 0
            assert disk.Y[row, column] == pytest.approx(quality, abs=1e-6)
    assert disk.users == sorted({user for user, _ in part})
    assert disk.items == sorted({item for _, item in part}), "an item seen only in held-out reviews is there too"


def test_sampled_candidates(folder: Path) -> None:
    """The five held-out items, and as many negatives as asked for."""
    if not (folder / "candidates.parquet").exists():
        pytest.skip("protocol full draws none")
    part = part_of(folder)
    for (user,), rows in pl.read_parquet(folder / "candidates.parquet").group_by("user_id"):
        kinds = Counter(part.get((user, item), "untouched") for item in rows["item_id"])
        assert kinds == {"test": 5, "untouched": 14}


def test_the_quality_of_the_lists(folder: Path) -> None:
    disk, part = Disk(folder), part_of(folder)
    evaluation = json.loads((folder / "evaluation.json").read_text())
    k, found = evaluation["k"], evaluation["ranking"]
    popularity = Counter(item for (_, item), where in part.items() if where == "train")
    popular = {
        user: sorted((disk.items[item] for item in own), key=lambda item: (-popularity[item], item))[:k]
        for user, own in disk.candidates.items()
    }
    recommended = {user: rows["item_id"].to_list()[:k] for user, rows in disk.lists.items()}
    for lists, measured in ((recommended, found["recommender"]), (popular, found["popularity"])):
        hits = {user: [part.get((user, item)) == "test" for item in items] for user, items in lists.items()}
        ideal = sum(1 / math.log2(place + 2) for place in range(min(5, k)))
        ndcg = [sum(hit / math.log2(p + 2) for p, hit in enumerate(row)) / ideal for row in hits.values()]
        assert measured["ndcg"]["value"] == pytest.approx(fmean(ndcg))
        assert measured["recall"]["value"] == pytest.approx(fmean(sum(row) / 5 for row in hits.values()))
        assert measured["hit_rate"]["value"] == pytest.approx(fmean(any(row) for row in hits.values()))
        assert {measured[name]["cases"] for name in ("ndcg", "recall", "hit_rate")} == {30}


def test_the_quality_of_the_explanations(folder: Path) -> None:
    disk, part = Disk(folder), part_of(folder)
    praised: dict[Pair, set[str]] = defaultdict(set)
    for row in pl.read_parquet(folder / "mentions.parquet").iter_rows(named=True):
        pair = row["user_id"], row["item_id"]
        if part[pair] == "test" and row["sentiment"] > 0 and row["aspect"] in disk.aspects:
            praised[pair].add(row["aspect"])
    evaluation = json.loads((folder / "evaluation.json").read_text())["explanations"]
    assert set(evaluation) == set(disk.methods)
    for method, table in disk.methods.items():
        unreviewed = [row["values"] == "unreviewed" for row in table.to_dicts() if row["status"] == "explained"]
        assert ("unreviewed" in evaluation[method]) == any(unreviewed)
        kinds = {"reachable": evaluation[method], "unreviewed": evaluation[method].get("unreviewed")}
        for values, measured in kinds.items():
            if measured is not None:
                check_measures(disk, measured, of_kind(table.to_dicts(), values), praised, part)


def of_kind(rows: list[dict], values: str) -> list[dict]:
    """The rows, of which only explanations with these values count as explained."""
    verdicts = dict.fromkeys(name + ties for name in ("necessary", "sufficient") for ties in ("", "_kind", "_strict"))
    dropped = {"status": "not_found", "aspects": [], "before": [], "after": [], **verdicts}
    return [row | dropped if row["status"] == "explained" and row["values"] != values else row for row in rows]


def check_measures(disk: Disk, measured: dict[str, Any], rows: list[dict], praised, part) -> None:
    explained = [row for row in rows if row["status"] == "explained"]
    check_counterfactual_side(measured["counterfactual"], rows, explained)
    check_model_side(measured["model"], explained)
    cases = check_user_side(measured["user"], rows, praised, part)
    assert cases or rows_of_the_rarer_kind(rows), "too few cases for this check to mean anything"
    check_unexplained_as_zero(measured["unexplained_as_zero"], rows, praised)
    named = {aspect for row in explained for aspect in row["aspects"]}
    assert measured["coverage"] == pytest.approx(len(named) / len(disk.aspects))


def check_counterfactual_side(found: dict[str, Any], rows: list[dict], explained: list[dict]) -> None:
    assert value(found["fidelity"], len(rows)) == pytest.approx(len(explained) / len(rows))
    assert found["statuses"] == Counter(row["status"] for row in rows)
    changes = [[a - b for a, b in zip(row["after"], row["before"], strict=True)] for row in explained]
    assert value(found["aspects"], len(explained)) == pytest.approx(fmean(map(len, changes)))
    complexity = fmean(math.hypot(*change) + len(change) for change in changes)
    assert value(found["complexity"], len(explained)) == pytest.approx(complexity, rel=1e-5)
    strength = [row["score_before"] - row["score_after"] for row in explained]
    assert value(found["strength"], len(explained)) == pytest.approx(fmean(strength), rel=1e-5)
    shares = [sigmoid(row["score_before"]) - sigmoid(row["score_after"]) for row in explained]
    assert value(found["strength_sigmoid"], len(explained)) == pytest.approx(fmean(shares), rel=1e-5)


def check_model_side(found: dict[str, Any], explained: list[dict]) -> None:
    pn, ps = (fmean(row[verdict] for row in explained) for verdict in ("necessary", "sufficient"))
    assert value(found["pn"], len(explained)) == pytest.approx(pn)
    assert value(found["ps"], len(explained)) == pytest.approx(ps)
    assert value(found["f_ns"], len(explained)) == pytest.approx(2 * pn * ps / (pn + ps))
    for name, verdict in (("pn", "necessary"), ("ps", "sufficient")):
        bounds = [fmean(row[f"{verdict}_{ties}"] for row in explained) for ties in ("strict", "kind")]
        assert found[name]["ties"] == pytest.approx(bounds)


def check_user_side(found: dict[str, Any], rows: list[dict], praised: dict[Pair, set[str]], part) -> int:
    precision, recall, f1, left_out = [], [], [], Counter()
    for row in rows:
        pair, named = (row["user_id"], row["item_id"]), set(row["aspects"])
        if part.get(pair) != "test":
            left_out["not_in_test"] += 1
        elif row["status"] != "explained":
            left_out["not_explained"] += 1
        elif not praised[pair]:
            left_out["nothing_praised"] += 1
        else:
            both = len(named & praised[pair])
            precision.append(both / len(named))
            recall.append(both / len(praised[pair]))
            f1.append(2 * both / (len(named) + len(praised[pair])))
    assert {name: count for name, count in found["left_out"].items() if count} == left_out
    for name, values in (("precision", precision), ("recall", recall), ("f1", f1)):
        assert not values or value(found[name], len(values)) == pytest.approx(fmean(values))
    return len(precision)


def rows_of_the_rarer_kind(rows: list[dict]) -> bool:
    return any(row["status"] == "explained" and row["values"] == "unreviewed" for row in rows)


def check_unexplained_as_zero(found: dict[str, Any], rows: list[dict], praised: dict[Pair, set[str]]) -> None:
    for name, verdict in (("pn", "necessary"), ("ps", "sufficient")):
        assert value(found["model"][name], len(rows)) == pytest.approx(fmean(bool(row[verdict]) for row in rows))
    f1 = []
    for row in rows:
        truth = praised.get((row["user_id"], row["item_id"]))
        named = set(row["aspects"]) if row["status"] == "explained" else set()
        if truth:
            f1.append(2 * len(named & truth) / (len(named) + len(truth)))
    assert value(found["user"]["f1"], len(f1)) == pytest.approx(fmean(f1))


def value(measure: dict[str, Any], cases: int) -> float:
    """The value of a measure with this many cases; it lies inside its interval."""
    assert measure["cases"] == cases
    low, high = measure["interval"]
    assert low <= measure["value"] <= high
    return measure["value"]


def sigmoid(score: float) -> float:
    return 1 / (1 + math.exp(-score))
