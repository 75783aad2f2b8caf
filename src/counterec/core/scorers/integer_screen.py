"""A screen for two ReLU layers: every item's score for one user from products of bytes, and a bound above it.

The first layer of an item is a = relu(p + s), with the item's part p and the user's share s. Per unit, p lies between
two ends, which are divided into 255 steps. With the threshold t = −s moved between the ends,

    relu(p + s) = max(p, t) − t + relu(lowest p + s),

so that one maximum of bytes makes a user's first layer, and one product with the second layer's weights, rounded to
bytes as well, the second. A product of whole numbers is exact, whatever the batch. What is left is bounded:

    score ≤ approximate score + Σ_j (missed_j · G_j + a_j · R_j) + rounding of single precision.

``missed`` is how far p and t lie from their steps. G_j is the most by which the score can rise with unit j: a ReLU
passes on between none and all of a change, so that it is the sum of the unit's positive effects, or of the negative
ones if p lies below its step. R_j is the same for what rounding the weights changes. Both terms are sums of a part of
the item, computed once, and a part of the user, since relu(p − t) ≤ relu(p) + relu(−t).

A screen never decides: it says which items need not be scored.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import torch
from torch import Tensor

from counterec.core.arrays import row_chunks
from counterec.core.scorers.relu_layers import ReluLayers

ROWS_AT_ONCE = 1024
"""Items in one product: what it reads and writes stays in the processor's cache."""

STEPS, WEIGHT_STEPS = 255, 127
"""The steps of a byte without a sign, and with one."""

ROUNDING = 2.0**-22
"""Four times the rounding of one operation in single precision: the screen's own, and that of the scorer's passes."""


def is_fast(device: torch.device) -> bool:
    """Whether bytes are multiplied quickly and exactly: without instructions for it, the plain pass is faster."""
    supported = getattr(torch.cpu, "_is_vnni_supported", None)
    return device.type == "cpu" and supported is not None and bool(supported()) and multiplies_bytes()


@cache
def multiplies_bytes() -> bool:
    """Whether this PyTorch multiplies bytes without a sign by bytes with one, and exactly: not every version does."""
    most, least = torch.full((1, 64), STEPS, dtype=torch.uint8), torch.full((64, 1), -WEIGHT_STEPS, dtype=torch.int8)
    try:
        product = torch._int_mm(most, least)
    except (AttributeError, RuntimeError):
        return False
    return int(product) == -64 * STEPS * WEIGHT_STEPS


@dataclass(frozen=True)
class Screened:
    """Per block and item [m, rows]: what the block adds to the score, about, and by how much it may add more."""

    adds: Tensor
    more: Tensor


class IntegerScreen:
    """The screen of a scorer of m blocks for the items whose part of the first layer is ``part`` [rows, m·first].

    ``most`` [m·first] is about the largest share of any user: parts below its negative never count.
    """

    @torch.inference_mode()
    def __init__(self, layers: ReluLayers, part: Tensor, most: Tensor) -> None:
        units = zip(part.chunk(layers.blocks, dim=1), most.chunk(layers.blocks), strict=True)
        weights = zip(layers.hidden, layers.hidden_bias, layers.output, strict=True)
        self._blocks = [_Block(*own, *of_block) for own, of_block in zip(units, weights, strict=True)]
        self.slopes: Tensor = torch.stack([block.slopes for block in self._blocks])
        """Σ_k |o_k|·|H_jk| of every unit of the first layer [m, first]: the score changes with it by no more."""

    @torch.inference_mode()
    def of_user(self, share: Tensor) -> Screened:
        """Screen all items for the user with this share [m·first] of the first layer."""
        shares = share.double().chunk(len(self._blocks))
        found = [block.of_user(own) for block, own in zip(self._blocks, shares, strict=True)]
        return Screened(*(torch.stack(parts) for parts in zip(*found, strict=True)))


