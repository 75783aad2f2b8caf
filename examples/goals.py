"""One recommendation, explained by each of the three goals, in a small world with a quickly trained net."""

from tempfile import TemporaryDirectory

from counterec import make_config, make_run
from counterec.core.explainers.counter import GOALS
from counterec.wording.sentences import Change, status_sentence, why_sentence

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
        item, status = run.item_name(row["item_id"]), row["status"]
        changes = [Change(*one) for one in zip(row["aspects"], row["before"], row["after"], strict=True)]
        length = sum((change.after - change.before) ** 2 for change in changes) ** 0.5
        print(f"{goal}: {status}, {len(changes)} aspects, ‖Δ‖₂ {length:.2f}, proof {row['proof'] or 'none'}")
        print("  " + (why_sentence(item, changes) if status == "explained" else status_sentence(item, status)))
