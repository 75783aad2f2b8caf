"""Films with genres, ranked by LightGBM: why is each in a viewer's list, and what would another genre have done?"""

import lightgbm
import numpy as np
import pandas as pd

import counterec
from counterec import frames

random = np.random.default_rng(2)
GENRES = ["comedy", "drama", "horror", "western"]
films = pd.DataFrame(
    {
        "film": [f"Film {number:02}" for number in range(40)],
        "genre": pd.Categorical(random.choice(GENRES, 40)),
        "minutes": random.integers(80, 190, 40),
        "year": random.integers(1960, 2025, 40),
    }
)
viewers = pd.DataFrame({"viewer": ["Ada", "Ben"], "likes_long": [0.1, 0.9], "likes_horror": [0.8, 0.0]})

# Forty views of each of fifty viewers, as a ranker learns them: in groups, one viewer after another.
seen = films.sample(2000, replace=True, random_state=2).drop(columns="film").reset_index(drop=True)
taste = random.random((50, 2)).repeat(40, axis=0)
seen[["likes_long", "likes_horror"]] = taste
liking = taste[:, 0] * seen.minutes / 60 + 3 * taste[:, 1] * (seen.genre == "horror") + (seen.year - 1960) / 40
ranker = lightgbm.LGBMRanker(n_estimators=60, verbose=-1, n_jobs=1)
ranker.fit(seen, liking.rank(pct=True).mul(9.99).astype(int), group=[40] * 50)

options = {"user_id": "viewer", "item_id": "film", "schema": {"year": {"kept": True}, "minutes": {"unit": "minutes"}}}
answers = counterec.explain(ranker, viewers, films, k=3, **options)
for viewer, sentence in zip(answers["viewer"], answers["sentence"], strict=True):
    print(f"{viewer}: {sentence}")

first = answers["film"][0]
changed = frames.what_if(ranker, viewers[:1], films, {first: {"genre": "western"}}, k=3, **options)
print(changed["sentence"].dropna().iloc[0])
