"""The actions on an event: rounds, games, rules in play, rooms, teams, handicap."""

from __future__ import annotations

import secrets
from dataclasses import replace
from datetime import datetime

from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from referee.desk.desk import Desk
from referee.desk.events.game_form import NextGameForm, PlannedGameForm
from referee.desk.events.planned_rules import read_planned_switches
from referee.desk.events.rules_in_play import read_posted_switches
from referee.desk.form_values import find_players, parse_number, read_number, read_text, read_time
from referee.desk.registry import DRAWING, desk_action
from referee.security.permissions import DIRECTOR, JUDGES
from tournaments.errors import Refused
from tournaments.events.services import events, options, rooms, rounds, rule_changes
from tournaments.events.services.round_setup import RoundSetup, setup_of_next_game
from tournaments.judging.services import agreed_words
from tournaments.models import Room
from tournaments.play.position import profile_of


@desk_action("change-rules", roles=DIRECTOR, room=DRAWING, spoiler=True)
def change_rules(desk: Desk, post: QueryDict, now: datetime) -> str:
    switches = read_posted_switches(desk.game, post)
    rule_changes.change_rules_in_play(game=desk.game, switches=switches, by=desk.user, now=now, seen=post.get("seen"))
    return _("All turns of the game are now judged by these rules.")


@desk_action("reversed-places", roles=DIRECTOR, room=DRAWING, spoiler=True)
def reversed_places(desk: Desk, post: QueryDict, now: datetime) -> str:
    answer = read_text(post, "answer")
    if answer not in ("count", "keep"):
        raise Refused(_("Say whether such places count or stay as they are written."))
    count = answer == "count"
    rule_changes.settle_reversed_places(game=desk.game, count=count, by=desk.user, now=now)
    if count:
        return _("Places written the other way round count in this event from now on; this game is judged so.")
    return _("Places written the other way round stay as they are written, in the whole event.")


@desk_action("next-game", roles=DIRECTOR, room=DRAWING, spoiler=True)
def start_next_game(desk: Desk, post: QueryDict, now: datetime) -> None:
    form = read_next_game(desk, post)
    events.add_game(
        event=desk.event,
        by=desk.user,
        now=now,
        seed=secrets.token_bytes(32),
        variant=form.variant_wanted,
        turn_seconds=form.turn_seconds,
        profile=form.profile_wanted,
        turns=form.turns_wanted,
    )


def _room(desk: Desk, post: QueryDict) -> Room:
    room = Room.objects.filter(event=desk.event, number=read_number(post, "room")).first()
    if room is None:
        raise Refused(_("There is no such room."))
    return room


def _read_offset(post: QueryDict) -> int | None:
    """Return the delay behind the drawing room in seconds; None if the room follows by hand."""
    if read_text(post, "follows") != "itself":
        return None
    minutes, seconds = (parse_number(read_text(post, name) or "0") for name in ("minutes", "seconds"))
    return 60 * minutes + seconds


@desk_action("add-room", roles=DIRECTOR, spoiler=True)
def add_room(desk: Desk, post: QueryDict, now: datetime) -> str:
    name = read_text(post, "name")
    room = rooms.add_room(event=desk.event, name=name, offset_s=_read_offset(post), by=desk.user, now=now)
    return _("The room “%(room)s” is created; its desk and its wall are on this page.") % {"room": room.name}


@desk_action("change-room", roles=DIRECTOR, spoiler=True)
def change_room(desk: Desk, post: QueryDict, now: datetime) -> None:
    room, name = _room(desk, post), read_text(post, "name")
    rooms.change_room(room=room, name=name, offset_s=_read_offset(post), by=desk.user, now=now)


@desk_action("remove-room", roles=DIRECTOR, spoiler=True)
def remove_room(desk: Desk, post: QueryDict, now: datetime) -> None:
    rooms.remove_room(room=_room(desk, post), by=desk.user, now=now)


@desk_action("withdraw-room", roles=DIRECTOR, spoiler=True)
def withdraw_room(desk: Desk, post: QueryDict, now: datetime) -> str:
    left = rooms.withdraw_room(room=_room(desk, post), by=desk.user, now=now)
    return ngettext("%(n)d player has left.", "%(n)d players have left.", left) % {"n": left}


