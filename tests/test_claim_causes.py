"""What could have refuted the causes of failing claims: hand-made answers in which the outcome is known."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from benchmarks.causes import keep
from benchmarks.claim_causes import complexity, norms, size, strength, told, within

from tests.report.rows import World
from tests.worlds import space_of

USERS = 30


def answers(**columns: object) -> pl.DataFrame:
    """One explained pair per user, all of one seed."""
    ids = {"seed": 0, "user": range(USERS), "item": range(USERS), "user_id": [f"u{n}" for n in range(USERS)]}
    return pl.DataFrame({**ids, "explained": True, **columns})


def named(sizes: list[int]) -> list[list[str]]:
    return [[f"aspect{n}" for n in range(size)] for size in sizes]


def test_the_number_of_aspects_goes_with_what_it_is_made_from() -> None:
    """Items have 1, 2 or 3 aspects and answers name all of them; their leads go the other way."""
    sizes = [1 + n % 3 for n in range(USERS)]
    space = space_of([[1, 1, 1]], [[5, 0, 0], [5, 5, 0], [5, 5, 5]])
    items = [space.items.texts[one - 1] for one in sizes]
    rows = answers(item_id=items, aspects=named(sizes), strength=[-float(one) for one in sizes])
    found = size(space, rows)
    assert found["named with the item's aspects"].value == pytest.approx(1)
    assert found["named with the lead"].value == pytest.approx(-1)


def test_complexity_that_is_only_a_matter_of_size_is_gone_among_answers_of_one_size() -> None:
    """F1 is 1 for answers of three aspects, which are the complex ones, and 0 else; within a size it does not vary."""
    sizes = [1 if n % 2 else 3 for n in range(USERS)]
    tie_breaker = np.linspace(0, 0.5, USERS)
    rows = answers(
        aspects=named(sizes), f1=[float(one == 3) for one in sizes], complexity=np.array(sizes) + tie_breaker
    )
    found = complexity(rows, World(users=USERS).experiment().sweep)
    assert found["F1 with complexity"].value > 0.8
    assert found["F1 with complexity, equally many aspects"].value is None, "nothing varies, so nothing correlates"


def test_complexity_that_matters_by_itself_stays_among_answers_of_one_size() -> None:
    sizes = [1 if n % 2 else 3 for n in range(USERS)]
    own = np.linspace(0, 0.9, USERS)
    rows = answers(aspects=named(sizes), f1=own, complexity=np.array(sizes) + own)
    found = complexity(rows, World(users=USERS).experiment().sweep)
    assert found["F1 with complexity, equally many aspects"].value > 0.9


def test_values_are_centred_by_size_and_one_alone_does_not_count() -> None:
    centred = within(np.array([1.0, 3.0, 10.0, 7.0, 5.0]), np.array([1, 1, 2, 3, 3]))
    assert centred[[0, 1, 3, 4]].tolist() == [-1, 1, 1, -1]
    assert np.isnan(centred[2])


def test_norms_of_equal_changes_differ_by_the_root_of_their_number() -> None:
    """Four changes of 1: 4 and 2; one change of 1: 1 and 1."""
    sizes = [1 if n % 2 else 4 for n in range(USERS)]
    rows = answers(aspects=named(sizes), l1=[float(one) for one in sizes], l2=np.sqrt(sizes))
    found = norms(rows)
    assert found["norms"].value == pytest.approx(2.5 / 1.5)
    assert found["norms, few aspects"].value == pytest.approx(1)


def test_the_fall_beyond_is_of_the_pairs_that_both_lambdas_explain() -> None:
    """0.1 is needed. With λ = 1, even users are explained and fall by 0.15; with λ = 100 all do, by 0.3 if even."""

    def part(variant: str, lam: float | None, explained: list[bool], fall: list[float]) -> pl.DataFrame:
        alpha = None if lam is None else 0.2
        columns = {"item_id": [f"i{n}" for n in range(USERS)], "variant": variant}
        places = {
            "lambda": pl.Series([lam] * USERS, dtype=pl.Float64),
            "alpha": pl.Series([alpha] * USERS, dtype=pl.Float64),
        }
        return answers(**columns, **places, strength_sigmoid=fall).with_columns(explained=pl.Series(explained))

    even = [n % 2 == 0 for n in range(USERS)]
    sweep = pl.concat(
        [
            part("adaptive", None, [True] * USERS, [0.1] * USERS),
            part("as_published", 1.0, even, [0.15] * USERS),
            part("as_published", 100.0, [True] * USERS, [0.3 if one else 0.9 for one in even]),
        ]
    )
    few = {name: measure.value for name, measure in strength(sweep).items()}
    assert few == pytest.approx({"fall beyond, small λ": 0.5, "fall beyond, large λ": 0.5}), (
        "15 users are too few for λ = 1"
    )
    more = pl.concat([sweep, sweep.with_columns(pl.col("user") + USERS, pl.col("user_id") + "x")])
    found = {name: measure.value for name, measure in strength(more).items()}
    assert found == pytest.approx({"fall beyond, small λ": 0.05, "fall beyond, large λ": 0.2})


def test_every_number_is_told_and_kept_beside_those_of_other_places(tmp_path: Path) -> None:
    rows = answers(aspects=named([1] * USERS), l1=1.0, l2=1.0)
    found = norms(rows)
    assert told(found).endswith("norms 1.000 (1.000 to 1.000); norms, few aspects 1.000 (1.000 to 1.000)")
    path = tmp_path / "causes.json"
    for place, number in (("b/net/full", 1), ("a/net/full", 2), ("b/net/full", 3)):
        keep(path, place, {"pairs": number})
    assert json.loads(path.read_text()) == {"a/net/full": {"pairs": 2}, "b/net/full": {"pairs": 3}}
