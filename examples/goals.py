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
    run = make_run(make_config(SETTINGS, "example"), folder)
    user = run.space.users.texts[0]
    for goal in GOALS:
        row = run.explain(user, goal=goal).row(0, named=True)
        values = list(zip(row["aspects"], row["before"], row["after"], strict=True))
        length = sum((after - before) ** 2 for _, before, after in values) ** 0.5
        print(f"{goal}: {row['status']}, proof {row['proof']}; {len(values)} aspects, ‖Δ‖₂ = {length:.2f}")
        if row["status"] == "explained":
            print(f"  {why_sentence(run.item_name(row['item_id']), [Change(*value) for value in values])}")
