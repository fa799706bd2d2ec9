"""How every chart looks. Colours are the page's CSS variables with a fallback, so one picture
serves light, dark and paper. Texts stand beside a chart, not in it, so one picture serves both
languages."""

from __future__ import annotations

WIDTH = 440
INK = "var(--ink, #1c2329)"
MUTED = "var(--muted, #8a9299)"
GRID = "var(--grid, #dfe3e6)"
BAR = "var(--bar, #2f7f93)"
OTHER = "var(--other, #b5651d)"
CARD = "var(--card, #ffffff)"


def greyed(color: str, is_noise: bool) -> str:
    """The colour, or grey where the number is noise."""
    return MUTED if is_noise else color
