"""One recommendation, explained by each of the goals."""

from small_run import small_run

from counterec import GOALS, sentence

run = small_run()
for goal in GOALS:
    row = run.explain("U0004", goal=goal).row(0, named=True)
    told = run.told(row)
    print(f"{goal}: {row['status']}, {len(told.changes)} aspects, proof {row['proof']}")
    print(f"  {sentence(told)}")
