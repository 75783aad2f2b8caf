"""The words in a table that name a method, its mask, and a condition of transfer."""

from __future__ import annotations

from counterec.pipeline.experiment_settings import OWN_LISTS
from counterec.report.method_measures import MethodMeasures

METHOD_HEADINGS = ("aspects", "mask", "lists", "method")
"""The headings over ``method_label``."""
MASK_LABELS = {True: "with", False: "without"}
_CONDITION_LABELS = {"trained again": "retrained"}


def method_label(measures: MethodMeasures) -> tuple[str, ...]:
    """What stands before the numbers of a method."""
    lists = "their own" if measures.method in OWN_LISTS else "the model's"
    return measures.shape, MASK_LABELS[measures.masked], lists, measures.method


def condition_label(condition: str) -> str:
    """A condition on disk (``k=4``, ``trained again``) as a table shows it (``K=4``, ``retrained``)."""
    return _CONDITION_LABELS.get(condition, condition.replace("k=", "K="))
