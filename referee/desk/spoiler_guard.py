"""Spoiler guard of the desk: hides the present turn from a judge who plays along (referee/desk/access.py)."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db import DatabaseError
from django.utils.translation import gettext as _

from referee.desk.registry import may_reveal_turn
from tournaments.models import Game, Membership, Room
from tournaments.play.queries import playing_judge as playing_judge_queries
from tournaments.play.queries.playing_judge import SpoilerGuard, own_group
from tournaments.play.services import playing_judge


def get_spoiler_guard(membership: Membership, game: Game, user: User, now: datetime) -> SpoilerGuard | None:
    """Return the spoiler guard of a member; None unless they play along as a judge.

    Before a judge who plays along sees a turn whose time is up, that is recorded.
    """
    guard = playing_judge_queries.get_spoiler_guard(membership, game, now)
    if guard is not None and guard.must_record_opening:
        with suppress(DatabaseError):  # on a full disk the desk can still be read
            playing_judge.record_desk_opened(place=membership, by=user, now=now)
    return guard


def has_closed_desk(user: User, now: datetime) -> bool:
    """Return True if the desk of an event is closed to this user, because they play along in a turn."""
    for place in Membership.objects.filter(user=user, plays_as__isnull=False).select_related("event"):
        guard = playing_judge_queries.get_spoiler_guard(place, place.event.games.latest("number"), now)
        if guard is not None and guard.is_down:
            return True
    return False


def explain_refusal(guard: SpoilerGuard | None, room: Room, page: str, action: str | None) -> str | None:
    """Return the sentence that refuses a page or action to a judge who plays along; None if they may open it."""
    if guard is None:
        return None
    if guard.player.room_id != room.pk:
        return _("While you play along, only the desk of your own room opens: another one may be ahead of it.")
    if not guard.is_down or not may_reveal_turn(page, action):
        return None
    return _("You play at table %(table)d: this opens when your slip is final, or when the clock has closed.") % {
        "table": guard.player.table
    }


@dataclass(frozen=True, slots=True)
class PlayingJudge:
    """Facts that a page shows to a judge who plays along; `own_group` is the key of the group with their slip."""

    table: int
    is_down: bool
    may_be_final: bool
    own_group: str


def get_playing_judge(guard: SpoilerGuard | None) -> PlayingJudge | None:
    """Return the facts for the page; None without a spoiler guard."""
    if guard is None:
        return None
    group = "" if guard.is_down else own_group(guard.player, guard.turn)
    return PlayingJudge(guard.player.table, guard.is_down, guard.may_be_final, group)
