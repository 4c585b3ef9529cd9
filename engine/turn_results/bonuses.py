"""Bonuses that need all slips of a turn: the only player with the top, or the only one with the best score where nobody
has the top."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import chain

from engine.judging.verdict import Verdict
from engine.rules.profile import Profile
from engine.turn_results.other_rooms import NO_OTHER_ROOMS, OtherRooms


def find_solo_table(verdicts: Mapping[int, Verdict], top: int, elsewhere: OtherRooms = NO_OTHER_ROOMS) -> int | None:
    """The table that alone found the top, None when nobody or several did, or somebody `elsewhere`. By the worth of the
    move on the board."""
    return _find_sole_table(verdicts, top, elsewhere) if top > 0 else None


def apply_bonuses(
    verdicts: Mapping[int, Verdict],
    top: int,
    profile: Profile,
    earlier: Mapping[int, int] | None = None,
    elsewhere: OtherRooms = NO_OTHER_ROOMS,
) -> dict[int, Verdict]:
    """The verdicts of a turn by table with their bonuses, which may lift a player above the top.

    `verdicts` of everybody who was registered, `earlier` the bonus points that tables have from earlier turns, for
    the cap of a game; `elsewhere` is what the players of other rooms had. Too few players for `solo_min_players`: no
    bonus. The bonus for the best score is given only where nobody found the top. Sources: FISF 3.5; Spanish federation
    ("pero inferior a la jugada maestra").
    """
    judged = dict(verdicts)
    if len(judged) + elsewhere.players < profile.solo_min_players:
        return judged
    best = max(chain(map(score_of, judged.values()), elsewhere.scores), default=0)
    table = _find_sole_table(judged, best, elsewhere) if 0 < best <= top else None
    if table is not None:
        bonus = profile.sole_best_bonus if best < top else profile.solo_bonus
        given = _cap_bonus(bonus, profile, (earlier or {}).get(table, 0))
        judged[table] = replace(judged[table], bonus=given, points=judged[table].points + given)
    return judged


def _find_sole_table(verdicts: Mapping[int, Verdict], score: int, elsewhere: OtherRooms) -> int | None:
    tables = [table for table, verdict in verdicts.items() if score_of(verdict) == score]
    return tables[0] if len(tables) == 1 and not elsewhere.scores.get(score) else None


def score_of(verdict: Verdict) -> int:
    """The score of the player before penalties; a zero scored nothing, even when the move was legal."""
    return 0 if verdict.result == "zero" else verdict.move_score or 0


def _cap_bonus(bonus: int, profile: Profile, earlier: int) -> int:
    return bonus if profile.bonus_cap is None else min(bonus, max(0, profile.bonus_cap - earlier))
