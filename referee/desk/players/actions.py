"""The actions on players: roster, check-in, tables, phones and seat codes."""

from __future__ import annotations

import secrets
from datetime import datetime

from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from referee.desk.desk import Desk
from referee.desk.form_values import find_player, read_number, read_text
from referee.desk.registry import DRAWING, desk_action
from referee.security.permissions import DIRECTOR, JUDGES, STAFF
from tournaments.errors import Refused
from tournaments.members.services import event_players
from tournaments.players.roster_text import NewPlayer, read_table
from tournaments.players.services import check_in, disqualification, players, seats, tables, undo

SEED_BITS = 31
_DETAILS = ("name", "first_name", "surname", "nickname", "licence", "club", "series", "age_class", "country", "team")


@desk_action("add-players", roles=STAFF, spoiler=False)
def add_players(desk: Desk, post: QueryDict, now: datetime) -> str:
    namesakes = "namesakes" in post
    parsed = players.parse_players(post.get("lines", ""), namesakes=namesakes)
    if parsed.errors:
        error = parsed.errors[0]
        raise Refused(_("Line %(line)s: %(sentence)s") % {"line": error.line, "sentence": error.sentence})
    added = players.add_players(
        event=desk.event, players=parsed.players, now=now, by=desk.user, room=desk.room, namesakes=namesakes
    )
    event_players.link_listed_players(event=desk.event, by=desk.user, now=now)
    return _("Players added: %(n)s.") % {"n": len(added)}


@desk_action("rename-player", roles=STAFF, spoiler=False)
def rename_player(desk: Desk, post: QueryDict, now: datetime) -> None:
    details = {name: read_text(post, name) for name in _DETAILS if name in post}
    players.rename_player(find_player(desk, post), players.PlayerDetails(**details), now=now, by=desk.user)
    event_players.link_listed_players(event=desk.event, by=desk.user, now=now)


@desk_action("remove-player", roles=JUDGES, spoiler=True)
def remove_player(desk: Desk, post: QueryDict, now: datetime) -> str:
    player = find_player(desk, post)
    players.remove_player(player=player, now=now, by=desk.user)
    return _("%(name)s was removed. You can undo this for ten minutes, on the page of the players.") % {
        "name": player.name
    }


@desk_action("undo-players", roles=JUDGES, spoiler=True)
def undo_players(desk: Desk, post: QueryDict, now: datetime) -> str:
    undone = undo.undo_act(event=desk.event, key=read_number(post, "act"), by=desk.user, now=now)
    sentence = ngettext("%(n)d player is back in place.", "%(n)d players are back in place.", undone)
    return sentence % {"n": undone}


@desk_action("player-leaves", roles=STAFF, spoiler=False)
def record_player_leaving(desk: Desk, post: QueryDict, now: datetime) -> None:
    players.leave_game(player=find_player(desk, post), now=now, by=desk.user)


@desk_action("player-comes-back", roles=STAFF, spoiler=False)
def readmit_player(desk: Desk, post: QueryDict, now: datetime) -> None:
    players.return_to_game(player=find_player(desk, post), now=now, by=desk.user)


@desk_action("disqualify-player", roles=JUDGES, spoiler=False)
def disqualify_player(desk: Desk, post: QueryDict, now: datetime) -> str:
    player = find_player(desk, post)
    disqualification.disqualify(player=player, reason=read_text(post, "reason"), now=now, by=desk.user)
    return _("%(name)s is disqualified: out of the ranking and of the next turns.") % {"name": player.name}


@desk_action("reinstate-player", roles=JUDGES, spoiler=False)
def reinstate_player(desk: Desk, post: QueryDict, now: datetime) -> str:
    player = find_player(desk, post)
    entry = disqualification.reinstate(player=player, now=now, by=desk.user)
    entry.refresh_from_db()
    if entry.last_turn is None:
        return _("%(name)s is in the ranking again and plays on.") % {"name": player.name}
    return _("%(name)s is in the ranking again but has missed a turn, and does not play the next turns.") % {
        "name": player.name
    }


@desk_action("free-phone", roles=STAFF, spoiler=False)
def free_phone(desk: Desk, post: QueryDict, now: datetime) -> str:
    player = find_player(desk, post)
    seats.release_phone(player=player, now=now, by=desk.user)
    return _("Table %(table)d waits for the next phone.") % {"table": player.table}


