"""A panel: wide statistics in, long rows out."""

from sudare.synthesis.panel.long import long_marginals
from sudare.synthesis.panel.model import PanelModel, fit_panel

__all__ = ["PanelModel", "fit_panel", "long_marginals"]
