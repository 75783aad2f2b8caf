"""Tries the wheel with every Python on this machine that it is for: the demo, and the examples, without the checkout.

``make pythons`` runs it. It is no test: it downloads what counterec depends on, once for each Python, into the folder
that ``--envs`` names, and takes minutes.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
OLDEST = (3, 11)
LOOK_IN = (*os.get_exec_path(), *(str(folder) for folder in Path("~/.pyenv/versions").expanduser().glob("*/bin")))


def pythons() -> dict[tuple[int, int], Path]:
    """The newest interpreter of each minor version, by its version."""
    found: dict[tuple[int, int], Path] = {}
    for folder in LOOK_IN:
        for path in sorted(Path(folder).glob("python3.*")):
            named = re.fullmatch(r"python3\.(\d+)", path.name)
            version = (3, int(named[1])) if named else (0, 0)
            if version >= OLDEST and version not in found and _says(path, "-V", aloud=False):
                found[version] = path
    return dict(sorted(found.items()))


def _says(*command: object, cwd: Path | None = None, aloud: bool = True) -> str | None:
    """What a command prints, seeing nothing of the checkout; None if it fails, after its last words."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    words = [str(word) for word in command]
    ended = subprocess.run(words, env={**env, "OMP_NUM_THREADS": "1"}, cwd=cwd, capture_output=True, check=False)
    if ended.returncode:
        sys.stderr.write(ended.stderr.decode(errors="replace")[-2_000:] if aloud else "")
        return None
    return ended.stdout.decode(errors="replace")


def tried(python: Path, wheel: Path, env: Path, demo: list[str]) -> Iterator[tuple[str, bool]]:
    """Yield what was done with this interpreter, and whether it ended well."""
    own = env / "bin" / "python"
    if not own.exists():
        yield "a virtual environment", _says(python, "-m", "venv", env) is not None
    pip = (own, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-c", ROOT / "constraints.txt")
    yield "torch", _says(*pip, "torch") is not None  # first and by itself, as in the Makefile
    yield "the wheel", _says(*pip, "--force-reinstall", "--no-deps", wheel) is not None
    yield "what it needs", _says(*pip, f"{wheel}[report]") is not None
    with tempfile.TemporaryDirectory() as work:
        folder = Path(work)
        command = (env / "bin" / "counterec", *demo, "--out", "demo", "--quiet")
        yield " ".join(demo), _says(*command, cwd=folder) == "demo\n"
        for file in sorted(shutil.copytree(ROOT / "examples", folder / "examples").glob("*.py")):
            yield f"examples/{file.name}", _says(own, file, cwd=folder) is not None


def main() -> int:
    """Try every Python and print a line for each thing tried; the status is 1 if one failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--envs", type=Path, default=Path(tempfile.gettempdir()) / "counterec-pythons")
    parser.add_argument("--small", action="store_true", help="the small demo")
    options = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as work:
        _says(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", work, ROOT)
        (wheel,) = Path(work).glob("*.whl")
        for (major, minor), python in pythons().items():
            demo = ["demo", "--small"] if options.small else ["demo"]
            for what, well in tried(python, wheel, options.envs / f"{major}.{minor}", demo):
                failed += not well
                sys.stdout.write(f"Python {major}.{minor}: {what}: {'ends well' if well else 'FAILS'}\n")
                sys.stdout.flush()
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