@desk_action("new-seat-code", roles=JUDGES, spoiler=False)
def new_seat_code(desk: Desk, post: QueryDict, now: datetime) -> str:
    player = find_player(desk, post)
    seats.replace_seat_code(player=player, now=now, by=desk.user)
    return _("Table %(table)d has a new code; print its card again.") % {"table": player.table}


@desk_action("set-seat-codes", roles=DIRECTOR, spoiler=False)
def set_seat_codes(desk: Desk, post: QueryDict, now: datetime) -> None:
    seats.set_seat_codes(event=desk.event, wanted=read_text(post, "wanted") == "yes", now=now, by=desk.user)


@desk_action("set-listed-only", roles=DIRECTOR, spoiler=False)
def set_listed_only(desk: Desk, post: QueryDict, now: datetime) -> None:
    seats.set_listed_only(event=desk.event, wanted=read_text(post, "wanted") == "yes", now=now, by=desk.user)


@desk_action("remove-unknown", roles=JUDGES, spoiler=True)
def remove_unknown(desk: Desk, post: QueryDict, now: datetime) -> str:
    removed = players.remove_unknown_players(
        event=desk.event, expected=read_number(post, "expected"), now=now, by=desk.user
    )
    return ngettext("%(n)d player was removed.", "%(n)d players were removed.", removed) % {"n": removed}


@desk_action("player-here", roles=STAFF, spoiler=False)
def check_in_player(desk: Desk, post: QueryDict, now: datetime) -> str:
    player = check_in.mark_here(player=find_player(desk, post), by=desk.user, now=now)
    return _("%(name)s is here, at table %(table)d.") % {"name": player.name, "table": player.table}


@desk_action("player-expected", roles=STAFF, spoiler=False)
def mark_player_expected(desk: Desk, post: QueryDict, now: datetime) -> str:
    player = check_in.mark_expected(player=find_player(desk, post), by=desk.user, now=now)
    return _("%(name)s is expected again.") % {"name": player.name}


@desk_action("player-absent", roles=STAFF, spoiler=False)
def mark_player_absent(desk: Desk, post: QueryDict, now: datetime) -> str:
    player = find_player(desk, post)
    check_in.mark_absent(player=player, by=desk.user, now=now)
    return _("%(name)s does not come; table %(table)d stays empty.") % {"name": player.name, "table": player.table}


@desk_action("rest-absent", roles=JUDGES, spoiler=False)
def mark_rest_absent(desk: Desk, post: QueryDict, now: datetime) -> str:
    room = None if desk.room.is_drawing else desk.room
    absent = check_in.mark_rest_absent(event=desk.event, room=room, by=desk.user, now=now)
    return ngettext("%(n)d player does not come.", "%(n)d players do not come.", absent) % {"n": absent}


@desk_action("walk-in", roles=STAFF, spoiler=False)
def add_walk_in(desk: Desk, post: QueryDict, now: datetime) -> str:
    newcomer = NewPlayer(
        table=read_table(read_text(post, "table")),
        name=read_text(post, "name"),
        licence=read_text(post, "licence"),
        club=read_text(post, "club"),
        series=read_text(post, "series"),
    )
    added = check_in.add_walk_in(
        event=desk.event, player=newcomer, room=desk.room, by=desk.user, now=now, namesakes="namesakes" in post
    )
    event_players.link_listed_players(event=desk.event, by=desk.user, now=now)
    return _("%(name)s is here, at table %(table)d.") % {"name": added.name, "table": added.table}


@desk_action("assign-tables", roles=JUDGES, room=DRAWING, spoiler=False)
def assign_tables(desk: Desk, post: QueryDict, now: datetime) -> str:
    moved = tables.assign_tables(
        event=desk.event,
        order=read_text(post, "order"),
        first_table=read_number(post, "first_table"),
        here_first="here_first" in post,
        seed=secrets.randbits(SEED_BITS),
        by=desk.user,
        now=now,
    )
    sentence = ngettext("%(n)d player has another table now.", "%(n)d players have another table now.", moved)
    return " ".join([sentence % {"n": moved}, *([_("You can undo this for ten minutes.")] if moved else [])])


@desk_action("swap-tables", roles=JUDGES, spoiler=False)
def swap_tables(desk: Desk, post: QueryDict, now: datetime) -> str:
    player = tables.swap_tables(
        event=desk.event, table=find_player(desk, post).table, other=read_number(post, "other"), by=desk.user, now=now
    )
    return _("%(name)s sits at table %(table)d now.") % {"name": player.name, "table": player.table}
