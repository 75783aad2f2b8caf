"""Attributions: what people would try on the same black box, a weight per aspect in place of a change that flips."""

from __future__ import annotations

from counterec.core.explainers.attribution.gradient import Gradient
from counterec.core.explainers.attribution.lime import Lime
from counterec.core.explainers.attribution.protocol import Attribution
from counterec.core.explainers.attribution.random import Random
from counterec.core.explainers.attribution.shapley import Shapley

ATTRIBUTIONS: dict[str, Attribution] = {way.name: way for way in (Random(), Gradient(), Shapley(), Lime())}
"""Every attribution by its name, as it is measured."""
