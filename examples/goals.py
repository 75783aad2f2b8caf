"""One recommendation, explained by each of the goals."""

from small_run import small_run

from counterec import GOALS, sentence

run = small_run()
for goal in GOALS:
    row = run.explain("U0004", goal=goal).row(0, named=True)
    record = run.record(row)
    print(f"{goal}: {row['status']}, {len(record.changes)} aspects, proof {row['proof']}")
    print(f"  {sentence(record)}")
