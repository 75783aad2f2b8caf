"""A run folder with changed bytes, and folders that cannot be written: one line each, and nothing is lost."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from counterec import open_run
from counterec.errors import StoreError
from tests.pipeline.tiny import MAKER, SETTINGS, STAGES, again, changed

pytestmark = pytest.mark.slow


def flip_a_byte(path: Path, place: int | None = None) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2 if place is None else place] ^= 1
    path.write_bytes(data)


ACCESS = {
    "reviews.parquet": lambda run: run.reviews,
    "split.parquet": lambda run: run.split,
    "mentions.parquet": lambda run: run.mentions,
    "aspects.safetensors": lambda run: run.space,
    "vocabulary.json": lambda run: run.item_names,
    "model.safetensors": lambda run: run.scorer,
    "recommendations.parquet": lambda run: run.recommendations,
    "explanations/single.parquet": lambda run: run.explanations("single"),
    "evaluation.json": lambda run: run.evaluation,
}
"""What an opened run reads each file for."""


class TestDamage:
    @pytest.mark.parametrize("file", MAKER)
    def test_one_changed_byte_is_one_line_that_names_the_file(self, own_run: Path, file: str) -> None:
        flip_a_byte(own_run / file)
        damaged = (own_run / file).read_bytes()
        attempts = [lambda: again(own_run)]
        if file in ACCESS:
            attempts.append(lambda: ACCESS[file](open_run(own_run)))
        for attempt in attempts:
            with pytest.raises(StoreError) as caught:
                attempt()
            assert str(own_run / file) in str(caught.value)
            assert "delete it and run again" in str(caught.value)
            assert str(caught.value).isprintable()
        assert (own_run / file).read_bytes() == damaged, "what was changed is not overwritten unasked"

    @pytest.mark.parametrize("share", [0.02, 0.3, 0.5, 0.7, 0.9, 0.99])
    def test_a_changed_byte_of_the_manifest(self, own_run: Path, share: float) -> None:
        manifest = own_run / "manifest.json"
        flip_a_byte(manifest, int(share * manifest.stat().st_size))
        for attempt in (lambda: open_run(own_run), lambda: again(own_run)):
            with pytest.raises(StoreError, match=r"manifest\.json.*restore it, or run into another folder"):
                attempt()

    def test_a_missing_file_says_so(self, own_run: Path) -> None:
        (own_run / "evaluation.json").unlink()
        with pytest.raises(StoreError, match=r"evaluation\.json: missing; run again to rebuild it"):
            _ = open_run(own_run).evaluation

    def test_no_run_folder(self, tmp_path: Path) -> None:
        for folder in (tmp_path, tmp_path / "nowhere"):
            with pytest.raises(StoreError, match=r"not a run folder.*make one with counterec run"):
                open_run(folder)


class TestOutputFolder:
    def refused(self, folder: Path) -> str:
        with pytest.raises(StoreError) as caught:
            again(folder)
        assert str(caught.value).startswith(str(folder))
        assert str(caught.value).isprintable()
        assert str(caught.value).endswith("with --out")
        return str(caught.value)

    def test_one_that_cannot_be_written(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("precious")
        assert "cannot be written" in self.refused(tmp_path / "file" / "run")  # root may write anywhere but there
        assert "cannot be written" in self.refused(tmp_path / "file")
        assert (tmp_path / "file").read_text() == "precious"
        assert "cannot be written" in self.refused(Path("/proc/counterec"))

    def test_an_empty_one_will_do(self, tmp_path: Path) -> None:
        (tmp_path / "empty").mkdir()
        (tmp_path / "empty" / ".partial").mkdir()
        (tmp_path / "empty" / ".manifest.json.partial").write_text("{")  # as left behind by a power cut
        assert again(tmp_path / "empty").made == STAGES

    @pytest.mark.skipif(os.name != "posix", reason="resource limits are POSIX's")
    @pytest.mark.parametrize(("limit", "done"), [(2_000, []), (30_000, ["read", "split", "extract", "build"])])
    def test_a_disk_that_takes_no_more(self, tmp_path: Path, limit: int, done: list[str]) -> None:
        import resource

        settings = changed(SETTINGS, training={"hidden": [128, 64]})
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
        try:
            with pytest.raises(StoreError, match=r"cannot be written \(.*File too large.*--out") as caught:
                again(tmp_path / "run", settings)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        assert str(caught.value).isprintable()
        assert again(tmp_path / "run", settings).skipped == done
