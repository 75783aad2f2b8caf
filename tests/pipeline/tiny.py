"""A run that takes a second: its settings, its files, and a reporter that keeps a list."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from counterec import make_config, make_run

METHODS = ("relaxed-masked", "single")
SETTINGS: dict[str, Any] = {
    "data": {"world": {"users": 30, "items": 60, "aspects": 7, "min_reviews": 12}},
    "aspects": {"quality": "eq1", "everybody": False},  # as the experiment has them
    "model": {"kind": "net"},
    "training": {"hidden": [16, 8], "epochs": 5, "as_published": True},
    "explain": {"methods": list(METHODS)},
}
"""The built-in world, small."""


def changed(settings: dict[str, Any], **parts: dict[str, Any] | int) -> dict[str, Any]:
    """Settings with some of their parts changed: ``changed(SETTINGS, lists={"k": 3}, seed=1)``."""
    result = dict(settings)
    for name, value in parts.items():
        result[name] = {**settings.get(name, {}), **value} if isinstance(value, dict) else value
    return result


HYBRID = changed(SETTINGS, model={"kind": "hybrid"}, explain={"methods": ["minimal", "complete"]})
"""The same with the default model, which has lists of its members, and the goal that trains it again."""

SAMPLED = changed(
    SETTINGS, lists={"protocol": "sampled", "negatives": 14, "k": 3}, training={"learning_rate": 0.1}, seed=3
)


class Recorder:
    """A reporter that remembers what it was told."""

    def __init__(self) -> None:
        self.made: list[str] = []
        self.skipped: list[str] = []
        self.warnings: list[str] = []

    def checked(self, report: object) -> None:
        pass

    def plan(self, stages: int) -> None:
        pass

    def begin(self, stage: str) -> None:
        pass

    def total(self, units: int, of: str) -> None:
        pass

    def advance(self, units: int) -> None:
        pass

    def end(self, stage: str, skipped: bool, seconds: float | None = None, left: float | None = None) -> None:
        (self.skipped if skipped else self.made).append(stage)

    def warn(self, message: str) -> None:
        self.warnings.append(message)


EXPLAIN = [f"explain {method}" for method in METHODS]
STAGES = ["read", "split", "extract", "build", "fit", "rank", *EXPLAIN, "evaluate"]
MAKER = {
    "reviews.parquet": "read",
    "split.parquet": "split",
    "mentions.parquet": "extract",
    "extraction.json": "extract",
    "aspects.safetensors": "build",
    "vocabulary.json": "build",
    "model.safetensors": "fit",
    "model.json": "fit",
    "recommendations.parquet": "rank",
    "heads.safetensors": "rank",
    **{f"explanations/{method}.parquet": f"explain {method}" for method in METHODS},
    "evaluation.json": "evaluate",
}
"""The files of the tiny run, and the stage that makes each."""


def contents(folder: Path) -> dict[str, bytes]:
    """Every file of the folder but the manifest, which holds times."""
    files = (path for path in folder.rglob("*") if path.is_file() and path.name != "manifest.json")
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def again(folder: Path, settings: dict[str, Any] = SETTINGS) -> Recorder:
    """Bring the folder up to date; return what was made and what was skipped."""
    recorder = Recorder()
    make_run(make_config(settings, "test"), folder, recorder)
    return recorder
