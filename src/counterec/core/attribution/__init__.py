"""Attributions: the common methods for the same black box, a weight per aspect instead of a change that flips."""

from __future__ import annotations

from counterec.core.attribution.gradient import Gradient
from counterec.core.attribution.lime import Lime
from counterec.core.attribution.protocol import Attribution
from counterec.core.attribution.random import Random
from counterec.core.attribution.shapley import Shapley

ATTRIBUTIONS: dict[str, Attribution] = {method.name: method for method in (Random(), Gradient(), Shapley(), Lime())}
"""Every attribution by name, with the settings it is measured with."""
