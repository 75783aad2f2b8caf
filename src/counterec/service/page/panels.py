"""The panels of the page, in the order of the navigation."""

from __future__ import annotations

from counterec.service.page.case_panel import case_panel
from counterec.service.page.model_panel import model_panel
from counterec.service.page.panel import Panel

PANELS = (
    Panel("/", "Why this?", case_panel),
    Panel("/model", "The model", model_panel),
)
