"""The panels of the page, in the order of the navigation."""

from __future__ import annotations

from counterec.service.page.case_panel import case_panel
from counterec.service.page.contrast_panel import contrast_panel
from counterec.service.page.model_panel import model_panel
from counterec.service.page.panel import Panel
from counterec.service.page.seller_panel import seller_panel

PANELS = (
    Panel("/", "Why?", case_panel),
    Panel("/why-not", "Why not?", contrast_panel),
    Panel("/model", "The model", model_panel),
    Panel("/seller", "For a seller", seller_panel),
)
