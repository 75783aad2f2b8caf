"""The cross-entropy of a batch and its gradients, layer by layer.

What automatic differentiation would compute, by the same products in the same order, so that the numbers are the same.
Every layer lies in room that is kept from one batch to the next: allocating it, and keeping track of what to
differentiate, cost a third of a step.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

from counterec.core.scorers.net_in_training import NetInTraining


class CrossEntropyStep:
    """The mean of −log σ(s) over the positives and of −log(1 − σ(s)) over the negatives of a batch (Eq. 5).

    With the input [X_i, Y_j] of a sample, h1 = relu(W_x·X_i + b1 + W_y·Y_j), h2 = relu(W2·h1 + b2), s = w3·h2 + b3,
    and N samples, the gradients are, from the last layer to the first,

        g3 = (σ(s) − label) / N,  g2 = (g3·w3) where h2 > 0,  g1 = (g2·W2) where h1 > 0,

    and of each layer's weights the products of its gradient with its input. The user of a positive is met by all its
    items: its share of g1 is their sum.
    """

    def __init__(self, net: NetInTraining, pairs: int, items: int) -> None:
        """Room for batches of at most ``pairs`` positives with ``items`` items each, the positive one first."""
        self._net, self._items = net, items
        aspects, (first, second) = net.attention.shape[1], (len(net.hidden1.bias), len(net.hidden2.bias))
        rows, new = pairs * items, net.hidden1.weight.new_empty
        self._attention, self._quality = new(pairs, aspects), new(rows, aspects)
        self._share, self._first, self._second = new(pairs, first), new(rows, first), new(rows, second)
        self._share_gradient = new(pairs, first)
        self._first_gradient, self._second_gradient = new(rows, first), new(rows, second)
        self._weight_gradient = new(2 * aspects, first)
        self._labels = new(pairs, items).zero_()
        self._labels[:, 0] = 1

    @torch.no_grad()
    def __call__(self, users: Tensor, items: Tensor, are_samples: Tensor | None) -> float:
        """The loss of users [P] with the items of each [P, n]; the gradients are left at the net's weights.

        ``are_samples`` [P, n] says which count; None if all do.
        """
        logits = self._logits(users, items.flatten())
        labels = self._labels[: len(users)].view(-1)
        chosen = None if are_samples is None else are_samples.flatten()
        if chosen is not None:
            labels = labels[chosen]
        counted = logits if chosen is None else logits[chosen]
        loss = functional.binary_cross_entropy_with_logits(counted, labels)
        gradient = counted.sigmoid().sub_(labels).div_(len(labels))
        if chosen is not None:
            gradient = torch.zeros_like(logits).masked_scatter_(chosen, gradient)
        self._leave_gradients(gradient[:, None])
        return float(loss)

    def _logits(self, users: Tensor, items: Tensor) -> Tensor:
        """s [P·n]; both hidden layers stay in their rooms."""
        net, pairs, rows = self._net, len(users), len(items)
        of_user, of_item = net.first_weights()
        attention = torch.index_select(net.attention, 0, users, out=self._attention[:pairs])
        quality = torch.index_select(net.quality, 0, items, out=self._quality[:rows])
        share = torch.addmm(net.hidden1.bias, attention, of_user.t(), out=self._share[:pairs])
        first = torch.mm(quality, of_item.t(), out=self._first[:rows])
        first.view(pairs, self._items, -1).add_(share[:, None, :])
        torch.relu_(first)
        second = torch.addmm(net.hidden2.bias, first, net.hidden2.weight.t(), out=self._second[:rows])
        return torch.addmm(net.output.bias, torch.relu_(second), net.output.weight.t()).view(-1)

    def _leave_gradients(self, output: Tensor) -> None:
        """From g3 [P·n, 1], the gradients of all weights."""
        net, rows, pairs = self._net, len(output), len(output) // self._items
        first, second = self._first[:rows], self._second[:rows]
        _leave(net.output, output, second)
        below = _where_active(torch.mm(output, net.output.weight, out=self._second_gradient[:rows]), second)
        _leave(net.hidden2, below, first)
        below = _where_active(torch.mm(below, net.hidden2.weight, out=self._first_gradient[:rows]), first)
        share = self._share_gradient[:pairs]
        torch.sum(below.view(pairs, self._items, -1), dim=1, out=share)
        torch.sum(share, dim=0, out=_gradient(net.hidden1.bias))
        of_user, of_item = self._weight_gradient.chunk(2)
        torch.mm(self._attention[:pairs].t(), share, out=of_user)
        torch.mm(self._quality[:rows].t(), below, out=of_item)
        _gradient(net.hidden1.weight).copy_(self._weight_gradient.t())


def _leave(layer: torch.nn.Linear, gradient: Tensor, inputs: Tensor) -> None:
    """The gradients of a layer's weights, from that of its output and from its input."""
    torch.sum(gradient, dim=0, out=_gradient(layer.bias))
    torch.mm(gradient.t(), inputs, out=_gradient(layer.weight))


def _where_active(gradient: Tensor, activation: Tensor) -> Tensor:
    """The gradient, in its place, where the unit is above 0, and 0 elsewhere."""
    return torch.ops.aten.threshold_backward.grad_input(gradient, activation, 0, grad_input=gradient)


def _gradient(weight: Tensor) -> Tensor:
    """Where the optimiser looks for the gradient of a weight."""
    if weight.grad is None:
        weight.grad = torch.zeros_like(weight)
    return weight.grad
