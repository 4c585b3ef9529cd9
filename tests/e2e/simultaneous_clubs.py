"""A simultaneous game at the hub and at its clubs, with a return of each kind. Import it when Django is set up."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.utils import translation

from tests.tournaments.prepared.sample_game import create_prepared_game
from tests.tournaments.simultaneous.clubs_at_play import (
    changed,
    create_simultaneous,
    play_at_club,
    receive,
    returned_by,
    sealed_again,
)
from tournaments.models import Simultaneous
from tournaments.now import utc_now
from tournaments.staff.services.login_links import first_judge

CLUBS = ("Torino", "Milano", "Gruppo sportivo Sant’Ambrogio di Valpolicella", "Asti")
NAMES = ("Anna Rossi", "Bruno Verdi", "Carla Neri", "Massimiliano Bartolomeo della Valdambrini")


@translation.override("en")
def play_at_clubs(games: int = 1, turns: int = 5) -> Simultaneous:
    """Play it within its time window, which is still open: all clubs but the last return it."""
    judge, now = first_judge(), utc_now()
    prepared = [
        create_prepared_game(judge, f"Round {number}", secret=bytes([number] * 32), switches={"max_turns": turns})
        for number in range(1, games + 1)
    ]
    simultaneous = create_simultaneous(judge, "\n".join(CLUBS), prepared, opens=now - timedelta(hours=36))
    torino, *others, _asti = simultaneous.clubs.all()
    played = returned_by(play_at_club(torino, judge, NAMES))
    receive(simultaneous, sealed_again(torino, played, _rule_by_judge), now)
    receive(simultaneous, changed(played, _raise_points), now)
    receive(simultaneous, changed(played, lambda found: found.update(club=2)), now)
    for seed, club in enumerate(others, 2):
        names = [f"{name} {club.number}" for name in NAMES]
        receive(simultaneous, returned_by(play_at_club(club, judge, names, seed)), now)
    simultaneous.refresh_from_db()
    return simultaneous


def _rule_by_judge(archive: Any) -> None:
    slip = archive["turns"][0]["slips"][0]
    slip["decided_by"], slip["reason"] = "judge", "clear enough"
    slip["verdict"] |= {"result": "valid", "reason": None, "points": 99, "move_score": 99}


def _raise_points(found: Any) -> None:
    found["games"][0]["archive"]["turns"][0]["slips"][0]["verdict"]["points"] += 10
