"""Colours of charts on paper, and on a page whose style sheet has not loaded.

Blue and orange are distinguishable with every kind of colour vision and, hatched, in black and white. charts.css has
the colours of light and dark pages.
"""

from __future__ import annotations

from collections.abc import Mapping

from referee.charts.shapes import Ink

ON_PAPER: Mapping[Ink, str] = {
    Ink.INK: "#1b2024",
    Ink.QUIET: "#565f68",
    Ink.RULE: "#d9d5c9",
    Ink.BAR: "#2f7aa6",
    Ink.TOP: "#b45309",
    Ink.MEAN: "#6b7280",
    Ink.HEAT_0: "#ffffff",
    Ink.HEAT_1: "#e3eff6",
    Ink.HEAT_2: "#bcd9ea",
    Ink.HEAT_3: "#86b9d6",
    Ink.HEAT_4: "#3f86b0",
    Ink.HEAT_5: "#174f73",
    Ink.ON_HEAT: "#ffffff",
    Ink.ACCENT: "#0b6e4f",
    Ink.WIN: "#ffd45e",
    Ink.WIN_EDGE: "#7a5200",
}
