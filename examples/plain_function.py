"""A plain function: from rows of users and rows of items to scores. A derived attribute is computed anew."""

import polars as pl

import counterec

trips = pl.DataFrame(
    {
        "item_id": ["Alps", "Baltic", "Crete", "Douro"],
        "price": [900, 480, 1150, 1600],
        "nights": [7, 4, 10, 9],
        "beach": [False, True, True, None],  # nobody knows
    }
).with_columns(per_night=pl.col("price") / pl.col("nights"))
travellers = pl.DataFrame({"user_id": ["Ada", "Ben"], "likes_beaches": [1.0, 0.2]})


def liking(users: pl.DataFrame, items: pl.DataFrame) -> pl.Series:
    return users["likes_beaches"] * items["beach"].fill_null(False) * 20 - items["per_night"] + items["nights"]


def per_night(items: pl.DataFrame) -> pl.DataFrame:
    return items.with_columns(per_night=pl.col("price") / pl.col("nights"))


schema = {"price": {"worse": "high", "format": "{:.0f} €"}, "per_night": {"derived": True}, "nights": {"kept": True}}
answers = counterec.explain(liking, travellers, trips, k=2, schema=schema, recompute=per_night)
print(answers.select("user_id", "item_id", "attributes", "before", "after"))
print(*answers["sentence"], sep="\n")
