"""What if the first phone of my list lost its best aspect, and the last one gained on it? The list, ranked again."""

from small_run import small_run

from counterec import reranking_records, sentence

run, user = small_run(), "U0005"
listed = run.explain(user)
first, last = listed["item_id"][0], listed["item_id"][-1]
aspect = listed["aspects"][0][0]
found = run.what_if(user, {first: {aspect: 1.0}, last: {aspect: 5.0}})
for record in reranking_records(run.space, found, run.item_names):
    print(sentence(record))
for place, item in enumerate(found.items[: found.k], start=1):
    name = run.item_name(run.space.items.texts[item])
    print(f"{place}. {name} (was {found.positions_before[place - 1]}), {found.scores_after[place - 1]:.3f}")
