"""Positions, and verdicts as plain JSON, for the tests of judging."""

from __future__ import annotations

from typing import Any

import pytest

from engine.judging.placement import Position
from engine.judging.verdict import judge_slip
from engine.rules.profile import Profile
from engine.slips.slip import Slip
from tests.engine.judging.positions import BOX, CLUB, FISE, FISF, FR, RO, WORDS, position, slip, words

EMPTY = position("CORNOAE", turn=1)
"""Nothing lies; CORNO at 8D is worth 22."""
CORNO = position("SARETIO", "8D CORNO")
"""CORNO lies from D8 to H8, the star under its last letter."""
NO_R = position("SA?ETIE", "8D CORNO")
"""ORA down from H8 needs the blank for R: 2 points."""
PUBLIERA = position("PULIERA", "3A BAS", edition=FR)
"""B lies on A3; PUBLIERA from A1 across both red squares is worth 167, as in the printed example of FISF 5.3.1."""


def verdict(
    profile: Profile, at: Position, written: Slip | str, *, prior: int = 0, blitz: bool = False, more: str = ""
) -> dict[str, Any]:
    """The verdict as JSON, but for its text and the source of the rule."""
    edition = at.board.edition
    given = slip(written) if isinstance(written, str) else written
    listed = words(edition, "PUBLIERA PUBLIE PUB LIRE BAS IRA" if edition is FR else f"{WORDS} {more}")
    judged = judge_slip(given, at, profile, listed, prior_warnings=prior, blitz=blitz).as_json()
    del judged["text"], judged["rule"]
    return judged


def zero(reason: str, *, move_score: int | None = None, word: str | None = None) -> dict[str, Any]:
    return {"result": "zero", "reason": reason, "points": 0, "move_score": move_score, "word": word} | {
        "warnings": [],
        "penalty": 0,
        "bonus": 0,
    }


def valid(points: int, *warnings: str, penalty: int = 0, rescue: str | None = None) -> dict[str, Any]:
    return {"result": "rescued" if rescue else "valid", "reason": rescue, "points": points} | {
        "move_score": points + penalty,
        "warnings": list(warnings),
        "penalty": penalty,
        "bonus": 0,
        "word": None,
    }


EVERY = [BOX, CLUB, FISF, FISE, RO]
each_profile = pytest.mark.parametrize("profile", EVERY, ids=["it-box", "club", "fisf", "fise", "ro"])
