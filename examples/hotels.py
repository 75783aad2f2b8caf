"""Hotels with price, distance, stars and wifi, ranked by a scikit-learn model: why is each in a guest's list?"""

import numpy as np
import pandas as pd
from sklearn.ensemble import HistGradientBoostingRegressor

import counterec

random = np.random.default_rng(1)
hotels = pd.DataFrame(index=pd.Index([f"Hotel {number:02}" for number in range(40)], name="hotel"))
hotels["price"], hotels["distance"] = random.integers(60, 260, 40), random.uniform(0.2, 9, 40).round(1)
hotels["stars"], hotels["wifi"] = random.integers(1, 6, 40), random.random(40) < 0.7
guests = pd.DataFrame({"budget": [90, 160, 250]}, index=pd.Index(["Ada", "Ben", "Cleo"], name="guest"))

# What a booking site has learned from its clicks: any model with predict or predict_proba will do.
shown = hotels.sample(2000, replace=True, random_state=1).assign(budget=random.integers(60, 300, 2000))
liked = shown.stars / 2 + 1.5 * shown.wifi - 0.4 * shown.distance - 0.03 * (shown.price - shown.budget).clip(lower=0)
model = HistGradientBoostingRegressor(max_iter=60).fit(shown, liked + random.normal(0, 0.3, 2000))

schema = {
    "price": {"worse": "high", "format": "{:.0f} €"},
    "distance": {"worse": "high", "format": "{:.1f} km"},
    "stars": {"worse": "low"},
    "wifi": {"worse": "low"},
}
answers = counterec.explain(model, guests, hotels, k=3, schema=schema)
for guest, sentence in zip(answers["guest"], answers["sentence"], strict=True):
    print(f"{guest}: {sentence}")
