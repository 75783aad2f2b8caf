"""Why is the first phone of my list ahead of the fourth? How much worse must it be, and in the other's values?"""

from small_run import small_run

from counterec import sentence

run, user = small_run(), "U0001"
first, *_, fourth, _ = run.explain(user)["item_id"]
for question in ("why_rather", "why_rather_takes"):
    row = run.explain(user, first, question=question, versus=fourth).row(0, named=True)
    print(sentence(run.record(row)))
