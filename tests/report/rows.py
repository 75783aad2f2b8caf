"""Rows as the stages of an experiment write them, in a world where every claim can be made true or false."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import polars as pl

from counterec.report.experiment_rows import SCHEMAS, ExperimentRows

K = 5
ASPECTS = [f"aspect {number}" for number in range(12)]
STATISTICS = {"users": 60, "items": 40, "reviews": 900, "aspects": len(ASPECTS), "density": 900 / 2400}
COUNTER = (("relaxed", "multi"), ("single", "single"), ("minimal", "multi"), ("complete", "multi"))
OTHERS = ("random", "gradient", "efm", "mter", "a2cf")
CONDITIONS = ("k=4", "trained again")
EXPERIMENT_SETTINGS = {"protocols": ("full",), "seeds": 1, "ground_truth": "positive", "detail_users": 300}
LAMBDAS = (1.0, 10.0, 100.0, 1000.0)
GOLDEN = 0.6180339887
ALPHAS = (0.1, 0.2, 0.5, 0.6, 1.0)


@dataclass(frozen=True)
class World:
    """The paper's claims, all true; with ``claims_are`` −1 all false. With few users none can be decided."""

    users: int = 60
    claims_are: int = 1
    seed: int = 0

    def rows(self) -> pl.DataFrame:
        cells = [(method, shape) for method, shape in COUNTER]
        cells += [(method, shape) for method in OTHERS for shape in ("single", "multi")]
        frames = [self.cell(method, shape, masked) for method, shape in cells for masked in (False, True)]
        return frame("rows", [row for cell in frames for row in cell])

    def cell(self, method: str, shape: str, masked: bool) -> Iterable[dict[str, Any]]:
        """Every pair, with the answer of one method."""
        ours = method in dict(COUNTER)
        good = 0.5 + self.claims_are * (0.3 if ours else -0.3)
        for user, position in product(range(self.users), range(1, K + 1)):
            explained = self._explained(shape, position, user)
            named = self._aspects(shape, position)
            strong = user % 2 == 0
            yield {
                "protocol": "full",
                "seed": self.seed,
                "method": method,
                "shape": shape,
                "masked": masked,
                **pair(user, position),
                "explained": explained,
                "aspects": ASPECTS[:named] if explained else [],
                **self._user_side(explained, good, masked, named),
                **self._verdicts(explained and method != "mter", *self._judged(user, good, ours, masked, strong)),
                **self._change(explained and ours, named, strong),
            }

    def _explained(self, shape: str, position: int, user: int) -> bool:
        scarce = "single" if self.claims_are > 0 else "multi"
        return shape != scarce or (user + position) % 4 > 0

    def _aspects(self, shape: str, position: int) -> int:
        """2.8 aspects on average and 2 more at the top, about as in the paper; or more, and fewer at the top."""
        if shape == "single":
            return 1
        return {1: 4, 2: 3, 3: 3, 4: 2, 5: 2}[position] if self.claims_are > 0 else {1: 5, 5: 7}.get(position, 6)

    def _judged(self, user: int, good: float, ours: bool, masked: bool, strong: bool) -> tuple[bool, bool]:
        """Whether the answers for a user are necessary and sufficient: the same at all positions, so that both depend
        on strength and mask alone."""
        place = user * GOLDEN % 1
        if not ours:
            return place < good, place < 0.5 + 0.2 * self.claims_are
        share = good + self.claims_are * (0.15 * (1 if strong else -1) - 0.2 * masked)
        return place < share, place < share

    def _user_side(self, explained: bool, good: float, masked: bool, named: int) -> dict[str, Any]:
        f1 = 0.4 + 0.4 * good + self.claims_are * (0.1 * masked - 0.06 * named)
        value = float(np.clip(f1, 0, 1)) if explained else None
        return {"in_test": True, "praised": 2, "precision": value, "recall": value, "f1": value}

    def _verdicts(self, asked: bool, necessary: bool, sufficient: bool) -> dict[str, Any]:
        """The kind rule decides every tie for the answer, the strict rule against it."""
        found = {"necessary": necessary, "sufficient": sufficient}
        found |= {f"{name}{tie}": tie == "_kind" for name in tuple(found) for tie in ("_kind", "_strict")}
        return found if asked else dict.fromkeys(found)

    def _change(self, proposed: bool, named: int, strong: bool) -> dict[str, Any]:
        if not proposed:
            return dict.fromkeys(("l2", "l1", "complexity", "strength", "strength_sigmoid", "proof"))
        l2 = float(np.sqrt(named))
        l1 = l2 * (1.4 if self.claims_are > 0 else 2.6)
        return {"l2": l2, "l1": l1, "complexity": l2 + named, "proof": "found", **_strength(2.0 if strong else 1.0)}

    def transfer(self) -> pl.DataFrame:
        names = ("protocol", "seed", "method", "shape", "masked", "user_id", "item_id", "necessary", "sufficient")
        kept = self.rows().filter("explained", pl.col("necessary").is_not_null()).select(names)
        conditions = [kept.with_columns(ground=pl.lit(condition)) for condition in CONDITIONS]
        worse = conditions[1].with_columns(necessary=pl.col("necessary") & (pl.int_range(pl.len()) % 5 > 0))
        return pl.concat([conditions[0], worse])

    def sweep(self) -> pl.DataFrame:
        points = [("as_published", lam, 0.2) for lam in LAMBDAS]
        points += [("as_published", 100.0, alpha) for alpha in ALPHAS if alpha != 0.2]
        points += [("adaptive", None, None)]
        return frame("sweep", [row for point in points for row in self._swept(*point)])

    def _swept(self, variant: str, lam: float | None, alpha: float | None) -> Iterable[dict[str, Any]]:
        """Answers with λ and α: a larger λ explains more, with more aspects; performance drops beyond α = 0.5."""
        true, size, large = self.claims_are > 0, int(np.log10(lam or 100.0)), (alpha or 0.2) > 0.5
        share = 0.5 + 0.15 * size if true else 1 - 0.15 * size
        good = 0.8 - 0.3 * large if true else 0.8 - 0.15 * size + 0.2 * large
        size_named = 2 + size if true else 8 - size
        for user, position in product(range(self.users), range(1, K + 1)):
            explained = (user + 2 * position) % 10 / 10 < share
            named, strong = size_named + position % 2, user % 2 == 0
            held = user * GOLDEN % 1 < good + 0.15 * self.claims_are * (1 if strong else -1)
            yield {
                "variant": variant,
                "lambda": lam,
                "alpha": alpha,
                "seed": self.seed,
                **pair(user, position),
                "explained": explained,
                "aspects": ASPECTS[:named] if explained else [],
                **self._user_side(explained, good, False, named),
                **self._verdicts(explained, held, held),
                **self._change(explained, named, False),
                **(_strength((1.5 if strong else 0.5) * (1.0 if true else 1 + 0.2 * size)) if explained else {}),
            }

    def experiment(self, **instead: Any) -> ExperimentRows:
        frames = {name: getattr(self, name)() for name in SCHEMAS if name not in instead}
        return ExperimentRows(**{**frames, "methods": methods(), **instead})


def _strength(score: float) -> dict[str, float]:
    return {"strength": score, "strength_sigmoid": score / 10}


def pair(user: int, position: int) -> dict[str, Any]:
    return {"user_id": f"u{user:03}", "item_id": f"i{user:03}-{position}", "position": position, "joint": True}


def methods(**notes: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Notes on the methods as the stages write them."""
    measure = {"value": 0.2, "cases": 60, "interval": [0.1, 0.3]}
    ranking = dict.fromkeys(("ndcg", "recall", "hit_rate"), measure)
    note = {"ranking": ranking, "milliseconds": 1.5, "unavailable": None, "failures": []}
    names = [*dict(COUNTER), *OTHERS]
    return {**{name: note | notes.get(name, {}) for name in names}, "random_ranking": ranking}


def frame(name: str, rows: Iterable[dict[str, Any]]) -> pl.DataFrame:
    return pl.DataFrame(list(rows), schema=SCHEMAS[name])
