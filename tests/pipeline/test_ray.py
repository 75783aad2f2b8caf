"""Pieces on a real Ray of two cores: made once each, tried again when they fail, named when they fail twice."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest

from counterec.errors import PieceError, UsageError
from counterec.pipeline import ray_cluster
from counterec.pipeline.ray_cluster import connected
from counterec.pipeline.ray_executor import RayExecutor
from counterec.pipeline.stage import RunOptions
from tests.pipeline.ray_pieces import Work

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def two_cores() -> Iterator[None]:
    """A Ray of our own, for all tests: starting it takes seconds."""
    cluster = connected(2)
    yield
    cluster.leave()


@pytest.fixture
def executor(two_cores: None) -> Iterator[RayExecutor]:
    executor = RayExecutor(2)
    yield executor
    executor.close()


def test_all_pieces_are_made_by_actors_that_keep_what_they_have_loaded(executor: RayExecutor, tmp_path: Path) -> None:
    made = dict(executor.map(Work(tmp_path), range(12)))

    assert {piece: answer["square"] for piece, answer in made.items()} == {piece: piece**2 for piece in range(12)}
    last = {answer["process"]: answer["kept"] for answer in made.values()}
    assert len(last) <= 2
    assert sorted(piece for kept in last.values() for piece in kept) == list(range(12))
    assert all(set(answer["threads"].values()) == {"1"} for answer in made.values())


def test_a_piece_that_fails_is_tried_again_and_one_that_fails_twice_is_named_when_all_others_are_made(
    executor: RayExecutor, tmp_path: Path
) -> None:
    work = Work(tmp_path, dies_once=(0,), raises_once=(5,), dies=(1,), raises=(2,))
    pieces = executor.map(work, range(7))

    made = dict(itertools.islice(pieces, 5))
    with pytest.raises(PieceError, match="2 of 7 pieces failed twice") as failed:
        next(pieces)

    assert {piece: answer["square"] for piece, answer in made.items()} == {0: 0, 3: 9, 4: 16, 5: 25, 6: 36}
    assert [work.tried(piece) for piece in range(7)] == [2, 2, 2, 1, 1, 2, 1]
    assert "2: cannot square 2" in str(failed.value)
    assert "1: its process died" in str(failed.value)


def test_work_that_nobody_waits_for_is_ended_and_the_next_is_done(executor: RayExecutor, tmp_path: Path) -> None:
    pieces = executor.map(Work(tmp_path), range(100))
    next(pieces)
    pieces.close()  # type: ignore[attr-defined]

    assert {piece: answer["square"] for piece, answer in executor.map(Work(tmp_path), [7, 8])} == {7: 49, 8: 64}


def test_ray_listens_on_the_loopback_alone(executor: RayExecutor, tmp_path: Path) -> None:
    import ray

    assert dict(executor.map(Work(tmp_path), [1]))
    assert {node["NodeManagerAddress"] for node in ray.nodes()} == {"127.0.0.1"}


def test_without_ray_one_line_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ray_cluster, "find_spec", lambda name: None)

    with pytest.raises(UsageError, match=r"not installed; install it with: pip install 'counterec\[ray\]'"):
        RayExecutor(2)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"engine": "spark"}, "--engine spark: no such engine; one of local, ray"),
        ({"address": "10.0.0.1:6379"}, "--address 10.0.0.1:6379 is where Ray runs; say --engine ray as well"),
        ({"engine": "ray", "device": "cuda"}, "--engine ray computes on cores, not on cuda"),
    ],
)
def test_options_that_make_no_sense_are_refused(options: dict[str, str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        RunOptions(**options)
