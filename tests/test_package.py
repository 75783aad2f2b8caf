"""The package as a thing to install and import: light at the door, a core that needs little, a wheel that is whole."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import counterec

ROOT = Path(__file__).parent.parent


def python(code: str) -> str:
    """Run some lines in a fresh interpreter and return what they print."""
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout.strip()


def test_importing_it_imports_nothing_heavy() -> None:
    code = "import counterec, sys; dir(counterec); print(*{name.split('.')[0] for name in sys.modules})"
    assert not {"torch", "numpy", "polars", "pydantic", "rich", "typer"} & set(python(code).split())


def test_the_core_needs_numpy_and_pytorch_alone() -> None:
    code = """
import importlib, pkgutil, sys

REFUSED = {"polars", "pydantic", "typer", "rich", "safetensors", "simplemma", "vaderSentiment"}

class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in REFUSED:
            raise ModuleNotFoundError(f"refused: {name}", name=name)

sys.meta_path.insert(0, Refuse())
import counterec.core
names = [module.name for module in pkgutil.walk_packages(counterec.core.__path__, "counterec.core.")]
for name in names:
    importlib.import_module(name)
print(*names)
"""
    names = python(code).split()
    assert len(names) > 15
    assert "counterec.core.explainers.counter" in names


NUMPY_ALONE = {
    "core": ("arrays", "candidates", "failure_isolation", "interactions", "lists", "space"),
    "core.scorers": ("base", "rank_position", "settings", "simple", "training_examples", "validation"),
    "core.explainers": ("answer", "constraints", "goal_names", "question", "tolerances", "question_builders"),
    "core.explainers.audience": ("settings",),
    "core.explainers.complete": ("settings",),
    "core.explainers.minimal": ("settings",),
    "core.explainers.relaxed": ("settings",),
    "core.explainers.single": ("settings",),
    "core.evaluation": ("intervals", "quality", "verdicts"),
}
"""What reads and measures stored answers, or holds settings: importing PyTorch would take a second."""


def test_what_does_not_compute_scores_does_not_import_pytorch() -> None:
    code = f"""
import importlib, sys
for package, modules in {NUMPY_ALONE}.items():
    for name in modules:
        importlib.import_module(f"counterec.{{package}}.{{name}}")
        assert "torch" not in sys.modules, name
print("numpy" in sys.modules)
"""
    assert python(code) == "True"


def test_stored_answers_are_read_and_put_into_words_without_pytorch() -> None:
    modules = (
        "wording",
        "core.explainers.answer_row",
        "core.evaluation.verdicts",
        "pipeline.explanation_tables",
    )
    code = f"import sys; {'; '.join(f'import counterec.{name}' for name in modules)}; print('torch' in sys.modules)"
    assert python(code) == "False"


def test_every_public_name_is_there() -> None:
    assert len(counterec.__all__) == len(set(counterec.__all__))
    assert dir(counterec) == sorted(counterec.__all__)
    for name in counterec.__all__:
        value = getattr(counterec, name)
        assert getattr(value, "__name__", name) == name
    with pytest.raises(AttributeError, match="no attribute 'magic'"):
        _ = counterec.magic


def test_the_wheel_is_whole(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(tmp_path), str(ROOT)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    package = ROOT / "src" / "counterec"
    wanted = {
        path.relative_to(package.parent).as_posix()
        for path in package.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert wanted <= names
    assert {"counterec/py.typed", "counterec/synthetic/phrases.toml"} <= names
    assert not [name for name in names if name.startswith("tests/")]
    assert any(name.endswith("entry_points.txt") for name in names)
