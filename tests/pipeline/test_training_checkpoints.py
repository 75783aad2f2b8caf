"""Unfinished trainings in a run folder: a kill loses an epoch, and nothing else."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from signal import SIGKILL

import numpy as np
import pytest

from counterec.core.scorers.training_examples import Checkpoint
from counterec.pipeline import piece_store
from counterec.pipeline.piece_store import StageIdentity, TrainingCheckpoints
from tests.pipeline.tiny import SETTINGS, again, changed, contents

ONE = StageIdentity("fit", "a" * 64, {})
MADE = Checkpoint({"net.bias": np.arange(5, dtype=np.float32), "step": np.float32(3)}, {"history": [[1, 0.1, None]]})


@pytest.fixture(autouse=True)
def every_epoch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(piece_store, "LEAST_SECONDS", 0.0)


def kept_file(folder: Path) -> Path:
    (found,) = folder.rglob("*.safetensors")
    return found


def test_what_is_kept_comes_back(tmp_path: Path) -> None:
    TrainingCheckpoints(tmp_path, ONE).save("net", lambda: MADE)
    found = TrainingCheckpoints(tmp_path, ONE).load("net")
    assert found is not None
    assert found.values == MADE.values
    for name, array in MADE.arrays.items():
        np.testing.assert_array_equal(found.arrays[name], array, strict=True)


def test_one_that_is_damaged_anywhere_counts_as_none(tmp_path: Path) -> None:
    place = TrainingCheckpoints(tmp_path, ONE)
    place.save("net", lambda: MADE)
    path = kept_file(tmp_path)
    content = path.read_bytes()
    values = content.index(b"0.1"), len(content) - 2  # in the plain values, and in an array
    for damaged in (*(content[:at] + b"7" + content[at + 1 :] for at in values), content[:-3], b"", b"no tensors"):
        path.write_bytes(damaged)
        assert place.load("net") is None
    path.write_bytes(content)
    assert place.load("net") is not None


HYBRID = changed(SETTINGS, model={"kind": "hybrid"}, training={"as_published": False, "epochs": 3}, lists={"k": 3})

KILLED = """
import os, signal, sys
from pathlib import Path
from counterec import make_config, make_run
from counterec.pipeline import piece_store
from tests.pipeline import test_training_checkpoints as here
from tests.pipeline.tiny import Recorder

piece_store.LEAST_SECONDS = 0.0

class Killed(Recorder):
    stage, epochs = "", 0
    def begin(self, stage):
        self.stage = stage
    def advance(self, units):
        if self.stage == "fit":
            self.epochs += 1
            if self.epochs == int(sys.argv[2]):
                os.kill(os.getpid(), signal.SIGKILL)

make_run(make_config(here.HYBRID, "test"), Path(sys.argv[1]), Killed())
"""


@pytest.mark.slow
def test_a_run_that_is_killed_again_and_again_ends_with_the_same_files(tmp_path: Path, monkeypatch) -> None:
    """Each run reports the epochs that it went on from, too.

    Each of the three nets takes 3 epochs. Of the 8 before the last kill every net has two, whatever their order.
    """
    again(tmp_path / "undisturbed", HYBRID)
    for epochs in (2, 5, 8):
        code = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path / "run"), str(epochs)], check=False)
        assert code.returncode == -SIGKILL
    loaded: list[Checkpoint | None] = []
    load = TrainingCheckpoints.load
    monkeypatch.setattr(TrainingCheckpoints, "load", lambda *name: (loaded.append(load(*name)), loaded[-1])[1])
    again(tmp_path / "run", HYBRID)
    assert sum(found is not None for found in loaded) == 3
    assert contents(tmp_path / "run") == contents(tmp_path / "undisturbed")
    assert not (tmp_path / "run" / ".partial").exists()
