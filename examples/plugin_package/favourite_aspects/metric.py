"""The metric *familiarity*: how much of what is named does the user talk about?"""

import numpy as np

from counterec.experiment.plugged_metrics import MeasuredPairs


def familiarity(pairs: MeasuredPairs) -> np.ndarray:
    """The share of the named aspects that the user has mentioned, for each pair."""
    mentioned = pairs.space.user_attention[pairs.named.users] > 0
    return (pairs.named.named & mentioned).sum(axis=1) / pairs.named.named.sum(axis=1)
