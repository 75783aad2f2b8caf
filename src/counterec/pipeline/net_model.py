"""The model kind *net*: the paper's recommender, trained here."""

from __future__ import annotations

from counterec.core.scorers.net import AspectNet, NetWeights
from counterec.core.scorers.training import train
from counterec.core.space import AspectSpace
from counterec.pipeline.models import Arrays, ModelKind, TrainedModel, TrainingData
from counterec.pipeline.training_record import (
    held_against_popularity,
    report_epochs,
    training_counts,
    training_settings,
    what_was_chosen,
)


def load_net(arrays: Arrays, space: AspectSpace, device: str) -> AspectNet:
    """The net with these weights."""
    del space  # the weights know their size
    return AspectNet(NetWeights.from_named(arrays), device)


def train_net(data: TrainingData) -> TrainedModel:
    """Train the net; with a validation part, keep the weights of its best epoch."""
    settings = training_settings(data)
    data.expect(settings.most_epochs)
    parts = data.space, data.train, data.validation
    net = train(*parts, settings, data.seed, data.device, report_epochs(data), data.checkpoints)
    check = held_against_popularity(data, net)
    hidden = [len(net.weights.hidden1.bias), len(net.weights.hidden2.bias)]
    return TrainedModel(
        arrays=net.weights.named(),
        description={"input": "user_attention, item_quality", "hidden": hidden, "activation": "relu"},
        counts=training_counts(net) | check.counts,
        chosen=what_was_chosen([net]),
        warnings=check.warnings,
    )


KIND = ModelKind(
    "net",
    load_net,
    train_net,
    code=(
        "counterec.core.scorers",
        "counterec.core.interactions",
        "counterec.pipeline.training_record",
    ),
)
