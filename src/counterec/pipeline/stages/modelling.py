"""Aspect space → recommender → lists."""

from __future__ import annotations

import numpy as np

from counterec.core.candidates import Candidates, sampled_candidates
from counterec.core.scorers.net import AspectNet
from counterec.core.scorers.ranking import rank
from counterec.core.scorers.training import EpochReport, Training, train
from counterec.pipeline import serialization
from counterec.pipeline.config import RunConfig
from counterec.pipeline.engine import Stage, StageContext
from counterec.pipeline.stages.inputs import candidates_of, depth, parts, ranking_inputs, space_of


def fit_stage(config: RunConfig, device: str) -> Stage:
    """Aspect space and training part → the recommender."""

    def work(context: StageContext) -> None:
        outcome = _trained(config, context, config.seed, device)
        serialization.save_net(
            outcome.weights, context.new(serialization.MODEL), context.new(serialization.ARCHITECTURE)
        )
        best = outcome.history[outcome.best_epoch - 1]
        context.counts |= {"epochs": len(outcome.history), "best_epoch": best.epoch, "loss": best.loss}
        context.counts["validation_ndcg"] = best.validation_ndcg

    inputs, outputs = (
        (serialization.ASPECTS, serialization.VOCABULARY, serialization.SPLIT),
        (serialization.MODEL, serialization.ARCHITECTURE),
    )
    return Stage("fit", inputs, outputs, [vars(config.training), config.seed], work)


def fit_again_stage(config: RunConfig, device: str) -> Stage:
    """The same training from another seed: a net that explanations were not selected on."""

    def work(context: StageContext) -> None:
        serialization.save_weights(
            _trained(config, context, config.seed + 1, device).weights, context.new(serialization.MODEL_AGAIN)
        )

    inputs = (serialization.ASPECTS, serialization.VOCABULARY, serialization.SPLIT)
    return Stage("fit again", inputs, (serialization.MODEL_AGAIN,), [vars(config.training), config.seed + 1], work)


def _trained(config: RunConfig, context: StageContext, seed: int, device: str) -> Training:
    space, split = space_of(context), parts(context)
    context.reporter.total(config.training.epochs, "epochs")

    def progress(_: EpochReport) -> None:
        context.reporter.advance(1)

    return train(space, split["train"], split["validation"], config.training, seed, device, progress)


def candidates_stage(config: RunConfig) -> Stage:
    """Protocol *sampled*: who competes for each user's list, drawn by the seed."""

    def work(context: StageContext) -> None:
        space, split = space_of(context), parts(context)
        touched = split["train"].joined(split["validation"])
        drawn = sampled_candidates(split["test"], touched, space.users.texts, config.seed, config.lists.negatives)
        serialization.write_table(serialization.candidates_table(drawn, space), context.new(serialization.CANDIDATES))
        short = _short(drawn, config)
        context.counts |= {"candidates": len(drawn.listed), "users_short_of_negatives": short}
        if short:
            wanted, users = config.lists.negatives, len(space.users)
            context.warn(
                f"{short:,} of {users:,} users have fewer than {wanted} items to sample, and get all they have"
            )

    inputs, outputs = (
        (serialization.ASPECTS, serialization.VOCABULARY, serialization.SPLIT),
        (serialization.CANDIDATES,),
    )
    return Stage("candidates", inputs, outputs, [config.lists.negatives, config.seed], work)


def _short(drawn: Candidates, config: RunConfig) -> int:
    """How many users had too few untouched items to draw all negatives from."""
    wanted = config.split.held_out + config.lists.negatives
    return int((np.diff(drawn.starts) < wanted).sum())


def rank_stage(config: RunConfig, device: str) -> Stage:
    """Recommender and candidates → the first K+1 of every user."""

    def work(context: StageContext) -> None:
        space = space_of(context)
        context.reporter.total(len(space.users), "users")
        net = AspectNet(serialization.load_net(context.path(serialization.MODEL)), device)
        candidates, k = candidates_of(config, context, space), config.lists.k
        ranking = rank(net, space, candidates, depth(k), progress=context.reporter.advance)
        serialization.write_table(
            serialization.recommendations_table(ranking.shortened(k), space), context.new(serialization.RECOMMENDATIONS)
        )
        serialization.save_heads(ranking, context.new(serialization.HEADS))

    lists = config.lists
    outputs = (serialization.RECOMMENDATIONS, serialization.HEADS)
    return Stage("rank", ranking_inputs(config), outputs, [lists.k, lists.protocol], work)
