"""The model kind *net*: the paper's recommender, trained here."""

from __future__ import annotations

from counterec.core.scorers.net import AspectNet, NetWeights
from counterec.core.scorers.training import EpochReport, train
from counterec.core.space import AspectSpace
from counterec.pipeline.models import Arrays, ModelKind, TrainedModel, TrainingData


def load_net(arrays: Arrays, space: AspectSpace, device: str) -> AspectNet:
    """The net with these weights."""
    del space  # the weights know their size
    return AspectNet(NetWeights.from_named(arrays), device)


def train_net(data: TrainingData) -> TrainedModel:
    """Train the net; with a validation part, the weights of its best epoch are kept."""

    def progress(_: EpochReport) -> None:
        data.advance(1)

    found = train(data.space, data.train, data.validation, data.settings, data.seed, data.device, progress)
    best, weights = found.history[found.best_epoch - 1], found.weights
    hidden = [len(weights.hidden1.bias), len(weights.hidden2.bias)]
    return TrainedModel(
        arrays=weights.named(),
        description={"input": "user_attention, item_quality", "hidden": hidden, "activation": "relu"},
        counts={
            "epochs": len(found.history),
            "best_epoch": best.epoch,
            "loss": best.loss,
            "validation_ndcg": best.validation_ndcg,
        },
    )


KIND = ModelKind("net", load_net, train_net, code=("counterec.core.scorers", "counterec.core.interactions"))
