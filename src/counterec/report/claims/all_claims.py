"""All claims of the paper, judged on one experiment."""

from __future__ import annotations

from counterec.report.claims.claim import Claim
from counterec.report.claims.explanation_claims import claims_on_explanations
from counterec.report.claims.method_claims import claims_on_methods
from counterec.report.claims.sweep_claims import claims_on_alpha, claims_on_lambda
from counterec.report.experiment_rows import ExperimentRows


def all_claims(experiment: ExperimentRows) -> list[Claim]:
    """Every claim of the paper's Section 6."""
    return [
        *claims_on_methods(experiment),
        *claims_on_explanations(experiment),
        *claims_on_lambda(experiment.sweep),
        *claims_on_alpha(experiment.sweep),
    ]
