"""DiCE on a task of ``adapters.py``: counterfactuals of a LightGBM model for given rows. Has an environment of its own.

    /path/to/environment/bin/python benchmarks/dice_side.py FOLDER

The folder holds the model's text, the rows, how low each attribute may go, and the score to fall below. An item is of
class 1 as long as its score is not below. DiCE is asked for one counterfactual of class 0, by each of its two methods
that need no gradient and no dataset of neighbours; its attributes may move between their lowest allowed value and where
they are, as ours may. Nothing of CountERec is imported.
"""

from __future__ import annotations

import json
import sys
import time
import warnings
from pathlib import Path
from typing import Any

import lightgbm
import numpy as np
import pandas as pd

METHODS = ("random", "genetic")


class OnTheList:
    """P(the item is on the list) for one user: 1 as long as its score is not below the target."""

    def __init__(self, booster: Any, user: np.ndarray, target: float) -> None:
        self._booster, self._user, self._target = booster, user, target

    def predict_proba(self, rows: pd.DataFrame) -> np.ndarray:
        """The two classes' probabilities; smooth, so that a search can tell nearer from further."""
        items = np.asarray(rows, dtype=float)
        scores = self._booster.predict(np.concatenate([np.tile(self._user, (len(items), 1)), items], axis=1))
        on = 1 / (1 + np.exp(-np.clip(scores - self._target, -30, 30)))
        return np.stack([1 - on, on], axis=1)

    def predict(self, rows: pd.DataFrame) -> np.ndarray:
        """The more probable class."""
        return (self.predict_proba(rows)[:, 1] >= 0.5).astype(int)


def answered(method: str, booster: Any, task: Any, columns: list[str]) -> dict[str, Any]:
    """One counterfactual per row, or None; and the mean time."""
    import dice_ml

    catalogue = pd.DataFrame(task["catalogue"].astype(float), columns=columns)
    after, started = [], time.perf_counter()
    for at in range(len(task["items"])):
        model = OnTheList(booster, task["users"][at], float(task["target"][at]))
        table = catalogue.assign(listed=model.predict(catalogue))
        data = dice_ml.Data(dataframe=table, continuous_features=columns, outcome_name="listed")
        explainer = dice_ml.Dice(data, dice_ml.Model(model=model, backend="sklearn"), method=method)
        row = pd.DataFrame([task["items"][at].astype(float)], columns=columns)
        lowest, now = task["lowest"][at], task["items"][at]
        ranges = {name: [float(lowest[place]), float(now[place])] for place, name in enumerate(columns)}
        try:
            found = explainer.generate_counterfactuals(
                row, total_CFs=1, desired_class=0, permitted_range=ranges, verbose=False
            )
            table = found.cf_examples_list[0].final_cfs_df
            after.append(None if table is None or not len(table) else table[columns].iloc[0].astype(float).tolist())
        except Exception:  # DiCE says by many kinds of errors that it found none
            after.append(None)
    seconds = (time.perf_counter() - started) / max(1, len(task["items"]))
    return {"method": method, "columns": columns, "after": after, "seconds": seconds}


def main() -> None:
    """Answer the task in a folder."""
    warnings.simplefilter("ignore")
    folder = Path(sys.argv[1])
    booster = lightgbm.Booster(model_file=folder / "model.txt")
    task, columns = np.load(folder / "task.npz"), json.loads((folder / "columns.json").read_text())
    found = [answered(method, booster, task, columns) for method in METHODS]
    (folder / "answers.json").write_text(json.dumps(found))


if __name__ == "__main__":
    main()
