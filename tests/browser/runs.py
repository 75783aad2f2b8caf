"""The run folders that the browser tests look at: a small demo, one full of hostile texts, and an imported one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import lightgbm
import numpy as np
import pandas as pd
import polars as pl
from filelock import FileLock

from counterec import Run, make_config, make_run
from counterec.pipeline.engine import run_stages
from counterec.pipeline.stage import RunOptions, SilentReporter
from counterec.pipeline.stages import run_stages_of
from counterec.synthetic.reviews import item_names, synthetic_reviews
from counterec.synthetic.world import WorldSize, synthetic_world

DEMO: dict[str, Any] = {
    "data": {"world": {"users": 40, "items": 80, "aspects": 8}},
    "training": {"epochs": 8},
    "explain": {"methods": ["minimal"]},
}
"""The world of ``counterec demo --small``, explained in one way."""

HOSTILE = (
    '<img src="x" onerror="window.hacked = true">',
    "<script>window.hacked = true</script>",
    "<b>bold</b> & &lt;entities&gt; &amp;",
    "**stars** [link](javascript:alert(1)) `code`",
    "{{ window.hacked = true }} ${window.hacked = true}",
    "🧪📱 e\u0301moji 👩‍👩‍👧‍👦",
    "הטלפון הזה مرحبا بالعالم",
    "\u202eeverything turned\u202c",
    "Donaudampfschifffahrts" * 12,
    "line one\nline two\ttab 'quotes' \"double\" \\ %s %(x)s {0}",
)
"""Texts that a careless page shows as something else, or lets run."""


def made_once(folder: Path, make: Callable[[Path], None]) -> Path:
    """Make a run folder unless another process of the test session has, or does so now."""
    done = folder.with_suffix(".done")
    with FileLock(folder.with_suffix(".lock")):
        if not done.exists():
            make(folder)
            done.touch()
    return folder


def make_demo(folder: Path) -> None:
    """A demo that takes a few seconds."""
    make_run(make_config(DEMO, "demo"), folder)


def make_hostile(folder: Path) -> None:
    """The same world; ids, names and review texts hold what would break a page."""
    size = WorldSize(users=20, items=40, aspects=6, min_reviews=12)
    world = synthetic_world(size, 0)
    reviews, names = synthetic_reviews(world, 0), item_names(world, 0)
    bits = [HOSTILE[row % len(HOSTILE)] for row in range(reviews.height)]
    first = reviews["user_id"].unique().sort()[0]
    reviews = reviews.with_columns(
        text=pl.col("text") + " " + pl.Series(bits) + ".",
        user_id=pl.when(pl.col("user_id") == first).then(pl.lit("<i>U</i> & Ω")).otherwise(pl.col("user_id")),
    )
    sources = folder.parent / f"{folder.name}-sources"
    sources.mkdir()
    reviews.write_parquet(sources / "reviews.parquet")
    renamed = [f"{name} {HOSTILE[number % len(HOSTILE)]}" for number, name in enumerate(names.values())]
    pl.DataFrame({"id": list(names), "name": renamed}).write_parquet(sources / "items.parquet")
    settings = {
        "data": {"sources": [str(sources / "reviews.parquet")], "items": str(sources / "items.parquet")},
        "model": {"kind": "net"},
        "training": {"hidden": [16, 8], "epochs": 4},
        "explain": {"methods": ["minimal"]},
    }
    make_run(make_config(settings, "hostile"), folder)


def make_lists(folder: Path) -> None:
    """A run that ends with its lists: nothing was explained yet."""
    config = make_config({**DEMO, "model": {"kind": "net"}}, "lists")
    stages = [stage for stage in run_stages_of(config) if not stage.name.startswith(("explain", "evaluate"))]
    run_stages(folder, config.model_dump(mode="json"), stages, SilentReporter(), RunOptions())


def make_films(folder: Path) -> None:
    """Films with attributes of every kind, ranked by somebody's LightGBM: no reviews, no history, no mean of nets."""
    viewers, films, ranker = _films()
    schema = {"length": {"unit": "minutes"}, "subtitled": {"kind": "yes_no"}}
    options = {"schema": schema, "user_id": "viewer", "item_id": "film", "item_name": "title"}
    Run.create(folder, ranker, viewers, films, k=3, name="films", **options)


def film_ranker() -> Any:
    """The same ranker, for the server that an operator's config tells of it."""
    return _films()[2]


def _films() -> tuple[pd.DataFrame, pd.DataFrame, Any]:
    random = np.random.default_rng(2)
    films = pd.DataFrame({"film": [f"F{number:02}" for number in range(40)]})
    films["title"] = [f"The Film of {word}" for word in random.permutation(40).astype(str)]
    films["genre"] = pd.Categorical(random.choice(["comedy", "drama", "horror", "western"], 40))
    films["length"], films["subtitled"] = random.integers(80, 190, 40), random.random(40) < 0.5
    viewers = pd.DataFrame({"viewer": [f"V{number:02}" for number in range(20)]})
    viewers["likes_long"], viewers["likes_horror"] = random.random((2, 20))
    seen = films.sample(800, replace=True, random_state=2).drop(columns=["film", "title"])
    seen["likes_long"], seen["likes_horror"] = random.random((2, 20)).repeat(40, axis=1)
    liking = seen.likes_long * seen.length / 60 + 3 * seen.likes_horror * (seen.genre == "horror") + seen.subtitled
    ranker = lightgbm.LGBMRanker(n_estimators=30, verbose=-1, n_jobs=1)
    ranker.fit(seen, liking.rank(pct=True).mul(9.99).astype(int), group=[40] * 20)
    return viewers, films, ranker
