"""One writer per folder."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from counterec import make_config
from counterec.errors import StoreError
from counterec.pipeline.engine import add_stages, run_stages
from counterec.pipeline.stage import SilentReporter, Stage, StageContext
from tests.pipeline.tiny import SETTINGS

HOLDER = """
import sys
from collections.abc import Callable
from pathlib import Path
from counterec.pipeline.engine import alone
with alone(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def write(context: StageContext) -> None:
    context.new("out.bin").write_bytes(b"made")


def stage(work: Callable[[StageContext], None]) -> Stage:
    config = make_config(SETTINGS, "test")
    return Stage("only", config, settings=(), inputs=(), outputs=("out.bin",), code=(), work=work)


STAGE = stage(write)


def test_a_second_writer_is_refused_and_the_folder_is_free_when_the_first_is_gone(tmp_path: Path) -> None:
    run_stages(tmp_path, {}, [], SilentReporter())
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        for writer in (run_stages, add_stages):
            with pytest.raises(StoreError, match="another process is writing here; wait for it"):
                writer(tmp_path, {}, [STAGE], SilentReporter())
        assert not (tmp_path / "out.bin").exists()
        holder.kill()
    run_stages(tmp_path, {}, [STAGE], SilentReporter())
    assert (tmp_path / "out.bin").read_bytes() == b"made"


def test_a_stage_that_fails_lets_go_of_the_folder(tmp_path: Path) -> None:
    def fail(context: StageContext) -> None:
        raise RuntimeError("it broke")

    with pytest.raises(RuntimeError, match="it broke"):
        run_stages(tmp_path, {}, [stage(fail)], SilentReporter())
    run_stages(tmp_path, {}, [STAGE], SilentReporter())
    assert (tmp_path / "out.bin").read_bytes() == b"made"


def test_a_folder_of_somebody_else_s_is_refused_before_anything_is_put_there(tmp_path: Path) -> None:
    (tmp_path / "theirs.txt").write_text("do not touch")
    with pytest.raises(StoreError, match="holds other files"):
        run_stages(tmp_path, {}, [STAGE], SilentReporter())
    assert [entry.name for entry in tmp_path.iterdir()] == ["theirs.txt"]
