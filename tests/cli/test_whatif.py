"""``counterec whatif``: the new ranking agrees with plain arithmetic, and wrong input gets one clear line."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from counterec import open_run
from tests import naive
from tests.cli.conftest import USER
from tests.cli.files import Outcome, counterec
from tests.pipeline.disk import Disk
from tests.pipeline.tiny import contents

K = 5


@pytest.fixture
def whatif(tiny_run: Path):
    before, manifest = contents(tiny_run), (tiny_run / "manifest.json").read_bytes()

    def whatif(*options: object) -> Outcome:
        return counterec("whatif", tiny_run, *options)

    yield whatif
    assert contents(tiny_run) == before, "a question writes nothing"
    assert (tiny_run / "manifest.json").read_bytes() == manifest


def of_reviews(balance: int) -> float:
    """The value of an aspect that was praised so much more often than criticised, by Eq. 1."""
    return float(np.float32(1 + 4 / (1 + np.exp(-balance))))


def reranked(disk: Disk, changes: dict[str, dict[str, float]]) -> dict[str, tuple[int, float]]:
    """Every candidate's position and score if these items had these values."""
    own = disk.candidates[USER]
    qualities = disk.Y[own].copy()
    for item, values in changes.items():
        for aspect, value in values.items():
            qualities[own.tolist().index(disk.items.index(item)), disk.aspects.index(aspect)] = value
    scores = naive.shared_scores(disk.net, disk.attention(USER), qualities)
    score_of = dict(zip(own.tolist(), scores.tolist(), strict=True))
    return {disk.items[item]: (place, score_of[item]) for place, item in enumerate(naive.order(scores, own), start=1)}


def check(disk: Disk, outcome: Outcome, changes: dict[str, dict[str, float]]) -> None:
    """Check the position and score of every candidate, before and after."""
    assert (outcome.status, outcome.err) == (0, "")
    found = outcome.json
    assert (found["user_id"], found["k"]) == (USER, K)
    before, after = reranked(disk, {}), reranked(disk, changes)
    assert [row["position"] for row in found["items"]] == list(range(1, len(after) + 1))
    assert {row["item_id"] for row in found["items"]} == set(after)
    for row in found["items"]:
        item = row["item_id"]
        assert row["score"] == pytest.approx(after[item][1], abs=1e-5)
        assert row["score_before"] == pytest.approx(before[item][1], abs=1e-5)
        for place, right, key in (("position", after, "score"), ("position_before", before, "score_before")):
            (rightful,) = (name for name, (at, _) in right.items() if at == row[place])
            assert right[item][0] == row[place] or right[rightful][1] == pytest.approx(row[key], abs=1e-5)
        assert row["changed"] == (item in changes)


class TestRanking:
    def test_one_item(self, whatif, disk, ranking) -> None:
        """The first item loses its values of two aspects."""
        first = ranking[0]
        strong = [disk.aspects[a] for a in np.argsort(-disk.quality(first))[:2]]
        options = ["--set", f"{strong[0]}=1", "--set", f"{strong[1]}=0"]
        outcome = whatif("--user", USER, "--item", first, *options, "--json")
        changes = {first: {strong[0]: 1.0, strong[1]: 0.0}}
        check(disk, outcome, changes)
        assert reranked(disk, changes)[first][0] > 1, "nothing would move: this shows nothing"
        (said,) = outcome.json["sentences"]
        assert f"{strong[0]} at 1.0 instead of" in said
        assert "that is " in said
        assert f"without reviews on {strong[1]}" in said

    def test_several_items(self, whatif, disk, ranking) -> None:
        """The item of --item and two others change, and no further one."""
        first, last, other = ranking[0], ranking[-1], ranking[2]
        a, b = disk.aspects[0], disk.aspects[3]
        options = ["--set", f"{a}=1.5", "--set", f"{last}:{a}=5", "--set", f"{last}:{b}=4.5", "--set", f"{other}:{b}=0"]
        changes = {first: {a: of_reviews(-2)}, last: {a: 5.0, b: of_reviews(2)}, other: {b: 0.0}}
        check(disk, whatif("--user", USER, "--item", first, *options, "--json"), changes)
        without_item = whatif("--user", USER, *(o.replace(f"{a}=1.5", f"{first}:{a}=1.5") for o in options), "--json")
        check(disk, without_item, changes)