class _Block:
    """One net without its last bias: relu(relu(p + s)·H + b)·o."""

    def __init__(self, part: Tensor, most: Tensor, hidden: Tensor, bias: Tensor, output: Tensor) -> None:
        self._hidden, self._bias, self._output = hidden.double(), bias.double(), output.double()
        self._most = most.double()
        self._low = torch.maximum(part.min(dim=0).values.double(), -self._most)
        self._high = torch.maximum(part.max(dim=0).values.double(), self._low)
        span = self._high - self._low
        self._step = torch.where(span > 0, span / STEPS, 1.0)
        scaled = (span / STEPS)[:, None] * self._hidden
        largest = scaled.abs().amax(dim=0)
        self._unit = torch.where(largest > 0, largest / WEIGHT_STEPS, 1.0)
        self._whole = (scaled / self._unit).round_()
        self._weights, self._scale = self._whole.to(torch.int8), self._output * self._unit
        effects = self._output * self._hidden
        self._rises, self._falls = effects.clamp(min=0).sum(dim=1), -effects.clamp(max=0).sum(dim=1)
        self.slopes: Tensor = self._rises + self._falls
        self._rounding = ROUNDING * (sum(hidden.shape) + 32)
        off = (self._output * (scaled - self._whole * self._unit)).clamp(min=0).sum(dim=1) / self._step
        self._per_unit = off + self._rounding * self.slopes
        self._always = self._rounding * (2 * span @ self.slopes + self._output.abs() @ self._bias.abs())
        self._items, self._item_more = self._on_grid(part)
        # Room for one chunk, which every chunk overwrites: allocating it would cost as much as the product.
        rows, (units, second) = min(len(part), ROWS_AT_ONCE), hidden.shape
        self._first = torch.empty((rows, units), dtype=torch.uint8)
        self._sums, self._second = torch.empty((rows, second), dtype=torch.int32), torch.empty((rows, second))

    def _on_grid(self, part: Tensor) -> tuple[Tensor, Tensor]:
        """The items' part in steps, and what the items themselves add to the bound."""
        items, more = torch.empty(part.shape, dtype=torch.uint8), torch.empty(len(part), dtype=torch.float64)
        for rows in row_chunks(len(part), ROWS_AT_ONCE):
            exact = torch.maximum(part[rows].double(), self._low)
            steps = ((exact - self._low) / self._step).round_()
            near = self._low + self._step * steps
            items[rows] = steps
            more[rows] = self._missed(exact - near) + near.relu() @ self._per_unit
        return items, more

    def _missed(self, missed: Tensor) -> Tensor:
        """By how much the score may rise if any of these changes [.., first] of the first layer come about."""
        return missed.clamp(min=0) @ self._rises - missed.clamp(max=0) @ self._falls

    def of_user(self, share: Tensor) -> tuple[Tensor, Tensor]:
        """What the block adds to every item's score, and the most that it may add beyond that."""
        beyond = share - torch.minimum(share, self._most)
        share = share - beyond
        threshold = torch.clamp(-share, self._low, self._high)
        place = ((threshold - self._low) / self._step).round_()
        near = self._low + self._step * place
        at_least = (self._low + share).relu()
        bias = self._bias + at_least @ self._hidden
        least = place @ self._whole - bias / self._unit  # the sums at which the second layer's input is 0
        adds = self._products(place.to(torch.uint8), least.float()).double() - self._scale @ least
        more = self._missed(near - threshold) + (-near).relu() @ self._per_unit + beyond @ self._rises
        more += self._always + self._rounding * (at_least @ self.slopes + self._output.abs() @ bias.abs())
        return adds, self._item_more + more

    def _products(self, place: Tensor, least: Tensor) -> Tensor:
        """Σ_k o_k · unit_k · max(sum_k, least_k) for every item."""
        scores, scale = torch.empty(len(self._items)), self._scale.float()
        first, sums, second = self._first, self._sums, self._second
        for items, out in zip(self._items.split(ROWS_AT_ONCE), scores.split(ROWS_AT_ONCE), strict=True):
            if len(items) < len(first):
                first, sums, second = (room[: len(items)] for room in (first, sums, second))
            torch.maximum(items, place, out=first)
            torch._int_mm(first, self._weights, out=sums)
            second.copy_(sums)
            torch.maximum(second, least, out=second)
            torch.mv(second, scale, out=out)
        return scores
