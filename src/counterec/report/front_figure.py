"""The front of a hybrid as a figure: what each weight of the collaborative part brings, and what it costs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from counterec.pipeline import layout
from counterec.pipeline.config import RunConfig
from counterec.pipeline.models import has_front
from counterec.pipeline.stage import Stage, StageContext
from counterec.report.drawing import DRAWING, can_draw

NAME = "front"
FILES = (f"{layout.FIGURES}{NAME}.svg", f"{layout.FIGURES}{NAME}.png")


def front_figure_stages(config: RunConfig) -> list[Stage]:
    """The stage that draws the front, where there is one and Altair is installed."""
    return [_stage(config)] if has_front(config.model.kind, config.split.validation) and can_draw() else []


def _stage(config: RunConfig) -> Stage:
    return Stage(
        name="front figure",
        config=config,
        settings=(),
        inputs=(layout.FRONT,),
        outputs=FILES,
        code=("counterec.report.front_chart", "counterec.report.chart_style", "counterec.report.drawing", *DRAWING),
        work=_draw,
    )


def _draw(context: StageContext) -> None:
    draw_front(context.folder.json(layout.FRONT), context.new(FILES[0]).parent)


def draw_front(front: dict[str, Any], folder: Path) -> list[str]:
    """Draw the front into a folder; return the names of the files."""
    from counterec.report.chart_style import save  # Altair is optional
    from counterec.report.front_chart import front_of_weights

    return save(front_of_weights(front), folder, NAME)
