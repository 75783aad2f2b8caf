"""Paired differences of rows few enough to count by hand."""

from __future__ import annotations

import pytest

from counterec.report.measures import compare_methods
from tests.report.few_rows import answer, counted, experiment_of, row


def test_differences_are_over_the_same_pairs_of_the_same_seed() -> None:
    rows = [
        counted("u", "i", 0.8, "relaxed"),
        counted("v", "i", 0.6, "relaxed"),
        counted("w", "i", 1.0, "relaxed", seed=1),  # the other method has this pair with another seed
        counted("u", "i", 0.5, "efm"),
        counted("v", "i", 0.1, "efm"),
        counted("w", "i", 0.0, "efm"),
        counted("u", "j", 0.0, "efm"),  # not in CountER's list
    ]
    found = {(c.ours, c.other, c.measure): c.difference for c in compare_methods(experiment_of(rows))}
    assert set(found) == {("relaxed", "efm", measure) for measure in ("f1", "f1_all", "f_ns", "f_ns_all")}
    assert (found["relaxed", "efm", "f1"].value, found["relaxed", "efm", "f1"].cases) == (pytest.approx(0.4), 2)


def test_differences_over_explained_pairs_and_over_all_pairs_of_both() -> None:
    rows = [
        counted("u", "i", 0.8, "relaxed"),
        row("v", in_test=True, praised=1),
        counted("w", "i", 0.6, "relaxed"),
        counted("u", "i", 0.4, "efm"),
        counted("v", "i", 0.5, "efm"),
        row("w", method="efm", joint=False, in_test=True, praised=1),
    ]
    found = {c.measure: c.difference for c in compare_methods(experiment_of(rows))}
    assert (found["f1"].value, found["f1"].cases) == (pytest.approx(0.4), 1)
    assert (found["f1_all"].value, found["f1_all"].cases) == (pytest.approx((0.4 - 0.5 + 0.6) / 3), 3)
    assert found["f_ns"].value == pytest.approx(0.0)
    assert found["f_ns_all"].value == pytest.approx(0.0)


def test_p_is_corrected_for_all_comparisons_of_the_same_measure() -> None:
    users = [f"u{number}" for number in range(20)]
    rows = [counted(user, "i", 0.8, "relaxed") for user in users]
    others = ("efm", "mter", "random")
    rows += [counted(user, "i", 0.1, method) for user in users for method in others]
    found = [c for c in compare_methods(experiment_of(rows)) if c.measure == "f1"]
    assert len(found) == len(others)
    assert all(c.corrected == pytest.approx(len(others) * c.difference.p) for c in found if c.difference.p)
    assert all(c.difference.p for c in found)
    few = [c for c in compare_methods(experiment_of(rows[1:])) if c.measure == "f1"]
    assert [(c.difference.cases, c.difference.p, c.corrected) for c in few] == [(19, None, None)] * 3


def test_what_selects_is_compared_with_our_other_goals_too_and_each_pair_of_methods_once() -> None:
    users = [f"u{number}" for number in range(20)]
    shapes = {"relaxed": "multi", "single": "single", "minimal": "multi", "complete": "multi", "random": "multi"}
    rows = [
        answer(user, method == "complete", True, method=method, shape=shape, masked=masked)
        for method, shape in shapes.items()
        for user in users
        for masked in (False, True)
    ]
    found = [c for c in compare_methods(experiment_of(rows)) if c.measure == "f_ns" and not c.masked]
    assert [(c.ours, c.other, c.shape) for c in found] == [
        *((ours, "random", "multi") for ours in ("relaxed", "minimal", "complete")),
        *(("complete", other, "multi") for other in ("relaxed", "single", "minimal")),
    ]
    assert {c.other: c.difference.value for c in found if c.ours == "complete"} == dict.fromkeys(
        ("random", "relaxed", "single", "minimal"), 1.0
    )
    family = 2 * len(found)  # with the mask as often
    ours = [c for c in found if c.ours == "complete"]
    assert [c.corrected for c in ours] == pytest.approx([family * (ours[0].difference.p or 0)] * len(ours))
    alone = [c for c in compare_methods(experiment_of(rows), ("complete",)) if c.measure == "f_ns"]
    assert {c.ours for c in alone} == {"complete"}
    assert len(alone) == 8
