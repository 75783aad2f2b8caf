"""Aspect space → recommender → lists."""

from __future__ import annotations

import numpy as np

from counterec.core.interactions import sampled_candidates
from counterec.core.scorers.aspect_net import AspectNet
from counterec.core.scorers.ranking import rank
from counterec.core.scorers.training import EpochReport, Training, train
from counterec.core.space import Candidates
from counterec.pipeline import store
from counterec.pipeline.config import RunConfig
from counterec.pipeline.engine import Desk, Stage
from counterec.pipeline.stages.inputs import candidates_of, depth, parts, ranking_inputs, space_of


def fit_stage(config: RunConfig, device: str) -> Stage:
    """Aspect space and training part → the recommender."""

    def work(desk: Desk) -> None:
        outcome = _trained(config, desk, config.seed, device)
        store.save_net(outcome.weights, desk.new(store.MODEL), desk.new(store.ARCHITECTURE))
        best = outcome.history[outcome.best_epoch - 1]
        desk.counts |= {"epochs": len(outcome.history), "best_epoch": best.epoch, "loss": best.loss}
        desk.counts["validation_ndcg"] = best.validation_ndcg

    inputs, outputs = (store.ASPECTS, store.VOCABULARY, store.SPLIT), (store.MODEL, store.ARCHITECTURE)
    return Stage("fit", inputs, outputs, [vars(config.training), config.seed], work)


def fit_again_stage(config: RunConfig, device: str) -> Stage:
    """The same training from another seed: a net that explanations were not selected on."""

    def work(desk: Desk) -> None:
        store.save_weights(_trained(config, desk, config.seed + 1, device).weights, desk.new(store.MODEL_AGAIN))

    inputs = (store.ASPECTS, store.VOCABULARY, store.SPLIT)
    return Stage("fit again", inputs, (store.MODEL_AGAIN,), [vars(config.training), config.seed + 1], work)


def _trained(config: RunConfig, desk: Desk, seed: int, device: str) -> Training:
    space, split = space_of(desk), parts(desk)
    desk.reporter.total(config.training.epochs, "epochs")

    def progress(_: EpochReport) -> None:
        desk.reporter.advance(1)

    return train(space, split["train"], split["validation"], config.training, seed, device, progress)


def candidates_stage(config: RunConfig) -> Stage:
    """Protocol *sampled*: who competes for each user's list, drawn by the seed."""

    def work(desk: Desk) -> None:
        space, split = space_of(desk), parts(desk)
        touched = split["train"].joined(split["validation"])
        drawn = sampled_candidates(split["test"], touched, space.users.texts, config.seed, config.lists.negatives)
        store.write_table(store.candidates_table(drawn, space), desk.new(store.CANDIDATES))
        short = _short(drawn, config)
        desk.counts |= {"candidates": len(drawn.listed), "users_short_of_negatives": short}
        if short:
            wanted, users = config.lists.negatives, len(space.users)
            desk.warn(f"{short:,} of {users:,} users have fewer than {wanted} items to sample, and get all they have")

    inputs, outputs = (store.ASPECTS, store.VOCABULARY, store.SPLIT), (store.CANDIDATES,)
    return Stage("candidates", inputs, outputs, [config.lists.negatives, config.seed], work)


def _short(drawn: Candidates, config: RunConfig) -> int:
    """How many users had too few untouched items to draw all negatives from."""
    wanted = config.split.held_out + config.lists.negatives
    return int((np.diff(drawn.starts) < wanted).sum())


def rank_stage(config: RunConfig, device: str) -> Stage:
    """Recommender and candidates → the first K+1 of every user."""

    def work(desk: Desk) -> None:
        space = space_of(desk)
        desk.reporter.total(len(space.users), "users")
        net = AspectNet(store.load_net(desk.path(store.MODEL)), device)
        candidates, k = candidates_of(config, desk, space), config.lists.k
        ranking = rank(net, space, candidates, depth(k), progress=desk.reporter.advance)
        store.write_table(store.recommendations_table(ranking.shortened(k), space), desk.new(store.RECOMMENDATIONS))
        store.save_heads(ranking, desk.new(store.HEADS))

    lists = config.lists
    outputs = (store.RECOMMENDATIONS, store.HEADS)
    return Stage("rank", ranking_inputs(config), outputs, [lists.k, lists.protocol], work)
