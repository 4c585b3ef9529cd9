"""The board for colour-blind users: squares differ, letters are readable, signs differ."""

from __future__ import annotations

import math
import re
from itertools import combinations, pairwise, product
from pathlib import Path

import pytest
from django.conf import settings
from django.utils import translation

from engine.board.premiums import Premium
from referee.pdf.drawing.premium_signs import premium_sign

ROOT = Path(__file__).resolve().parents[3]
TOKENS = (ROOT / "referee/static/common/tokens.css").read_text()
STYLES = (ROOT / "referee/static/common/board.css").read_text()
Colour = tuple[float, float, float]

# Simulation of colour blindness; linear light (Machado, Oliveira and Fernandes 2009, severity 1).
SIGHTS = {
    "usual": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
THEMES = {"light": r":root \{", "dark": r":root:not\(\.light\) \{", "wall": r":root\.dark \{"}
SQUARES = ("square", "dl", "tl", "dw", "tw")
TILES = ("tile", "tile-new")
LETTERS = [
    ("tile-ink", "tile"),
    ("tile-ink", "tile-new"),
    ("tile-blank", "tile"),
    ("tile-blank", "tile-new"),
    ("ghost-ink", "ghost"),
    ("premium-ink", "square"),
    ("premium-ink", "dl"),
    ("premium-ink", "dw"),
    ("premium-strong", "tl"),
    ("premium-strong", "tw"),
    ("accent-ink", "accent"),
]
# CIE76; about 2.3 is the least visible difference of touching colours. A tile also has an edge, a shadow and a letter.
LEAST_APART, LEAST_OF_TILES = 9.0, 4.5


def colours(theme: str) -> dict[str, Colour]:
    """The tokens of a theme in linear light; dark themes extend the light one."""
    found: dict[str, str] = {}
    for name in ("light", theme):
        block = re.search(rf"^\s*{THEMES[name]}(.*?)\}}", TOKENS, re.DOTALL | re.MULTILINE)
        assert block is not None
        found |= dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", block[1]))
    return {name: linear(text) for name, text in found.items()}


def linear(text: str) -> Colour:
    parts = [int(text[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return red, green, blue


def seen(colour: Colour, sight: str) -> Colour:
    red, green, blue = (sum(a * b for a, b in zip(row, colour, strict=True)) for row in SIGHTS[sight])
    return tuple(min(1.0, max(0.0, part)) for part in (red, green, blue))  # type: ignore[return-value]


def lab(colour: Colour) -> Colour:
    red, green, blue = colour
    x = (0.4124564 * red + 0.3575761 * green + 0.1804375 * blue) / 0.95047
    y = luminance(colour)
    z = (0.0193339 * red + 0.1191920 * green + 0.9503041 * blue) / 1.08883
    a, b, c = (t ** (1 / 3) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116 for t in (x, y, z))
    return 116 * b - 16, 500 * (a - b), 200 * (b - c)


def luminance(colour: Colour) -> float:
    return 0.2126729 * colour[0] + 0.7151522 * colour[1] + 0.0721750 * colour[2]


def contrast(one: Colour, other: Colour) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize(("theme", "sight"), list(product(THEMES, SIGHTS)))
def test_squares_and_tiles_stay_apart_whatever_cones_are_lacking(theme: str, sight: str) -> None:
    shades = {name: lab(seen(colours(theme)[name], sight)) for name in SQUARES + TILES}
    apart = {(one, other): math.dist(shades[one], shades[other]) for one, other in combinations(SQUARES + TILES, 2)}
    too_near = {
        pair: round(far, 1)
        for pair, far in apart.items()
        if far < (LEAST_OF_TILES if set(pair) & set(TILES) else LEAST_APART)
    }
    assert too_near == {}


@pytest.mark.parametrize(("theme", "sight"), list(product(THEMES, SIGHTS)))
def test_letters_and_signs_are_readable_on_what_they_stand_on(theme: str, sight: str) -> None:
    shades = {name: seen(colour, sight) for name, colour in colours(theme).items()}
    ratios = {(ink, ground): contrast(shades[ink], shades[ground]) for ink, ground in LETTERS}
    assert {pair: round(ratio, 2) for pair, ratio in ratios.items() if ratio < 4.5} == {}


@pytest.mark.parametrize("language", [code for code, _name in settings.LANGUAGES])
def test_each_premium_has_a_sign_of_its_own_in_every_language(language: str) -> None:
    with translation.override(language):
        signs = [premium_sign(Premium(*value), 0, 0) for value in ((2, 1), (3, 1), (1, 2), (1, 3))]
    assert all(signs)
    assert all(one != other for one, other in pairwise(sorted(signs)))


def test_signs_of_squares_keep_a_frame_where_the_system_takes_all_colours() -> None:
    forced = STYLES.partition("@media (forced-colors: active)")[2]
    assert re.search(r"\.board \.face, \.tile > \.face \{[^}]*border: 1px solid CanvasText", forced)
