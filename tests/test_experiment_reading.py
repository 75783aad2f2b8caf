"""The page that reads all experiments: what it counts, and that it says where an aim is missed."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from benchmarks import reading
from benchmarks.experiment import collect_run
from benchmarks.reading_sections.bounds import by_other_reasons, by_the_mask
from benchmarks.reading_sections.claims import claims
from benchmarks.reading_sections.failing_claims import failing_claims
from benchmarks.reading_sections.in_short import answers_that_hold, in_short
from benchmarks.reading_sections.lists import lists
from benchmarks.reading_sections.model_side import model_side
from benchmarks.reading_sections.orders import orders
from benchmarks.reading_sections.past_reviews import past_reviews
from benchmarks.reading_sections.places import Place, above_zero, below_zero, places
from benchmarks.reading_sections.reasons import reasons, trained
from benchmarks.reading_sections.transfer import best_under, retraining, trainings, transfer
from benchmarks.reading_sections.user_side import user_side

from counterec.report.experiment_report import write_report
from tests.report.rows import EXPERIMENT_SETTINGS, STATISTICS, World

SETTINGS = {**EXPERIMENT_SETTINGS, "looked_at": (0,), "users": 30}


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What is collected of a report in which every claim is true (net), and of one in which none is (hybrid)."""
    folder = tmp_path_factory.mktemp("run")
    for model, truth in (("net", 1), ("hybrid", -1)):
        report = folder / "experiment" / model / "full"
        write_report(report, World(users=30, claims_are=truth).experiment(), STATISTICS, None, SETTINGS)
    stages = {"rows": {"outputs": {"experiment/net/full/rows": ""}, "seconds": 5400.0}}
    (folder / "manifest.json").write_text(json.dumps({"stages": stages}))
    collected = tmp_path_factory.mktemp("results")
    collect_run(folder, collected / "world")
    return collected


@pytest.fixture(scope="module")
def found(results: Path) -> dict[str, Place]:
    return {place.model: place for place in places(results)}


def test_a_lead_is_counted_and_where_there_is_none_it_is_told(found: dict[str, Place]) -> None:
    """*complete* is as good as CountER's other goals here, and better than all others where claims are true."""
    said = "\n".join(model_side([found["net"], found["hybrid"]]))
    leads = found["net"].differences("complete", False, "f_ns")
    won = sum(one["interval"][0] > 0 for one in leads)
    assert 0 < won < len(leads)
    assert f"| net, without the mask | {won} of {len(leads)} |" in said
    assert f"| hybrid, without the mask | 0 of {len(leads)} |" in said
    assert "| world, net, full | without the mask | relaxed | 0.000 (0.000 to 0.000), 150 |" in said
    assert "| world, net, full | without the mask | a2cf |" not in said
    assert "| world, hybrid, full | with the mask | a2cf | -" in said


def test_the_page_in_short_counts_what_the_sections_tell(found: dict[str, Place]) -> None:
    """Claims are true by `net` and false by `hybrid`: each holds in one report of two, which is not most of them."""
    model, user, past, judged = in_short([found["net"], found["hybrid"]])
    others = [one for one in found["net"].differences("complete", False, "f_ns") if one["other"] not in ("efm", "a2cf")]
    assert f" of {2 * 2 * 2 * len(others)} comparisons" in model, "two reports, two denominators, two masks"
    assert "below the best baseline in 1 of 2 reports" in user
    assert "significantly so in 1, and significantly above it in 1." in user
    assert "explain 50% to 50% of the pairs" in past
    claims_in_all = len(found["net"].found["claims"])
    assert f"Of {claims_in_all}, 0 hold in most reports and 0 do not hold in most" in judged
    *_, judged = in_short([found["net"]])
    assert f"Of {claims_in_all}, {claims_in_all} hold in most reports" in judged


def test_the_user_side_names_the_reports_where_a_baseline_is_better(found: dict[str, Place]) -> None:
    said = next(iter(user_side([found["net"], found["hybrid"]])))
    assert "in 1 of 2 reports; not in world, hybrid, full." in said
    assert "above 0 in 1 and below 0 in 1; in 0 it contains 0, or there are fewer than 20 pairs" in said


def test_a_bootstrap_over_a_handful_of_pairs_decides_nothing() -> None:
    one = {"value": -0.5, "cases": 1, "interval": [-0.5, -0.5]}
    assert (below_zero(one), below_zero(one | {"cases": 20})) == (False, True)
    assert not above_zero(one | {"cases": 19, "interval": [0.1, 0.2]})