class TestValues:
    """A number stands for the value that is shown like this; the answer says what it means in reviews."""

    @pytest.fixture
    def asked(self, disk, ranking, tiny_run: Path) -> tuple[str, str, int]:
        """An item, an aspect that people have praised and criticised, and its praises − complaints."""
        item, column = ranking[0], int(np.argmax(disk.quality(ranking[0])))
        opinions, number = open_run(tiny_run).space.opinions, disk.items.index(item)
        assert opinions is not None
        balance = opinions.item_praises[number, column] - opinions.item_complaints[number, column]
        return item, disk.aspects[column], int(balance)

    @pytest.mark.parametrize("shown", ["2.1", "2.08", "2.0758", repr(of_reviews(-1))])
    def test_a_printed_value(self, whatif, disk, asked, shown: str) -> None:
        item, aspect, balance = asked
        outcome = whatif("--user", USER, "--item", item, "--set", f"{aspect}={shown}", "--json")
        check(disk, outcome, {item: {aspect: of_reviews(-1)}})
        (said,) = outcome.json["sentences"]
        assert f"{aspect} at 2.1 instead of " in said
        assert f"that is {balance + 1} more complaints" in said

    def test_every_value_that_explain_reports(self, whatif, disk, ranking, tiny_run: Path) -> None:
        """The numbers of its sentences, typed again, lead where the explanation says."""
        run, tried = open_run(tiny_run), 0
        for row in run.explain(USER).to_dicts():
            record = run.record(row)
            if not record.explained:
                continue
            settings = [f"{c.aspect}={c.absent if c.removed else c.shown()[1]}" for c in record.changes]
            options = [option for setting in settings for option in ("--set", setting)]
            rows = whatif("--user", USER, "--item", row["item_id"], *options, "--json").json["items"]
            (after,) = (found for found in rows if found["item_id"] == row["item_id"])
            assert after["score"] == pytest.approx(row["score_after"], abs=1e-5)
            assert after["position"] > K
            tried += 1
        assert tried >= 2


class TestForPeople:
    def test_the_list_as_it_would_be(self, whatif, disk, ranking, tiny_run: Path) -> None:
        nothing = dict.fromkeys(disk.aspects, 0.0)
        first = next(item for item in ranking[:K] if reranked(disk, {item: nothing})[item][0] > K)
        options = [option for aspect in disk.aspects for option in ("--set", f"{aspect}=0")]
        outcome = whatif("--user", USER, "--item", first, *options)
        assert (outcome.status, outcome.err) == (0, "")
        before, after = reranked(disk, {}), reranked(disk, {first: nothing})
        was, (place, score) = before[first][0], after[first]
        lines = [[cell.strip() for cell in line.split("│")[1:-1]] for line in outcome.out.splitlines() if "│" in line]
        shown = {cells[3]: cells for cells in lines}
        expected = {item for item, (at, _) in after.items() if at <= K + 3} | {first}
        assert set(shown) == expected
        assert shown[first][:2] == [f"({place})", str(was)]
        assert shown[first][4] == f"{disk.score(USER, disk.quality(first)):.4f} → {score:.4f}"
        for item in expected - {first}:
            at = after[item][0]
            assert shown[item][:2] == [str(at) if at <= K else f"({at})", str(before[item][0])]
            assert shown[item][4] == f"{after[item][1]:.4f}"
        name = open_run(tiny_run).item_name(first)
        assert f"{name} would move from position {was} to position {place}, off the list of {K}." in outcome.text
        assert f"The list of {USER} after the change" in outcome.text
