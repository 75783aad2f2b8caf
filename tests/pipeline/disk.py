"""A run folder read plainly: safetensors, Parquet and JSON, as anyone could. It imports nothing of counterec."""

from __future__ import annotations

import json
from functools import cached_property
from pathlib import Path

import numpy as np
import polars as pl
from safetensors.numpy import load_file

from tests import naive
from tests.background_claims import Plain, Said
from tests.claims import Row
from tests.pipeline.disk_model import DiskModel


class Disk:
    """The matrices, the net, the candidates and the tables of a run folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        vocabulary = json.loads((folder / "vocabulary.json").read_text())
        self.users, self.items, self.aspects = (vocabulary[kind] for kind in ("users", "items", "aspects"))
        matrices = load_file(folder / "aspects.safetensors")
        self.X, self.Y = matrices["user_attention"], matrices["item_quality"]
        self.praises, self.complaints = matrices["opinions.item_praises"], matrices["opinions.item_complaints"]
        self.net = load_file(folder / "model.safetensors")

    @cached_property
    def methods(self) -> dict[str, pl.DataFrame]:
        return {path.stem: pl.read_parquet(path) for path in sorted((self.folder / "explanations").glob("*.parquet"))}

    @cached_property
    def lists(self) -> dict[str, pl.DataFrame]:
        """Per user the first K+1, in order."""
        table = pl.read_parquet(self.folder / "recommendations.parquet").sort("user_id", "position")
        return {user: rows for (user,), rows in table.group_by("user_id", maintain_order=True)}

    @cached_property
    def candidates(self) -> dict[str, np.ndarray]:
        """Per user the numbers of the items that compete: as listed, or the catalogue without what was seen."""
        number = {item: place for place, item in enumerate(self.items)}
        drawn = self.folder / "candidates.parquet"
        if drawn.exists():
            table = pl.read_parquet(drawn)
            return {user: np.array([number[i] for i in rows["item_id"]]) for (user,), rows in table.group_by("user_id")}
        split = pl.read_parquet(self.folder / "split.parquet").filter(pl.col("part") != "test")
        seen = {user: [number[item] for item in rows["item_id"]] for (user,), rows in split.group_by("user_id")}
        everything = np.arange(len(self.items))
        return {user: np.setdiff1d(everything, seen[user]) for user in self.users}

    @cached_property
    def scores(self) -> dict[str, np.ndarray]:
        """Per user the scores of the candidates, by plain arithmetic."""
        return {
            user: naive.shared_scores(self.net, self.attention(user), self.Y[own])
            for user, own in self.candidates.items()
        }

    def attention(self, user: str) -> np.ndarray:
        return self.X[self.users.index(user)]

    def quality(self, item: str) -> np.ndarray:
        return self.Y[self.items.index(item)]

    def changed(self, row: dict) -> np.ndarray:
        """The item's vector with the values of *after* put in."""
        quality = self.quality(row["item_id"]).copy()
        quality[[self.aspects.index(aspect) for aspect in row["aspects"]]] = row["after"]
        return quality

    def pair(
        self, kind: str, user_id: str, item_id: str, k: int, versus: str | None = None, rules: naive.Rules = naive.FREE
    ) -> naive.Pair:
        """What is asked of a user and an item; where two items are compared, they are the only rivals."""
        user, item = self.users.index(user_id), self.items.index(item_id)
        rivals = self.candidates[user_id] if versus is None else np.array([item, self.items.index(versus)])
        return naive.Pair(
            kind=kind,
            score=naive.net_of(self.net, self.X),
            Y=self.Y,
            attention=self.X[user],
            user=user,
            item=item,
            rivals=np.sort(rivals),
            k=k if versus is None else 1,
            noise=naive.net_noise(self.net, self.X)(user),
            rules=rules,
            net=self.net,
            candidates=self.candidates[user_id],
        )

    def claimed(self, row: dict, k: int, rules: naive.Rules = naive.FREE) -> Row:
        """What a row of an explanations table claims."""
        return Row(
            self.pair(row["question"], row["user_id"], row["item_id"], k, row["versus"], rules),
            delta=self.changed(row) - self.quality(row["item_id"]),
            status=row["status"],
            proof=row["proof"] or "none",
            singly=row["goal"] == "single",
            score_before=row["score_before"],
            score_after=row["score_after"],
            target=row["target"],
            margin=row["margin"],
            values=self.changed(row),
            goal=row["goal"],
        )

    @cached_property
    def plain(self) -> Plain:
        """The model in plain arithmetic, with what stands beside its aspects."""
        return DiskModel(self.net, self.X).plain(self.Y)

    def said(self, row: dict, k: int) -> Said:
        """What a row says stands behind its answer."""
        number = {item: place for place, item in enumerate(self.items)}
        user, item, versus = self.users.index(row["user_id"]), number[row["item_id"]], row["versus"]
        position = k if row["question"] == "why_not" else k + 1
        listed = self.lists[row["user_id"]].filter(pl.col("position") == position)["item_id"].to_list()
        (other,) = [versus] if versus is not None else listed or [None]
        rivals = self.candidates[row["user_id"]] if versus is None else np.sort([item, number[versus]])
        carriers = row["carried_by"]
        return Said(
            kind=row["question"],
            user=user,
            item=item,
            other=None if other is None else number[other],
            rivals=rivals,
            k=k if versus is None else 1,
            after=self.changed(row),
            status=row["status"],
            carried_by=None if carriers is None else [number[past] for past in carriers],
            **{name: row[name] for name in ("lead_aspects", "lead_history", "score_without_aspects")},
            **{name: row[name] for name in ("nets", "nets_agree", "nets_hold")},
        )

    def score(self, user: str, quality: np.ndarray) -> float:
        return naive.net_score(self.net, self.attention(user), quality)
