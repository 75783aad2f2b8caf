"""The wheel, installed in an environment of its own and used without the checkout.

Nothing is downloaded: what counterec depends on is lent by the environment of the tests, through a path file.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

from counterec import __version__
from tests.test_examples import SAYS

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent
ALL_EXAMPLES = """
import os, runpy, sys
sys.path.insert(0, os.path.dirname(sys.argv[1]))  # as if each were called by itself: they share small_run
for file in sys.argv[1:]:
    runpy.run_path(file, run_name="__main__")
"""


def ended_well(*command: object, cwd: Path) -> str:
    """Run a command that sees nothing of the checkout; return what it printed."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    env = {**kept, "OMP_NUM_THREADS": "1", "PYTHONIOENCODING": "utf-8"}
    words = [str(word) for word in command]
    ended = subprocess.run(words, env=env, cwd=cwd, capture_output=True, timeout=300, check=False)
    assert ended.returncode == 0, ended.stderr.decode()
    return ended.stdout.decode()


@pytest.fixture(scope="module")
def clean(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an environment in which the wheel is installed."""
    folder = tmp_path_factory.mktemp("wheel")
    build = ("-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT)
    ended_well(sys.executable, *build, cwd=folder)
    (wheel,) = folder.glob("*.whl")
    venv.create(folder / "venv", with_pip=False)
    python = folder / "venv" / "bin" / "python"
    install = ("-m", "pip", "--python", python, "install", "--no-deps", "--no-index", "--quiet", wheel)
    ended_well(sys.executable, *install, cwd=folder)
    (own,) = (folder / "venv" / "lib").glob("python*/site-packages")
    # A path file adds the folder alone, not the path files in it: the checkout stays out of sight.
    (own / "lent.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return folder


@pytest.mark.skipif(os.name != "posix", reason="the layout of the environment is POSIX's")
class TestInstalled:
    """What a person has who installed the wheel."""

    def test_the_demo_runs(self, clean: Path) -> None:
        command = clean / "venv" / "bin" / "counterec"
        assert ended_well(command, "demo", "--small", "--out", "world", "-q", cwd=clean) == "world\n"
        assert "recommended" in ended_well(command, "show", "world", cwd=clean)
        assert f"counterec {__version__}" in ended_well(command, "--version", cwd=clean)

    def test_the_examples_run(self, clean: Path) -> None:
        copies = shutil.copytree(ROOT / "examples", clean / "examples")
        files = sorted(copies.glob("*.py"))
        printed = ended_well(clean / "venv" / "bin" / "python", "-c", ALL_EXAMPLES, *files, cwd=clean)
        assert {file.name for file in files} == set(SAYS)
        for name, said in SAYS.items():
            assert name == "small_run.py" or said in printed, name
