"""Coverage by hand."""

from __future__ import annotations

import numpy as np

from counterec.core.evaluation.quality import coverage


def test_coverage_by_hand():
    assert coverage(np.array([[1, 0, 0, 0], [1, 0, 1, 0]], dtype=bool)) == 0.5
    assert coverage(np.ones((1, 3), dtype=bool)) == 1
    assert coverage(np.zeros((0, 3), dtype=bool)) == 0
