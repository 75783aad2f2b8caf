"""What drives a model overall: from the stored answers of a run to small tables, and the cases behind each number.

``cases_of`` makes one row per recommendation; ``CaseFilter`` chooses among them; every other function counts them.
"""

from counterec.report.overview.case_filter import CaseFilter
from counterec.report.overview.cases import cases_of
from counterec.report.overview.cohorts import COHORTS, Cohorts
from counterec.report.overview.decisive_aspects import decisive_aspects
from counterec.report.overview.items_by_aspect import SIDES, Side, items_by_aspect
from counterec.report.overview.outcomes import Outcomes, outcomes, statuses

__all__ = [
    "COHORTS",
    "SIDES",
    "CaseFilter",
    "Cohorts",
    "Outcomes",
    "Side",
    "cases_of",
    "decisive_aspects",
    "items_by_aspect",
    "outcomes",
    "statuses",
]
