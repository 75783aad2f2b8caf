"""Keys that cannot forget: a stage sees only what it declares, and its key knows its settings, inputs and code."""

from __future__ import annotations

import ast
import importlib.util
import subprocess
import sys
from dataclasses import replace
from operator import attrgetter
from pathlib import Path

import pytest

from counterec import make_config, make_run
from counterec.adapters.tables import FrameTables
from counterec.errors import UndeclaredInputError
from counterec.experiment.plan import experiment_stages, list_cells
from counterec.pipeline import layout, versions
from counterec.pipeline.config import make_frames_config
from counterec.pipeline.folder import RunFolder
from counterec.pipeline.manifest import Manifest
from counterec.pipeline.operator_model import frame_stages
from counterec.pipeline.stage import Stage, declared_config
from counterec.pipeline.stages import run_stages_of, stages_after_frames
from counterec.report.experiment_report import report_stage
from tests.adapters.hotels import SCHEMA, guests, hotels
from tests.pipeline.tiny import EXPLAIN, SETTINGS, Recorder, again, changed

pytestmark = pytest.mark.slow

COMPLETE = changed(SETTINGS, explain={"methods": ["complete", "single"]})
SAMPLED = changed(COMPLETE, lists={"protocol": "sampled"})
HYBRID = changed(COMPLETE, model={"kind": "hybrid"}, split={"held_out": 0})


def every_stage() -> list[Stage]:
    """The stages of a run under both protocols, of an experiment and of its report."""
    both = [make_config(settings, "test") for settings in (COMPLETE, SAMPLED)]
    hybrid, own = make_config(HYBRID, "test"), make_frames_config({"k": 3}, {})
    frames = frame_stages(own, FrameTables.of(guests(), hotels(), schema=SCHEMA), "mine", candidates=[], item_names={})
    return [
        *(stage for config in both for stage in run_stages_of(config)),
        *(replace(stage, name=f"hybrid: {stage.name}") for stage in run_stages_of(hybrid)),
        *(replace(stage, name=f"own model: {stage.name}") for stage in [*frames, *stages_after_frames(own)]),
        *experiment_stages(both[0]),
        report_stage(both[0], list_cells(both[0])[0].folder),
    ]


class TestDeclaredSettings:
    config = make_config(SETTINGS, "test")

    @pytest.mark.parametrize("part", ["lists.protocol", "explain", "data"])
    def test_anything_else_is_a_bug_that_is_named(self, part: str) -> None:
        view = declared_config(self.config, ("lists.k", "training", "seed"), "mine")
        with pytest.raises(UndeclaredInputError, match=f"stage 'mine' reads {part}, which it does not declare"):
            attrgetter(part)(view)

    def test_a_file_that_is_not_declared_cannot_be_read(self, tiny_run: Path) -> None:
        folder = RunFolder(tiny_run, Manifest.load(tiny_run), readable=frozenset({layout.SPLIT}))
        assert len(folder.split)
        with pytest.raises(UndeclaredInputError, match=r"reads reviews\.parquet, which is not among its inputs"):
            _ = folder.reviews


PLUMBING = {
    "counterec",
    "counterec.errors",
    "counterec.core",
    "counterec.core.scorers",
    "counterec.pipeline",
    "counterec.pipeline.config",
    "counterec.pipeline.stage",
    "counterec.pipeline.files",
    "counterec.pipeline.folder",
    "counterec.pipeline.layout",
    "counterec.pipeline.manifest",
    "counterec.pipeline.executors",
    "counterec.pipeline.models",
    "counterec.pipeline.piece_store",
    "counterec.pipeline.pieces",
    "counterec.references",
}
"""Code that moves files, settings and processes about, and decides no number; the rest must be named by the stages."""


def imports_of(module: str) -> set[str]:
    """The modules of ours that a module imports, wherever it does so, but not for its types alone."""
    spec = importlib.util.find_spec(module)
    assert spec is not None
    assert spec.origin is not None
    found: set[str] = set()
    for node in _running_nodes(ast.parse(Path(spec.origin).read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("counterec"):
            inner = [f"{node.module}.{name.name}" for name in node.names]
            found |= {name for name in inner if _is_module(name)} or {str(node.module)}
    return found


def _running_nodes(tree: ast.AST):
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            continue
        yield node
        yield from _running_nodes(node)


def _is_module(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:
        return False


def closure(module: str) -> set[str]:
    """Everything that a module runs, plumbing apart."""
    found, waiting = set[str](), [module]
    while waiting:
        name = waiting.pop()
        if name not in found and name not in PLUMBING:
            found.add(name)
            waiting += imports_of(name)
    return found


@pytest.mark.parametrize("stage", every_stage(), ids=lambda stage: stage.name)
def test_a_stage_names_all_the_code_it_runs(stage: Stage) -> None:
    named = stage.all_code
    for module in closure(stage.work.__module__):
        covered = any(module == name or module.startswith(f"{name}.") for name in named)
        assert covered, f"{stage.name} runs {module}, which its key does not know"


class TestCode:
    @pytest.fixture
    def edited(self, monkeypatch: pytest.MonkeyPatch):
        """Pretend that a package's source was edited."""
        true_digest = versions.code_digest

        def edit(package: str) -> None:
            def digest(name: str) -> str:
                return "edited" if package == name or package.startswith(f"{name}.") else true_digest(name)

            monkeypatch.setattr("counterec.pipeline.engine.code_digest", digest)

        return edit

    @pytest.mark.parametrize(
        ("package", "made"),
        [
            ("counterec.core.explainers.single.solver", ["build", *EXPLAIN, "evaluate"]),
            ("counterec.core.evaluation.quality", ["build", *EXPLAIN, "evaluate"]),
            ("counterec.extraction.links", ["extract", "build"]),
            ("counterec.core.scorers.training", ["build", "fit", "rank", *EXPLAIN, "evaluate"]),
            ("counterec.cli", []),
        ],
    )
    def test_edited_code_runs_again_what_it_is_part_of(
        self, own_run: Path, edited, package: str, made: list[str]
    ) -> None:
        edited(package)
        assert again(own_run).made == made
        assert again(own_run).made == []

    def test_the_digest_follows_the_source(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        package = tmp_path / "solver_of_my_own"
        package.mkdir()
        (package / "__init__.py").write_text("")
        (package / "inner.py").write_text("STEP = 1")
        monkeypatch.syspath_prepend(str(tmp_path))
        found = []
        for text in ("STEP = 1", "STEP = 2", "STEP = 1"):
            (package / "inner.py").write_text(text)
            versions.code_digest.cache_clear()
            found.append(versions.code_digest("solver_of_my_own"))
        assert found[0] == found[2] != found[1]
        sys.modules.pop("solver_of_my_own", None)

    def test_a_script_is_its_file_and_a_prompt_is_never_known(self, tmp_path: Path) -> None:
        code = "from counterec.pipeline.versions import code_digest; print(code_digest('__main__'))"
        (tmp_path / "script.py").write_text(code)
        script, again_, prompt, other_prompt = (
            subprocess.run([sys.executable, *args], capture_output=True, text=True, check=True).stdout
            for args in 2 * [[str(tmp_path / "script.py")]] + 2 * [["-c", code]]
        )
        assert script == again_
        assert prompt != other_prompt


class TestForce:
    def made(self, folder: Path, *force: str) -> list[str]:
        recorder = Recorder()
        make_run(make_config(SETTINGS, "test"), folder, recorder, force=force)
        return recorder.made

    def test_one_stage_and_nothing_that_comes_out_the_same(self, own_run: Path) -> None:
        assert self.made(own_run, "rank") == ["rank"]
