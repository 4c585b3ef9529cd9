"""What the buttons of the pages about an event do: rounds, the entry desk, the plan of the tables."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from datetime import datetime

from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from referee.desk.access import Desk
from referee.desk.game_form import NextGameForm
from referee.desk.posted import number, player, read_time, text
from tournaments.errors import Refused
from tournaments.position import profile_of
from tournaments.services import agreed_words, arrivals, rounds, tables
from tournaments.services.player_lists import NewPlayer, read_table

Action = Callable[[Desk, QueryDict, datetime], str | None]
SEED_BITS = 31


def read_next_game(desk: Desk, post: QueryDict) -> NextGameForm:
    """How the game to come is to be played; `Refused` with the first thing that is wrong."""
    form = NextGameForm(post, rules=profile_of(desk.game))
    if not form.is_valid():
        raise Refused(str(next(sentence for sentences in form.errors.values() for sentence in sentences)))
    return form


def set_up_game(desk: Desk, post: QueryDict, now: datetime) -> str:
    form = read_next_game(desk, post)
    rounds.set_up(
        game=desk.game,
        formula=form.formula_wanted,
        rhythm_s=form.rhythm_s,
        profile=form.profile_wanted,
        turns=form.turns_wanted,
        by=desk.user,
        now=now,
    )
    return _("Game %(number)d is played so.") % {"number": desk.game.number}


def plan_round(desk: Desk, post: QueryDict, now: datetime) -> None:
    rounds.plan_round(
        event=desk.event,
        number=number(post, "number"),
        name=text(post, "name"),
        starts_at=read_time(text(post, "starts_at")) if text(post, "starts_at") else None,
        by=desk.user,
        now=now,
    )


def agree_words(desk: Desk, post: QueryDict, now: datetime) -> str:
    agreed = agreed_words.agree_words(game=desk.game, text=text(post, "words"), by=desk.user, now=now)
    told = []
    if agreed.accepted:
        named = {"words": ", ".join(agreed.accepted), "turn": agreed.from_turn}
        told.append(_("These words count from turn %(turn)d on: %(words)s.") % named)
    if agreed.removed:
        told.append(_("Taken out of the list: %(words)s.") % {"words": ", ".join(agreed.removed)})
    return " ".join([*told, *agreed.remarks]) or _("The words agreed are the same as before.")


def player_here(desk: Desk, post: QueryDict, now: datetime) -> str:
    marked = arrivals.mark_here(player=player(desk, post), by=desk.user, now=now)
    return _("%(name)s is here, at table %(table)d.") % {"name": marked.name, "table": marked.table}


def player_expected(desk: Desk, post: QueryDict, now: datetime) -> str:
    marked = arrivals.mark_expected(player=player(desk, post), by=desk.user, now=now)
    return _("%(name)s is expected again.") % {"name": marked.name}


def player_absent(desk: Desk, post: QueryDict, now: datetime) -> str:
    marked = player(desk, post)
    arrivals.mark_absent(player=marked, by=desk.user, now=now)
    return _("%(name)s does not come; table %(table)d stays empty.") % {"name": marked.name, "table": marked.table}


def rest_absent(desk: Desk, post: QueryDict, now: datetime) -> str:
    room = None if desk.room.is_drawing else desk.room
    absent = arrivals.mark_rest_absent(event=desk.event, room=room, by=desk.user, now=now)
    return ngettext("%(n)d player does not come.", "%(n)d players do not come.", absent) % {"n": absent}


def walk_in(desk: Desk, post: QueryDict, now: datetime) -> str:
    newcomer = NewPlayer(
        table=read_table(text(post, "table")),
        name=text(post, "name"),
        club=text(post, "club"),
        series=text(post, "series"),
    )
    added = arrivals.walk_in(event=desk.event, player=newcomer, room=desk.room, by=desk.user, now=now)
    return _("%(name)s is here, at table %(table)d.") % {"name": added.name, "table": added.table}


def assign_tables(desk: Desk, post: QueryDict, now: datetime) -> str:
    moved = tables.assign(
        event=desk.event,
        order=text(post, "order"),
        first_table=number(post, "first_table"),
        here_first="here_first" in post,
        seed=secrets.randbits(SEED_BITS),
        by=desk.user,
        now=now,
    )
    told = ngettext("%(n)d player has another table now.", "%(n)d players have another table now.", moved)
    return told % {"n": moved}


def swap_tables(desk: Desk, post: QueryDict, now: datetime) -> str:
    seated = tables.swap(
        event=desk.event, table=player(desk, post).table, other=number(post, "other"), by=desk.user, now=now
    )
    return _("%(name)s sits at table %(table)d now.") % {"name": seated.name, "table": seated.table}


EVENT_ACTIONS: Mapping[str, Action] = {
    "set-up-game": set_up_game,
    "agree-words": agree_words,
    "plan-round": plan_round,
    "player-here": player_here,
    "player-expected": player_expected,
    "player-absent": player_absent,
    "rest-absent": rest_absent,
    "walk-in": walk_in,
    "assign-tables": assign_tables,
    "swap-tables": swap_tables,
}

DRAWING_ROOM_ALONE = frozenset({"set-up-game", "plan-round", "assign-tables", "agree-words"})
"""What concerns all rooms: done at the desk of the drawing room."""
