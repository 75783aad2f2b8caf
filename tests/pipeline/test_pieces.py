"""Stages in pieces: whoever makes them, in how many goes and with how many kills, the run has the same bytes."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from scripts.compare_runs import differences

from counterec import make_config, make_run
from counterec.errors import StoreError, UsageError
from counterec.pipeline import executors
from counterec.pipeline.files import load_tensors
from counterec.pipeline.mention_extraction import reviews_between
from counterec.pipeline.piece_store import PIECES, Made, Piece, PieceStore
from counterec.pipeline.pieces import Incomplete
from counterec.pipeline.stage import Shard
from counterec.pipeline.stages import evaluate, explain, extract, model
from counterec.run import Run
from counterec.shards import make_share, merge_shares
from tests.pipeline.tiny import HYBRID, SETTINGS, changed, contents

pytestmark = pytest.mark.slow

PIECE_STORE_PUT = PieceStore.put
METHODS = ("relaxed-masked", "single", "complete")
WITH_ALL = changed(SETTINGS, aspects={"everybody": True}, explain={"methods": METHODS})
CONFIG = make_config(WITH_ALL, "test")
WITH_HYBRID = changed(HYBRID, aspects={"everybody": True})
CONFIGS = {"net": CONFIG, "hybrid": make_config(WITH_HYBRID, "test")}
ROUNDS = {
    "net": [["extract"], ["extract"], ["rank"], [f"explain {method}" for method in METHODS]],
    "hybrid": [["extract"], ["extract"], ["rank"], ["explain minimal", "explain complete"]],
}
"""The stages that shards make in each round, before those that all kinds of model have."""


def cut_small() -> None:
    """Cut the tiny world into enough pieces to share."""
    extract.REVIEWS_PER_PIECE = 100
    model.USERS_PER_PIECE, explain.USERS_PER_PIECE, evaluate.USERS_PER_PIECE = 8, 12, 12


@pytest.fixture(scope="module", autouse=True)
def small_pieces():
    """Small pieces for the tests of this file."""
    modules = (model, explain, evaluate)
    before = extract.REVIEWS_PER_PIECE, [module.USERS_PER_PIECE for module in modules]
    cut_small()
    yield
    extract.REVIEWS_PER_PIECE = before[0]
    for module, size in zip(modules, before[1], strict=True):
        module.USERS_PER_PIECE = size


@pytest.fixture(scope="module")
def wholes(tmp_path_factory: pytest.TempPathFactory, small_pieces: None) -> Callable[[str], Path]:
    """The run of a kind of model made in one go by one process."""
    place = tmp_path_factory.mktemp("pieces")

    def made(kind: str) -> Path:
        if not (place / kind).exists():
            make_run(CONFIGS[kind], place / kind)
        return place / kind

    return made


@pytest.fixture(scope="module")
def whole(wholes: Callable[[str], Path]) -> Path:
    return wholes("net")


def assert_same(folder: Path, whole: Path) -> None:
    assert contents(folder) == contents(whole)
    assert not list(differences(folder, whole))
    assert not (folder / ".partial").exists(), "pieces of finished stages are removed"


class TestShard:
    @pytest.mark.parametrize("text", ["3", "a/b", "-1/3", "3/3", "0/0", "1/16x"])
    def test_what_is_no_shard(self, text: str) -> None:
        with pytest.raises(UsageError, match=r"^--shard .*"):
            Shard.of(text)


class TestMemory:
    def test_no_more_text_is_read_at_once_than_a_piece_has(self, tmp_path: Path, monkeypatch) -> None:
        """What holds for the pieces holds for the text in memory, however long the reviews are together."""
        sizes: list[int] = []

        def reading(path: Path, start: int, stop: int) -> tuple[pl.DataFrame, pl.Series]:
            found = reviews_between(path, start, stop)
            sizes.append(len(found[0]))
            return found

        monkeypatch.setattr(extract, "reviews_between", reading)
        make_run(CONFIG, tmp_path / "run")
        assert len(sizes) > 8
        assert max(sizes) == extract.REVIEWS_PER_PIECE


@pytest.mark.parametrize("kind", CONFIGS)
class TestProcesses:
    def test_two_processes_make_the_same_bytes(
        self, kind: str, tmp_path: Path, wholes: Callable[[str], Path], monkeypatch
    ) -> None:
        monkeypatch.setattr(executors, "WORTH_STARTING", 0.0)
        make_run(CONFIGS[kind], tmp_path / "run", processes=2)
        assert_same(tmp_path / "run", wholes(kind))


def test_the_default_model_has_lists_of_its_members(wholes: Callable[[str], Path]) -> None:
    """What is compared here of the hybrid is not less than what a run of one has."""
    folder = wholes("hybrid")
    assert {"elsewhere/complete.json"} <= contents(folder).keys()
    assert {"member.0.items", "member.1.items"} <= load_tensors(folder / "heads.safetensors").keys()


class TestShards:
    @pytest.mark.parametrize("kind", CONFIGS)
    def test_merged_they_make_the_same_run(self, kind: str, tmp_path: Path, wholes: Callable[[str], Path]) -> None:
        """Jobs in one folder; each round makes the stages that are next, and a merge goes on to those after them."""
        config, rounds = CONFIGS[kind], []
        for _ in range(9):
            for index in (2, 0, 1):  # in any order
                made = make_share(config, tmp_path / "run", Shard(index, 3))
            rounds.append([found.stage for found in made])
            merged = merge_shares([tmp_path / "run"])
            if isinstance(merged, Run):
                break
        assert rounds == [*ROUNDS[kind], ["transfer complete"], ["evaluate"]]
        assert_same(tmp_path / "run", wholes(kind))
        assert make_share(config, tmp_path / "run", Shard(0, 3)) == []

    def test_folders_of_their_own(self, tmp_path: Path, whole: Path) -> None:
        folders = [tmp_path / f"run-{index}" for index in range(3)]
        for index, folder in enumerate(folders):
            make_share(CONFIG, folder, Shard(index, 3))
        with pytest.raises(StoreError, match=r"extract: of \d+ pieces \(counts\), \d+ are missing: 2"):
            merge_shares(folders[:2])
        shutil.copytree(folders[2], tmp_path / "copy")
        with pytest.raises(StoreError, match=r"piece 2 \(counts\) is in .*run-2 and in .*copy; each may be there once"):
            merge_shares([folders[0], folders[2], tmp_path / "copy"])
        found = merge_shares(folders)
        assert isinstance(found, Incomplete)
        assert (found.stage, found.nothing_there) == ("extract", True)
        make_run(CONFIG, folders[0])  # whatever is left, without shards
        assert_same(folders[0], whole)

    def test_pieces_of_another_run_are_refused_by_what_differs(self, tmp_path: Path) -> None:
        other = make_config(changed(WITH_ALL, aspects={"everybody": False}), "test")
        make_share(CONFIG, tmp_path / "a", Shard(0, 2))
        make_share(other, tmp_path / "b", Shard(1, 2))
        with pytest.raises(StoreError, match=r"b: its pieces of extract .* differs: settings aspects\.everybody"):
            merge_shares([tmp_path / "a", tmp_path / "b"])


SCRIPT = """
import os, signal, sys
from counterec.pipeline import piece_store
from tests.pipeline import test_pieces as tests

