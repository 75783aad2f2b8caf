"""A run that is cut short leaves nothing half made in place, and the next one repairs it."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

from counterec import make_config, open_run
from counterec.errors import StoreError
from counterec.pipeline import files
from counterec.pipeline.engine import run_stages
from counterec.pipeline.manifest import Manifest
from counterec.pipeline.stage import SilentReporter, Stage, StageContext
from counterec.pipeline.stages import explain, model, read
from tests.pipeline.tiny import EXPLAIN, MAKER, SETTINGS, STAGES, again, changed, contents

pytestmark = pytest.mark.slow


class CrashError(Exception):
    """Not one of ours: what a bug or a power cut would be."""


class TestCrash:
    def crash(self, monkeypatch: pytest.MonkeyPatch, module: Any, name: str, after: int = 0) -> None:
        """Let a function of a stage fail at its ``after``-th call."""
        calls, works = iter(range(after + 1)), getattr(module, name)

        def failing(*args: Any, **options: Any) -> Any:
            if next(calls) == after:
                raise CrashError(name)
            return works(*args, **options)

        monkeypatch.setattr(module, name, failing)

    @pytest.mark.parametrize(
        ("module", "name", "after", "unfinished"),
        [
            (model, "_rank_users", 0, "rank"),
            (read, "write_table", 0, "read"),
            (files, "save_tensors", 0, "build"),
            (files, "write_json", 0, "build"),  # one file of the stage is made, the other is not
            (explain, "verdicts", 1, "explain single"),
        ],
    )
    def test_nothing_half_made_is_in_place_and_the_next_run_repairs(
        self, tmp_path: Path, tiny_run: Path, monkeypatch: pytest.MonkeyPatch, module, name, after, unfinished
    ) -> None:
        with monkeypatch.context() as patch:
            self.crash(patch, module, name, after)
            with pytest.raises(CrashError):
                again(tmp_path / "run")
        done = STAGES[: STAGES.index(unfinished)]
        in_place = {file for file in contents(tmp_path / "run") if not file.startswith(".partial/")}
        assert in_place == {file for file, maker in MAKER.items() if maker in done}
        assert all((tmp_path / "run" / file).read_bytes() == (tiny_run / file).read_bytes() for file in in_place)
        recorder = again(tmp_path / "run")
        assert (recorder.skipped, recorder.made) == (done, STAGES[len(done) :])
        assert contents(tmp_path / "run") == contents(tiny_run)

    @pytest.mark.parametrize("stages", [1, 4])
    def test_between_putting_files_into_place_and_writing_them_down(
        self, tmp_path: Path, tiny_run: Path, monkeypatch: pytest.MonkeyPatch, stages: int
    ) -> None:
        """The manifest is saved once at the start, and then whenever the files of a stage are in place."""
        with monkeypatch.context() as patch:
            self.crash(patch, Manifest, "save", after=stages)
            with pytest.raises(CrashError):
                again(tmp_path / "run")
        again(tmp_path / "run")
        assert contents(tmp_path / "run") == contents(tiny_run)

    def test_what_an_unfinished_run_left_of_the_old_settings_is_not_given_out(self, own_run, monkeypatch) -> None:
        """Ranked with the new K, explained with the old one: neither may be taken for the other."""
        shorter = changed(SETTINGS, lists={"k": 2})
        with monkeypatch.context() as patch:
            self.crash(patch, explain, "verdicts", 1)
            with pytest.raises(CrashError):
                again(own_run, shorter)
        run = open_run(own_run)
        assert run.recommendations.k == 2
        assert run.explanations_table("relaxed-masked")["position"].max() == 2
        for reading in (lambda: run.explanations("single"), lambda: run.evaluation):
            with pytest.raises(StoreError, match="the last run was cut short; run it again"):
                reading()
        assert again(own_run, shorter).skipped == ["read", "split", "extract", "build", "fit", "rank", EXPLAIN[0]]

    def test_a_reader_never_sees_a_part_of_a_file(self, tmp_path: Path) -> None:
        """While a stage writes and rewrites, what is in place is always whole."""
        sizes, stop = set(), threading.Event()

        def work(context: StageContext) -> None:
            with context.new("out.bin").open("wb") as file:
                for _ in range(50):
                    file.write(b"x" * 1000)
                    file.flush()

        def look() -> None:
            while not stop.is_set():
                if (tmp_path / "run" / "out.bin").exists():
                    sizes.add((tmp_path / "run" / "out.bin").stat().st_size)

        looker = threading.Thread(target=look)
        looker.start()
        for seed in range(20):
            config = make_config(changed(SETTINGS, seed=seed), "test")
            stage = Stage("only", config, ("seed",), inputs=(), outputs=("out.bin",), code=(), work=work)
            run_stages(tmp_path / "run", {}, [stage], SilentReporter())
        stop.set()
        looker.join()
        assert sizes == {50_000}
