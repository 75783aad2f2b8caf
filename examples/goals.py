"""One recommendation, explained by each of the three goals, in a small world with a quickly trained net."""

from tempfile import TemporaryDirectory

from counterec import make_config, make_run
from counterec.core.explainers.counter import GOALS
from counterec.wording.sentences import Change, why_sentence

SETTINGS = {
    "data": {"world": {"users": 80, "items": 100, "aspects": 12}},
    "training": {"hidden": [64, 32], "epochs": 12, "optimizer": "adam", "learning_rate": 0.002},
    "explain": {"methods": ["minimal"]},
    "seed": 3,
}

with TemporaryDirectory() as folder:
    run = make_run(make_config(SETTINGS, "examples/goals.py"), folder)
    for goal in GOALS:
        row = run.explain("U0004", goal=goal).row(0, named=True)
        if row["status"] != "explained":
            print(f"{goal}: {row['status']}; the nearest miss moves {' and '.join(row['aspects'])}")
            continue
        changes = [Change(*one) for one in zip(row["aspects"], row["before"], row["after"], strict=True)]
        length = sum((change.after - change.before) ** 2 for change in changes) ** 0.5
        print(f"{goal}: {len(changes)} aspects, ‖Δ‖₂ = {length:.2f}, proof {row['proof']}")
        print(f"  {why_sentence(run.item_name(row['item_id']), changes)}")
