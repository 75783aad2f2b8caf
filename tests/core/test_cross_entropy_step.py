"""The gradients of a step are those of automatic differentiation, to the last bit."""

import numpy as np
import pytest
import torch
from tests.worlds import vocabulary
from torch import Tensor
from torch.nn import functional

from counterec.core.scale import AspectScale
from counterec.core.scorers.cross_entropy_step import CrossEntropyStep
from counterec.core.scorers.net_in_training import NetInTraining
from counterec.core.space import AspectSpace

USERS, ITEMS = 40, 70


def random_net(aspects: int, hidden: tuple[int, int]) -> NetInTraining:
    random = np.random.default_rng(aspects)
    space = AspectSpace(
        users=vocabulary("user", USERS),
        items=vocabulary("item", ITEMS),
        aspects=vocabulary("aspect", aspects),
        user_attention=random.uniform(0, 5, (USERS, aspects)) * (random.random((USERS, aspects)) < 0.3),
        item_quality=random.uniform(1, 5, (ITEMS, aspects)) * (random.random((ITEMS, aspects)) < 0.3),
        scale=AspectScale.of_reviews(aspects),
    )
    return NetInTraining(space, hidden, seed=1)


def differentiated(net: NetInTraining, users: Tensor, items: Tensor, are_samples: Tensor) -> tuple[float, list[Tensor]]:
    """The loss and the gradients of all weights, by automatic differentiation of the plain formula."""
    aspects = net.attention.shape[1]
    weight, bias = net.hidden1.weight, net.hidden1.bias
    of_users = functional.linear(net.attention[users], weight[:, :aspects], bias)
    of_items = functional.linear(net.quality[items.flatten()], weight[:, aspects:]).view(*items.shape, -1)
    first = torch.relu_(of_items + of_users[:, None, :]).flatten(0, 1)
    logits = net.output(torch.relu_(net.hidden2(first))).view(items.shape)
    labels = torch.zeros_like(logits)
    labels[:, 0] = 1
    loss = functional.binary_cross_entropy_with_logits(logits[are_samples], labels[are_samples])
    return float(loss.detach()), list(torch.autograd.grad(loss, list(net.parameters())))


@pytest.mark.parametrize(("aspects", "hidden"), [(30, (64, 32)), (7, (33, 5)), (1, (1, 1))])
@pytest.mark.parametrize("everything_counts", [True, False])
def test_the_gradients_are_those_of_automatic_differentiation(aspects, hidden, everything_counts):
    net, random = random_net(aspects, hidden), torch.Generator().manual_seed(3)
    step = CrossEntropyStep(net, pairs=24, items=5)
    for pairs in (24, 24, 11):  # the room is used again, and by a batch that does not fill it
        users = torch.randint(USERS, (pairs,), generator=random)
        items = torch.randint(ITEMS, (pairs, 5), generator=random)
        counted = torch.ones(items.shape, dtype=torch.bool)
        if not everything_counts:
            counted[::4, 1:] = False
        loss = step(users, items, None if everything_counts else counted)
        expected, gradients = differentiated(net, users, items, counted)
        assert loss == expected
        for weight, gradient in zip(net.parameters(), gradients, strict=True):
            assert torch.equal(weight.grad, gradient)
