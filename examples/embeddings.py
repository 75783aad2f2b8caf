"""A torch model with embeddings of users and songs: the goal *relaxed* follows its gradient, *minimal* its scores."""

import numpy as np
import polars as pl
import torch
from torch import Tensor, nn

import counterec
from counterec.adapters import TorchModel

torch.manual_seed(4)
random = np.random.default_rng(4)
songs = pl.DataFrame({"item_id": [f"Song {number:02}" for number in range(30)], "song": range(30)})
songs.insert_column(2, pl.Series("tempo", random.integers(60, 180, 30)))
songs.insert_column(3, pl.Series("loudness", random.integers(20, 100, 30)))
listeners = pl.DataFrame({"user_id": ["Ada", "Ben"], "listener": [0, 1]})


class Tower(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.listeners, self.songs, self.sound = nn.Embedding(2, 8), nn.Embedding(30, 8), nn.Linear(2, 8)

    def forward(self, listener: Tensor, song: Tensor, sound: Tensor) -> Tensor:
        return (self.listeners(listener) * (self.songs(song) + self.sound(sound / 40))).sum(dim=1)


model = TorchModel(Tower().eval(), {"listener": "listener", "song": "song", "sound": ["tempo", "loudness"]})
for goal in ("minimal", "relaxed"):
    print(goal, *counterec.explain(model, listeners, songs, k=2, goal=goal, keep=["song"])["sentence"], sep="\n  ")