def test_claims_are_counted_over_reports_and_what_refutes_them_is_told(found: dict[str, Place]) -> None:
    said = list(claims([found["net"], found["hybrid"]]))
    assert "| With the mask, CountER has a higher F1 than every baseline. | 1 | 1 | 0 |" in said
    assert any(line.startswith("- With the mask, CountER has a higher F1 than every baseline. *F1, ") for line in said)
    only_true = "\n".join(claims([found["net"]]))
    assert "- With the mask" not in only_true


def test_no_method_can_be_sufficient_beyond_the_items_that_leave(found: dict[str, Place]) -> None:
    """If half of the items leave without aspects, PS is at most 1/2, and F_NS at most 2·½/(1 + ½) = ⅔."""
    causes = {
        "world/hybrid/full": {"pairs": 1000, "leave without aspects": 500},
        "world/net/full": {"pairs": 1000, "leave without aspects": 1000},
    }
    *_, head, row = by_other_reasons([found["net"], found["hybrid"]], causes)
    assert row.startswith("| world, hybrid, full | 0.500 | 0.667 | ")
    assert head.startswith("|---"), "the net has no such bound"


def test_with_the_mask_no_method_reaches_more_than_the_allowed_sets(found: dict[str, Place]) -> None:
    """PN at most 3/5 and PS at most 2/5 make F_NS at most 2·0.24/1 = 0.48."""
    causes = {"world/net/full": {"pairs": 1000, "allowed sets": {"necessary": 600, "sufficient": 400}}}
    *_, row = by_the_mask([found["net"], found["hybrid"]], causes)
    assert row.startswith("| world, net, full | 0.600 | 0.400 | 0.480 | ")


def test_causes_of_failing_claims_are_told_with_what_could_have_refuted_them(found: dict[str, Place]) -> None:
    """Two reports: in the first every cause is confirmed, in the second none is."""

    def number(value: float) -> dict[str, object]:
        return {"value": value, "cases": 99, "interval": [value - 0.05, value + 0.05]}

    names = ("named with the item's aspects", "named with the lead")
    names += ("verdicts with complexity", "verdicts with complexity, equally many aspects")
    names += ("F1 with complexity", "F1 with complexity, equally many aspects")
    names += ("norms", "norms, few aspects", "fall beyond, small λ", "fall beyond, large λ")
    values = {
        "world/net/full": (0.8, 0.6, 0.4, 0.1, 0.3, 0.0, 2.5, 1.5, 0.05, 0.2),
        "world/hybrid/full": (0.0, -0.1, 0.4, 0.5, 0.3, -0.4, 2.6, 2.5, 0.1, 0.4),
    }
    causes = {path: {"claims": dict(zip(names, map(number, each), strict=True))} for path, each in values.items()}
    size, complexity, norms, strength = filter(None, failing_claims([found["net"], found["hybrid"]], causes))
    assert "0.00 to 0.80 (whole interval above 0 in 1 of 2 reports), with the lead -0.10 to 0.60 (1 of 2" in size
    assert complexity.count("nearer to 0 there in 1 of 2 reports") == 2
    assert "1.50 to 2.50, less than twice in 1 of 2 reports" in norms
    assert "0.05 to 0.10 with the smallest λ" in strength
    assert "the whole interval is more than a tenth above α in 1 of 2 reports" in strength
    assert list(failing_claims([found["net"]], {})) == []


def test_the_best_of_the_others_under_a_condition_is_found(found: dict[str, Place]) -> None:
    """Under k=4 the verdicts of this world are those of before: CountER's goals tie, and lead the others."""
    ours, best, theirs = best_under(found["net"], "k=4") or (0.0, "", 1.0)
    assert (best, theirs) == ("relaxed", ours)
    assert best_under(found["net"], "fresh candidates") is None
    assert "k=4: 0 of 1" in next(iter(transfer([found["net"]]))), "a tie is no lead"


def test_past_reviews_and_orders_and_marks_are_read_as_they_were_made(found: dict[str, Place]) -> None:
    *_, row = past_reviews([found["net"]])
    assert row == "| world, net, full | 150 | 100% | 50% | 100% | 100% | 1.0 | 0% | 100% |"
    said = next(iter(orders([found["net"]])))
    assert "POS@K: relaxed in 1" in said
    marked = next(iter(retraining([found["net"]])))
    assert "in 1 of 1 cases" in marked, "an answer that held in all nets holds always in this world, others never"


