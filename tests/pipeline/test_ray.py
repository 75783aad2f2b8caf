"""Pieces on a real Ray of two cores: made once each, tried again when they fail, named when they fail twice."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from scripts.compare_runs import differences

from counterec import make_config, make_run
from counterec.errors import PieceError, ServiceError, UsageError
from counterec.pipeline.executors import InProcess
from counterec.pipeline.ray_executor import RayExecutor, connected
from counterec.pipeline.stage import RunOptions
from tests.pipeline.ray_pieces import Deadly, Work
from tests.pipeline.tiny import HYBRID, SETTINGS, contents

pytestmark = pytest.mark.slow
CONFIG = make_config(SETTINGS, "tiny")
CONFIGS = {"net": CONFIG, "hybrid": make_config(HYBRID, "tiny")}


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


def test_ray_listens_on_the_loopback_alone(executor: RayExecutor, tmp_path: Path) -> None:
    import ray

    assert dict(executor.map(Work(tmp_path), [1]))
    assert {node["NodeManagerAddress"] for node in ray.nodes()} == {"127.0.0.1"}


@pytest.fixture(scope="module")
def small_pieces() -> Iterator[None]:
    """Several pieces in every stage of the tiny run: the cut is made here, whoever makes the pieces."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("counterec.pipeline.stages.extract.REVIEWS_PER_PIECE", 150)
        for stage in ("model", "explain", "evaluate"):
            patch.setattr(f"counterec.pipeline.stages.{stage}.USERS_PER_PIECE", 10)
        yield


@pytest.fixture
def local_runs(small_pieces: None, tiny_run: Path, hybrid_run: Path) -> dict[str, Path]:
    """The runs as one process made them, in whole pieces."""
    return {"net": tiny_run, "hybrid": hybrid_run}


@pytest.fixture
def killed(two_cores: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[int], Path]:
    """Kills the process that makes a piece number 2, so often; returns where each death leaves a file."""
    deaths = tmp_path / "deaths"
    deaths.mkdir()

    def kill(most: int) -> Path:
        plain = RayExecutor.map
        monkeypatch.setattr(
            RayExecutor, "map", lambda self, work, given: plain(self, Deadly(work, 2, deaths, most), given)
        )
        return deaths

    return kill


@pytest.mark.parametrize("kind", CONFIGS)
def test_a_run_whose_worker_is_killed_in_the_middle_equals_the_local_one(
    kind: str,
    killed: Callable[[int], Path],
    local_runs: dict[str, Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    deaths, local = killed(1), local_runs[kind]
    monkeypatch.chdir(tmp_path)

    make_run(CONFIGS[kind], "run", processes=2, engine="ray")  # named as seen from here, where no worker is

    assert len(list(deaths.iterdir())) == 1
    assert not list(differences(tmp_path / "run", local))
    assert contents(tmp_path / "run") == contents(local)


def test_a_piece_that_fails_twice_is_named_and_the_same_run_goes_on_with_it_alone(
    killed: Callable[[int], Path],
    local_runs: dict[str, Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    killed(2)
    with pytest.raises(PieceError, match=r"^extract .*: 1 of \d+ pieces failed twice \(piece 2: its process died"):
        make_run(CONFIG, tmp_path / "run", engine="ray")
    plain, made = InProcess.map, []
    monkeypatch.setattr(InProcess, "map", lambda self, work, given: made.append(given) or plain(self, work, given))

    make_run(CONFIG, tmp_path / "run")

    assert [piece.number for piece in made[0]] == [2]
    assert contents(tmp_path / "run") == contents(local_runs["net"])


@pytest.mark.parametrize("address", ["127.0.0.1:1", "127.0.0.1:99999"])
def test_an_address_where_nobody_listens_is_named(address: str) -> None:
    with pytest.raises(ServiceError, match=f"no Ray can be reached at {address}"):
        connected(2, address)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"engine": "spark"}, "--engine spark: no such engine; one of local, ray"),
        ({"address": "10.0.0.1:6379"}, "address 10.0.0.1:6379 is where Ray runs; choose the engine ray as well"),
        ({"engine": "ray", "device": "cuda"}, "--engine ray computes on cores, not on cuda"),
    ],
)
def test_options_that_make_no_sense_are_refused(options: dict[str, str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        RunOptions(**options)