@desk_action("move-players", roles=JUDGES, spoiler=True)
def move_players(desk: Desk, post: QueryDict, now: datetime) -> str:
    chosen, room = find_players(desk, post), _room(desk, post)
    moved = rooms.move_players(players=chosen, room=room, by=desk.user, now=now)
    sentence = ngettext(
        "%(n)d player is in the room “%(room)s” now.", "%(n)d players are in the room “%(room)s” now.", moved
    )
    return sentence % {"n": moved, "room": room.name}


@desk_action("set-teams", roles=DIRECTOR, spoiler=False)
def set_teams(desk: Desk, post: QueryDict, now: datetime) -> str:
    best = read_number(post, "best") if read_text(post, "best") else None
    of_each_game = read_text(post, "of") != "end"
    options.set_teams(event=desk.event, best=best, of_each_game=of_each_game, by=desk.user, now=now)
    return _("The settings for the team standings are saved.")


@desk_action("set-handicap", roles=DIRECTOR, spoiler=False)
def set_handicap(desk: Desk, post: QueryDict, now: datetime) -> str:
    names, amounts = post.getlist("series"), post.getlist("amount")
    handicaps = {name: parse_number(text) for name, text in zip(names, amounts, strict=False) if text.strip()}
    unit = read_text(post, "unit")
    options.set_handicap(event=desk.event, unit=unit, series=handicaps, by=desk.user, now=now)
    return _("The handicap now counts in the standings of the event.")


def read_next_game(desk: Desk, post: QueryDict) -> NextGameForm:
    """Return the form for the next game; `Refused` with its first fault."""
    form = NextGameForm(post, rules=profile_of(desk.game))
    _require_valid(form)
    return form


def _read_setup(desk: Desk, post: QueryDict) -> RoundSetup | None:
    """Return how the game of a planned round is played; None if the form does not ask."""
    if "variant" not in post:
        return None
    form = PlannedGameForm(post, rules=profile_of(desk.game))
    _require_valid(form)
    before = setup_of_next_game(desk.event, read_number(post, "number"))
    return replace(form.setup, switches=read_planned_switches(desk.game, before, form.setup, post))


def _require_valid(form: NextGameForm) -> None:
    if not form.is_valid():
        raise Refused(str(next(sentence for sentences in form.errors.values() for sentence in sentences)))


@desk_action("set-up-game", roles=DIRECTOR, room=DRAWING, spoiler=True)
def set_up_game(desk: Desk, post: QueryDict, now: datetime) -> str:
    form = read_next_game(desk, post)
    rounds.change_game_setup(
        game=desk.game,
        variant=form.variant_wanted,
        turn_seconds=form.turn_seconds,
        profile=form.profile_wanted,
        turns=form.turns_wanted,
        by=desk.user,
        now=now,
    )
    return _("The settings of game %(number)d are saved.") % {"number": desk.game.number}


@desk_action("plan-round", roles=DIRECTOR, room=DRAWING, spoiler=True)
def plan_round(desk: Desk, post: QueryDict, now: datetime) -> None:
    rounds.plan_round(
        event=desk.event,
        number=read_number(post, "number"),
        name=read_text(post, "name"),
        starts_at=read_time(read_text(post, "starts_at")) if read_text(post, "starts_at") else None,
        setup=_read_setup(desk, post),
        by=desk.user,
        now=now,
    )


@desk_action("agree-words", roles=JUDGES, room=DRAWING, spoiler=True)
def agree_words(desk: Desk, post: QueryDict, now: datetime) -> str:
    agreed = agreed_words.agree_words(game=desk.game, text=read_text(post, "words"), by=desk.user, now=now)
    sentences = []
    if agreed.accepted:
        fields = {"words": ", ".join(agreed.accepted), "turn": agreed.from_turn}
        sentences.append(_("These words count from turn %(turn)d on: %(words)s.") % fields)
    if agreed.removed:
        sentences.append(_("Taken out of the list: %(words)s.") % {"words": ", ".join(agreed.removed)})
    return " ".join([*sentences, *agreed.remarks]) or _("The words agreed are the same as before.")