put, left = piece_store.PieceStore.put, [int(sys.argv[2])]

def counted(*arguments):
    stored = put(*arguments)
    left[0] -= 1
    if not left[0]:
        os.kill(os.getpid(), signal.SIGKILL)
    return stored

piece_store.PieceStore.put = counted
tests.cut_small()
tests.make_run(tests.CONFIG, sys.argv[1])
"""


class TestCutShort:
    @pytest.mark.skipif(os.name != "posix", reason="signals are POSIX's")
    def test_killed_in_every_stage_and_gone_on_with(self, tmp_path: Path, whole: Path) -> None:
        """Each time some pieces are made, and none of them again."""
        statuses = []
        for pieces in (3, 12, 4):
            command = [sys.executable, "-c", SCRIPT, str(tmp_path / "run"), str(pieces)]
            statuses.append(subprocess.run(command, timeout=300, check=False, stderr=subprocess.DEVNULL).returncode)
        assert statuses == [-signal.SIGKILL] * 3
        assert list((tmp_path / "run" / PIECES / "explain-relaxed-masked").rglob("answers-*.parquet"))
        make_run(CONFIG, tmp_path / "run")
        assert_same(tmp_path / "run", whole)

    def test_finished_pieces_are_not_made_again_but_damaged_ones_are(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        made: list[int] = []
        self.count(monkeypatch, made, stop_after=2)
        with pytest.raises(KeyboardInterrupt):
            make_run(CONFIG, tmp_path / "run")
        assert made == [0, 1]
        place = next((tmp_path / "run" / PIECES / "extract").iterdir())
        damaged = place / "counts-000001.gz"
        damaged.write_bytes(damaged.read_bytes()[:-9])
        (place.parent / "0123456789abcdef").mkdir()
        made.clear()
        self.count(monkeypatch, made, stop_after=2)
        with pytest.raises(KeyboardInterrupt):
            make_run(CONFIG, tmp_path / "run")
        assert made == [1, 2], "the damaged one again, then the next"
        assert list(place.parent.iterdir()) == [place], "what was made for another key is thrown away"

    def count(self, monkeypatch: pytest.MonkeyPatch, made: list[int], stop_after: int) -> None:
        """Remember the pieces that are made, and interrupt the run after some of them."""

        def put(store: PieceStore, step: str, suffix: str, piece: Piece, what: Made) -> Any:
            if len(made) == stop_after:
                raise KeyboardInterrupt
            made.append(piece.number)
            return original(store, step, suffix, piece, what)

        original = PIECE_STORE_PUT
        monkeypatch.setattr(PieceStore, "put", put)
