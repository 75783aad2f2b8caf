"""Films with genres, ranked by LightGBM: why is each in a viewer's list, and what would another genre have done?"""

import lightgbm
import numpy as np
import pandas as pd

from counterec.frames import explain, what_if

random = np.random.default_rng(2)
films = pd.DataFrame({"film": [f"Film {number:02}" for number in range(40)]})
films["genre"] = pd.Categorical(random.choice(["comedy", "drama", "horror", "western"], 40))
films["length"], films["year"] = random.integers(80, 190, 40), random.integers(1960, 2025, 40)
viewers = pd.DataFrame({"viewer": ["Ada", "Ben"], "likes_long": [0.1, 0.9], "likes_horror": [0.8, 0.0]})

# Forty views of each of fifty viewers, as a ranker learns them: one viewer after another.
seen = films.sample(2000, replace=True, random_state=2).drop(columns="film")
seen["likes_long"], seen["likes_horror"] = random.random((2, 50)).repeat(40, axis=1)
liking = seen.likes_long * seen.length / 60 + 3 * seen.likes_horror * (seen.genre == "horror") + seen.year / 200
ranker = lightgbm.LGBMRanker(n_estimators=60, verbose=-1, n_jobs=1)
ranker.fit(seen, liking.rank(pct=True).mul(9.99).astype(int), group=[40] * 50)

schema = {"length": {"unit": "minutes"}, "year": {"kept": True}}  # a film's year is what it is
found = explain(ranker, viewers, films, k=3, schema=schema, user_id="viewer", item_id="film")
for viewer, sentence in zip(found["viewer"], found["sentence"], strict=True):
    print(f"{viewer}: {sentence}")

changes = {found["film"][0]: {"genre": "western"}}
after = what_if(ranker, viewers[:1], films, changes, k=3, schema=schema, user_id="viewer", item_id="film")
print(after["sentence"].dropna().iloc[0])
