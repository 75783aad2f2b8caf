"""Why is this phone not in my list, and what would bring it there? Once freely, once without touching the charger."""

from small_run import small_run

from counterec import Constraints, sentence

run, user = small_run(), "U0004"
missing = run.space.items.texts[7]
for constraints in (Constraints(), Constraints(keep=("charger",), most=2)):
    row = run.explain(user, missing, question="why_not", constraints=constraints).row(0, named=True)
    print(sentence(run.record(row)))
