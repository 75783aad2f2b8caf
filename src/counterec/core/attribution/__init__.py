"""Attributions: what people would try on the same black box, a weight per aspect in place of a change that flips."""

from __future__ import annotations

from counterec.core.attribution.gradient import Gradient
from counterec.core.attribution.lime import Lime
from counterec.core.attribution.protocol import Attribution
from counterec.core.attribution.random import Random
from counterec.core.attribution.shapley import Shapley

ATTRIBUTIONS: dict[str, Attribution] = {way.name: way for way in (Random(), Gradient(), Shapley(), Lime())}
"""Every attribution by its name, as it is measured."""
