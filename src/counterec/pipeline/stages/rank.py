"""Recommender and candidates → the first K+1 items of every user, and a longer beginning of every ranking.

Where rules decide the lists, these are theirs, and the rankings are by scores alone. Of a mean of several nets, the own
lists of these are kept as well: answers say in how many of them they hold.
"""

from __future__ import annotations

from counterec.core.explainers.tolerances import ROUNDING
from counterec.core.lists import Recommendations
from counterec.core.scorers.protocols import AveragedScorer
from counterec.core.scorers.ranking import member_lists_of, rank
from counterec.pipeline import layout
from counterec.pipeline.config import RunConfig
from counterec.pipeline.models import model_kind
from counterec.pipeline.serialization import recommendations_table, save_heads, write_table
from counterec.pipeline.stage import Stage, StageContext


def rank_stage(config: RunConfig) -> Stage:
    """Rank every user's candidates."""
    return Stage(
        name="rank",
        config=config,
        settings=("lists.k", "lists.protocol", *layout.ranker_settings(config.lists.rules)),
        inputs=layout.ranking_inputs(config.lists.protocol, config.lists.rules),
        outputs=(layout.RECOMMENDATIONS, layout.HEADS),
        code=(
            "counterec.core.scorers",
            "counterec.core.candidates",
            "counterec.core.rankers",
            *(("counterec.pipeline.rankers",) if config.lists.rules else ()),
            "counterec.core.explainers.tolerances",
            *model_kind(config.model.kind).all_code,
        ),
        work=_rank,
    )


def _rank(context: StageContext) -> None:
    folder, k = context.folder, context.config.lists.k
    members = len(folder.scorer.members) if isinstance(folder.scorer, AveragedScorer) else 0
    context.reporter.total((1 + members) * len(folder.space.users), "users")
    length = layout.head_length(k)
    ranking = rank(folder.scorer, folder.space, folder.candidates, length, progress=context.reporter.advance)
    _warn_of_indistinct_scores(context, ranking)
    lists, rules = ranking.shortened(k), folder.ranker
    if rules is not None:
        lists = rank(folder.scorer, folder.space, folder.candidates, k, ranker=rules)
    write_table(recommendations_table(lists, folder.space), context.new(layout.RECOMMENDATIONS))
    own = member_lists_of(folder.scorer, folder.space, folder.candidates, k, context.reporter.advance)
    save_heads(ranking, own, context.new(layout.HEADS))


def _warn_of_indistinct_scores(context: StageContext, ranking: Recommendations) -> None:
    """Say so where single precision cannot tell the scores of a user's candidates apart: the order is arbitrary."""
    several = ranking.items[:, 1] >= 0
    alike = int((several & (ranking.spread <= ROUNDING * ranking.largest)).sum())
    if alike:
        context.warn(
            f"the scores of all candidates are alike, as far as single precision can tell, for {alike:,} of "
            f"{len(ranking.users):,} users: the order of their lists means nothing, and no change can flip it"
        )
