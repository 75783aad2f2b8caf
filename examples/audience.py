"""A seller asks: what would bring my phone into the lists of ten of these forty users?"""

from small_run import small_run

from counterec import audience_record, sentence

run = small_run()
phone = run.space.items.texts[7]
users = [user for user in run.space.users.texts if run.candidates.contain(run.space.users.number(user), 7)][:40]
answer = run.why_not_for_all(phone, users, wanted=10)
print(sentence(audience_record(run.space, answer, run.item_names)))
won = [run.space.users.texts[user] for user in answer.users[answer.entered]]
print(f"It would win {', '.join(won)}.")