def test_trainings_stand_side_by_side_where_the_published_one_was_measured() -> None:
    measured = {"net_as_published": 0.1, "net": 0.2, "hybrid": 0.3}
    found = []
    for model, number in measured.items():
        again = {name: {"value": number} for name in ("listed", "alike", "holds_all")}
        found.append(Place("world", model, "full", {"retraining": [{"method": "complete", **again}]}))
    assert list(trainings(found))[-2] == "| world | 0.10, 0.10, 0.10 | 0.20, 0.20, 0.20 | 0.30, 0.30, 0.30 |"
    assert list(trainings(found[1:])) == []
    (short,) = answers_that_hold(found)
    assert short.endswith("still holds: `net_as_published` 10% to 10%, `net` 20% to 20%, `hybrid` 30% to 30%.")


def test_the_whole_page_is_written_with_hours(results: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (results / reading.CAUSES).write_text("{}")
    (results / reading.CONTROL).write_text("# F1 against training\n")
    monkeypatch.setattr("sys.argv", ["reading", "--results", str(results)])
    reading.main()
    said = (results / reading.PAGE).read_text()
    assert "from 2 reports" in said
    assert "1.5 hours" in said
    assert "per seed: world at most 30." in said
    assert [line[3:] for line in said.splitlines() if line.startswith("## ")] == list(reading.SECTIONS)


def test_a_report_without_a_method_shows_a_dash(found: dict[str, Place]) -> None:
    without = [cell for cell in found["net"].found["cells"] if cell["method"] != "mter"]
    notes = {**found["net"].found["methods"], "mter": {"unavailable": "no opinion words"}}
    place = replace(found["net"], found={**found["net"].found, "cells": without, "methods": notes})
    *_, row = lists([place])
    assert row.split(" | ")[-2] == "–"


def test_f1_before_and_after_training_is_taken_from_the_control() -> None:
    heads = "| epochs | NDCG@K | F1, relaxed, of all | F1, frequency, of all | all pairs |\n|---|---|---|---|---|\n"
    page = (
        f"# F1\n\n## world\n\n{heads}| 1 | 0.1 | 0.2 | 0.3 | 9 |\n| 5 | 0 | 0 | 0 | 1 |\n| 50 | 0.4 | 0.5 | 0.6 | 8 |\n"
    )
    assert list(trained(page))[-1] == "| world | 1 and 50 | 0.1, then 0.4 | 0.2, then 0.5 | 0.3, then 0.6 | 9 and 8 |"


def cell(method: str, shape: str, masked: bool, **values: float) -> dict[str, object]:
    numbers = {name: {"value": number, "cases": 10, "interval": None} for name, number in values.items()}
    return {"method": method, "shape": shape, "masked": masked, **numbers}


def test_a_cause_is_told_with_what_could_have_refuted_it() -> None:
    """Two places: in the first alone is the rule of A2CF less necessary for our lists, and frequency above a bound."""
    own, ours = {"pn_all": 0.9, "ps_all": 0.1}, ({"pn_all": 0.5, "ps_all": 0.3}, {"pn_all": 0.95, "ps_all": 0.05})
    rule, goal, bounds = (0.4, 0.3), (0.3, 0.5), ({"best": 0.35, "bound": 0.45}, {"best": 0.6, "bound": 0.7})
    found = []
    for number in (0, 1):
        cells = [
            cell("a2cf", "single", False, **own),
            cell("alignment_a2cf", "single", False, **ours[number]),
            cell("relaxed", "multi", False, ps_all=0.2, aspects=1.5),
            cell("complete", "multi", False, ps_all=0.9, aspects=2.5),
            cell("frequency", "multi", True, f1_all=rule[number]),
            cell("complete", "multi", True, f1_all=goal[number]),
        ]
        hindsight = {"with the mask": {name: {"value": number} for name, number in bounds[number].items()}}
        methods = {"efm": {"best_aligned_is_not_scored": 0.02 * (1 + number)}}
        point = {"lambda": 100.0, "alpha": 0.2, "aspects": {"value": 2.0}, "f_ns_all": {"value": 0.5}}
        found.append(
            Place(
                f"data {number}",
                "net",
                "full",
                {"cells": cells, "hindsight": hindsight, "sweep": [point], "methods": methods},
            )
        )
    said = list(reasons(found))
    assert "PN 0.50 to 0.95, lower in 1 of 2 reports, and PS 0.05 to 0.30, higher in 1." in said[0]
    assert "*complete*, which asks for both, has PS 0.90 to 0.90 on the same lists, higher in 2 of 2" in said[4]
    assert said[2].endswith("Left free, it would name another for 2.0% to 4.0% of its pairs.")
    assert "above that of the best goal in 1 of 2 reports" in said[6]
    assert "in 1 it is above the best that any set of up to three" in said[6]
    assert "and in 0 above the bound" in said[6]
    assert said[-2:] == ["| data 0, net, full | 2.0, 0.50 |", "| data 1, net, full | 2.0, 0.50 |"]
