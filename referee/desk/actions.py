"""What the judge's buttons and keys do: one small function an action, each asks one service.

An action gets the desk, the posted fields and the time, and returns a sentence to show, or None.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from datetime import datetime

from django.conf import settings
from django.http import QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.bounded_input import whole_number
from referee.desk.access import Desk
from referee.desk.again import AGAIN_ACTIONS
from referee.desk.event_actions import DRAWING_ROOM_ALONE, EVENT_ACTIONS, read_next_game
from referee.desk.paper import enter
from referee.desk.playing import play_along, play_no_more, slip_is_final
from referee.desk.posted import number as _number
from referee.desk.posted import player as _player
from referee.desk.posted import read_time
from referee.desk.posted import text as _text
from referee.desk.posted import whole as _whole
from referee.desk.printing import read_order
from referee.desk.rules_in_play import switches_posted
from referee.desk.typings import demand_asked, set_double_typing, settle_typing
from referee.security.login import make_link_token
from tournaments.enums import EndReason, GivenCode, Role, Ruling
from tournaments.errors import Refused
from tournaments.models import Game, LedgerEntry, Room, Turn
from tournaments.selectors.phases import turn_in
from tournaments.services import (
    clocks,
    disqualifying,
    documents,
    drawing,
    ending,
    event_options,
    events,
    heartbeats,
    looking,
    placing,
    players,
    pursuing,
    rooms,
    rules,
    rulings,
    seats,
    warning,
)

Action = Callable[[Desk, QueryDict, datetime], str | None]
MORE_TIME_S = 30
_ABOUT_A_PLAYER = ("nickname", "club", "series", "age_class", "country", "team")


def _turn(desk: Desk) -> Turn:
    turn = turn_in(desk.game, desk.room)
    if turn is None:
        raise Refused(_("No rack has been drawn yet: draw one first."))
    return turn


def _seen(post: QueryDict) -> str | None:
    """The token of the preview that is confirmed; None for an act that was not shown before."""
    return post.get("seen")


def draw(desk: Desk, post: QueryDict, now: datetime) -> None:
    drawing.draw_turn(game=desk.game, now=now, by=desk.user)


def type_rack(desk: Desk, post: QueryDict, now: datetime) -> None:
    attempt = _number(post, "attempt") if "attempt" in post else None
    drawing.type_rack(game=desk.game, text=_text(post, "rack"), now=now, by=desk.user, attempt=attempt)


def take_back_rack(desk: Desk, post: QueryDict, now: datetime) -> str:
    drawing.take_back_rack(game=desk.game, now=now, by=desk.user)
    return _("Type the rack anew.")


def hall_word(desk: Desk, post: QueryDict, now: datetime) -> str:
    events.set_hall_word(game=desk.game, word=_text(post, "word"), by=desk.user, now=now)
    return _("The word of the hall is part of the draw now.")


def announce(desk: Desk, post: QueryDict, now: datetime) -> None:
    if desk.room.is_drawing:
        clocks.announce(turn=_turn(desk), room=desk.room, now=now, by=desk.user)
    else:
        pursuing.announce_next(game=desk.game, room=desk.room, now=now, by=desk.user)


def show(desk: Desk, post: QueryDict, now: datetime) -> None:
    demand_asked(desk, post)
    pursuing.show(turn=_turn(desk), room=desk.room, now=now, by=desk.user)


def pause(desk: Desk, post: QueryDict, now: datetime) -> None:
    clocks.pause(turn=_turn(desk), room=desk.room, now=now, by=desk.user)


def resume(desk: Desk, post: QueryDict, now: datetime) -> None:
    clocks.resume(turn=_turn(desk), room=desk.room, now=now, by=desk.user)


def more_time(desk: Desk, post: QueryDict, now: datetime) -> None:
    seen = read_time(_text(post, "deadline")) if _text(post, "deadline") else None
    clocks.add_time(turn=_turn(desk), room=desk.room, seconds=MORE_TIME_S, now=now, by=desk.user, seen_deadline=seen)


def close(desk: Desk, post: QueryDict, now: datetime) -> None:
    clocks.close_now(turn=_turn(desk), room=desk.room, now=now, by=desk.user)


def paper(desk: Desk, post: QueryDict, now: datetime) -> str | None:
    read = enter(desk, post, now)
    return read.sentence if read else None


def rule_word(desk: Desk, post: QueryDict, now: datetime) -> None:
    ruling = Ruling.ACCEPTED if _text(post, "ruling") == Ruling.ACCEPTED else Ruling.STRUCK
    rulings.rule_word(
        turn=_turn(desk),
        word=_text(post, "word"),
        ruling=ruling,
        reason=_text(post, "reason"),
        by=desk.user,
        now=now,
        seen=_seen(post),
        groups=post.getlist("group"),
        version=_version(post),
        room=desk.room,
    )


def revoke_word(desk: Desk, post: QueryDict, now: datetime) -> None:
    rulings.revoke_word(turn=_turn(desk), word=_text(post, "word"), by=desk.user, now=now, seen=_seen(post))


def decide(desk: Desk, post: QueryDict, now: datetime) -> None:
    rulings.decide_groups(
        turn=_turn(desk),
        groups=_groups(post),
        points=_number(post, "points"),
        reason=_text(post, "reason"),
        by=desk.user,
        now=now,
        seen=_seen(post),
        room=desk.room,
        version=_version(post),
        word=_text(post, "failed"),
    )


def revoke_decision(desk: Desk, post: QueryDict, now: datetime) -> None:
    rulings.revoke_group(
        turn=_turn(desk),
        group=_text(post, "group"),
        by=desk.user,
        now=now,
        seen=_seen(post),
        room=desk.room,
        version=_version(post),
    )


def _groups(post: QueryDict) -> list[str]:
    groups = post.getlist("group")
    if not groups:
        raise Refused(_("This group of slips is not there any more; look at the desk again."))
    return groups


def _version(post: QueryDict) -> str | None:
    """What the judge saw of the groups that he decides (selectors.looks); None where no page showed him any."""
    return post.get("version")


def accept_group(desk: Desk, post: QueryDict, now: datetime) -> None:
    looking.accept(
        turn=_turn(desk),
        groups=_groups(post),
        version=_text(post, "version"),
        by=desk.user,
        now=now,
        word=_text(post, "failed"),
        room=desk.room,
    )


def accept_clear(desk: Desk, post: QueryDict, now: datetime) -> str:
    accepted = looking.accept_clear(turn=_turn(desk), by=desk.user, now=now, room=desk.room)
    return ngettext("%(n)d clear group is accepted.", "%(n)d clear groups are accepted.", accepted) % {"n": accepted}


def check_slip(desk: Desk, post: QueryDict, now: datetime) -> None:
    slip_id = whole_number(_text(post, "slip"), digits=18)
    looking.check_slip(turn=_turn(desk), slip_id=slip_id or 0, by=desk.user, now=now, room=desk.room)


def set_judging(desk: Desk, post: QueryDict, now: datetime) -> str:
    event_options.set_judging(
        event=desk.event,
        anonymous=_text(post, "anonymous") == "yes",
        spot_check=_number(post, "spot_check"),
        by=desk.user,
        now=now,
    )
    return _("The judges work so from now on.")


def _code(post: QueryDict) -> str:
    code = _text(post, "code")
    if code not in GivenCode.values:
        raise Refused(_("Say what the warning is for: an unclear slip, or discipline."))
    return code


def give_warning(desk: Desk, post: QueryDict, now: datetime) -> str:
    turn, player, code = _turn(desk), _player(desk, post), _code(post)
    warning.give_warning(turn=turn, player=player, code=code, reason=_text(post, "reason"), by=desk.user, now=now)
    return _("Table %(table)d, %(name)s, is warned.") % {"table": player.table, "name": player.name}


def take_warning_back(desk: Desk, post: QueryDict, now: datetime) -> None:
    warning.take_warning_back(turn=_turn(desk), player=_player(desk, post), code=_code(post), by=desk.user, now=now)


def change_rules(desk: Desk, post: QueryDict, now: datetime) -> str:
    switches = switches_posted(desk.game, post)
    rules.change_in_play(game=desk.game, switches=switches, by=desk.user, now=now, seen=_seen(post))
    return _("All turns of the game are judged by these rules now.")


def reversed_places(desk: Desk, post: QueryDict, now: datetime) -> str:
    answer = _text(post, "answer")
    if answer not in ("count", "keep"):
        raise Refused(_("Say whether such places count or stay as they are written."))
    count = answer == "count"
    rules.settle_reversed_places(game=desk.game, count=count, by=desk.user, now=now)
    if count:
        return _("Places written the other way round count in this event from now on; this game is judged so.")
    return _("Places written the other way round stay as they are written, in the whole event.")


def place(desk: Desk, post: QueryDict, now: datetime) -> None:
    demand_asked(desk, post)
    word, ref = _text(post, "word") or None, _text(post, "ref") or None
    placing.place(turn=_turn(desk), by=desk.user, now=now, word=word, ref=ref, why=_text(post, "why"))


def _refuse_undo_of_others(desk: Desk) -> None:
    """What others may do only to their own work, the director to everybody's (referee.security.rights)."""
    last = LedgerEntry.objects.filter(game=desk.game, kind="place").order_by("-n").first()
    is_own = last is not None and last.by == desk.user.get_username() and desk.game.end_why != EndReason.JUDGE
    if desk.role != Role.DIRECTOR and not is_own:
        raise Refused(_("Somebody else has placed this: the director may take it back."))


def _undo_here(desk: Desk, now: datetime) -> str:
    """In a room that follows only what it was shown is taken back."""
    by_itself = desk.room.offset_s is not None
    turn = pursuing.take_back(game=desk.game, room=desk.room, now=now, by=desk.user)
    open_again = _("Turn %(number)s is open again.") % {"number": turn.number}
    by_hand = _("This room follows by hand from now on.")
    return f"{open_again} {by_hand}" if by_itself else open_again


def undo(desk: Desk, post: QueryDict, now: datetime) -> str:
    if not desk.room.is_drawing:
        return _undo_here(desk, now)
    _refuse_undo_of_others(desk)
    before, finished = desk.game.commitment, _text(post, "finished") == "yes"
    seed = secrets.token_bytes(32)
    turn = placing.undo(game=desk.game, by=desk.user, now=now, seed=seed, seen_finished=finished)
    open_again = _("Turn %(number)s is open again.") % {"number": turn.number}
    if Game.objects.values_list("commitment", flat=True).get(pk=desk.game.pk) == before:
        return open_again
    told = _("The seed was shown: racks to come follow from a new one, whose fingerprint is on the wall now.")
    return f"{open_again} {told}"


def end(desk: Desk, post: QueryDict, now: datetime) -> None:
    ending.end_game(game=desk.game, why=EndReason.JUDGE, by=desk.user, now=now)


def next_game(desk: Desk, post: QueryDict, now: datetime) -> None:
    form = read_next_game(desk, post)
    events.add_game(
        event=desk.event,
        by=desk.user,
        now=now,
        seed=secrets.token_bytes(32),
        formula=form.formula_wanted,
        rhythm_s=form.rhythm_s,
        profile=form.profile_wanted,
        turns=form.turns_wanted,
    )


def give_back(desk: Desk, post: QueryDict, now: datetime) -> None:
    heartbeats.answer(give_back=True, now=now, by=desk.user)


def replay(desk: Desk, post: QueryDict, now: datetime) -> None:
    heartbeats.answer(give_back=True, anew=True, now=now, by=desk.user)


def go_on(desk: Desk, post: QueryDict, now: datetime) -> None:
    heartbeats.answer(give_back=False, now=now, by=desk.user)


def add_players(desk: Desk, post: QueryDict, now: datetime) -> str:
    parsed = players.parse_players(post.get("lines", ""))
    if parsed.errors:
        error = parsed.errors[0]
        raise Refused(_("Line %(line)s: %(sentence)s") % {"line": error.line, "sentence": error.sentence})
    added = players.add_players(event=desk.event, players=parsed.players, now=now, by=desk.user, room=desk.room)
    return _("Players added: %(n)s.") % {"n": len(added)}


def rename_player(desk: Desk, post: QueryDict, now: datetime) -> None:
    given = {name: _text(post, name) for name in _ABOUT_A_PLAYER if name in post}
    players.rename(player=_player(desk, post), name=_text(post, "name"), **given, now=now, by=desk.user)


def remove_player(desk: Desk, post: QueryDict, now: datetime) -> None:
    players.remove(player=_player(desk, post), now=now, by=desk.user)


def player_leaves(desk: Desk, post: QueryDict, now: datetime) -> None:
    players.leave(player=_player(desk, post), now=now, by=desk.user)


def player_comes_back(desk: Desk, post: QueryDict, now: datetime) -> None:
    players.come_back(player=_player(desk, post), now=now, by=desk.user)


def disqualify_player(desk: Desk, post: QueryDict, now: datetime) -> str:
    player = _player(desk, post)
    disqualifying.disqualify(player=player, reason=_text(post, "reason"), now=now, by=desk.user)
    return _("%(name)s is disqualified: out of the ranking, and not in the turns to come.") % {"name": player.name}


def reinstate_player(desk: Desk, post: QueryDict, now: datetime) -> str:
    player = _player(desk, post)
    entry = disqualifying.reinstate(player=player, now=now, by=desk.user)
    entry.refresh_from_db()
    if entry.last_turn is None:
        return _("%(name)s is in the ranking again and plays on.") % {"name": player.name}
    return _("%(name)s is in the ranking again but has missed a turn, so is not in the turns to come.") % {
        "name": player.name
    }


def _room(desk: Desk, post: QueryDict) -> Room:
    room = Room.objects.filter(event=desk.event, number=_number(post, "room")).first()
    if room is None:
        raise Refused(_("There is no such room."))
    return room


def _offset(post: QueryDict) -> int | None:
    """Minutes and seconds after the drawing room; None: by hand."""
    if _text(post, "follows") != "itself":
        return None
    minutes, seconds = (_whole(_text(post, name) or "0") for name in ("minutes", "seconds"))
    return 60 * minutes + seconds


def add_room(desk: Desk, post: QueryDict, now: datetime) -> str:
    name = _text(post, "name")
    room = rooms.add_room(event=desk.event, name=name, offset_s=_offset(post), by=desk.user, now=now)
    return _("The room “%(room)s” is there; its desk and its wall are on this page.") % {"room": room.name}


def change_room(desk: Desk, post: QueryDict, now: datetime) -> None:
    room, name = _room(desk, post), _text(post, "name")
    rooms.change_room(room=room, name=name, offset_s=_offset(post), by=desk.user, now=now)


def remove_room(desk: Desk, post: QueryDict, now: datetime) -> None:
    rooms.remove_room(room=_room(desk, post), by=desk.user, now=now)


def withdraw_room(desk: Desk, post: QueryDict, now: datetime) -> str:
    gone = rooms.withdraw(room=_room(desk, post), by=desk.user, now=now)
    return ngettext("%(n)d player has left.", "%(n)d players have left.", gone) % {"n": gone}


def move_player(desk: Desk, post: QueryDict, now: datetime) -> None:
    rooms.move_player(player=_player(desk, post), room=_room(desk, post), by=desk.user, now=now)


def free_phone(desk: Desk, post: QueryDict, now: datetime) -> str:
    player = _player(desk, post)
    seats.free_phone(player=player, now=now, by=desk.user)
    return _("Table %(table)d waits for the next phone.") % {"table": player.table}


def new_seat_code(desk: Desk, post: QueryDict, now: datetime) -> str:
    player = _player(desk, post)
    seats.new_seat_code(player=player, now=now, by=desk.user)
    return _("Table %(table)d has another code; print its card anew.") % {"table": player.table}


def set_seat_codes(desk: Desk, post: QueryDict, now: datetime) -> None:
    seats.set_seat_codes(event=desk.event, wanted=_text(post, "wanted") == "yes", now=now, by=desk.user)


def set_listed_only(desk: Desk, post: QueryDict, now: datetime) -> None:
    seats.set_listed_only(event=desk.event, wanted=_text(post, "wanted") == "yes", now=now, by=desk.user)


def remove_unknown(desk: Desk, post: QueryDict, now: datetime) -> str:
    removed = players.remove_unknown(event=desk.event, expected=_number(post, "expected"), now=now, by=desk.user)
    return ngettext("%(n)d player was removed.", "%(n)d players were removed.", removed) % {"n": removed}


def set_teams(desk: Desk, post: QueryDict, now: datetime) -> str:
    best = _number(post, "best") if _text(post, "best") else None
    each = _text(post, "of") != "end"
    event_options.set_teams(event=desk.event, best=best, of_each_game=each, by=desk.user, now=now)
    return _("The standings of the teams are made so from now on.")


def set_handicap(desk: Desk, post: QueryDict, now: datetime) -> str:
    names, amounts = post.getlist("series"), post.getlist("amount")
    given = {name: _whole(text) for name, text in zip(names, amounts, strict=False) if text.strip()}
    unit = _text(post, "unit")
    event_options.set_handicap(event=desk.event, unit=unit, series=given, by=desk.user, now=now)
    return _("The handicap counts in the standings of the event.")


def another_desk(desk: Desk, post: QueryDict, now: datetime) -> str:
    link = settings.PUBLIC_URL + reverse("enter", args=[make_link_token(desk.user)])
    return _("Open this address on the other device, once and within an hour: %(link)s") % {"link": link}


def make_document(desk: Desk, post: QueryDict, now: datetime) -> None:
    order = read_order(desk, post)
    documents.ask(
        game=desk.game,
        kind=order.wanted.name,
        language=order.language,
        now=now,
        choice=order.choice,
        paper=order.paper,
        room=desk.room,
        lost_after=documents.LONG_LOST_AFTER if order.wanted.tells_progress else documents.LOST_AFTER,
    )


ACTIONS: Mapping[str, Action] = {
    "draw": draw,
    "type-rack": type_rack,
    "take-back-rack": take_back_rack,
    "hall-word": hall_word,
    "announce": announce,
    "show": show,
    "pause": pause,
    "resume": resume,
    "more-time": more_time,
    "close": close,
    "paper": paper,
    "rule-word": rule_word,
    "revoke-word": revoke_word,
    "decide": decide,
    "revoke-decision": revoke_decision,
    "accept-group": accept_group,
    "accept-clear": accept_clear,
    "check-slip": check_slip,
    "set-judging": set_judging,
    "give-warning": give_warning,
    "take-warning-back": take_warning_back,
    "change-rules": change_rules,
    "reversed-places": reversed_places,
    "place": place,
    "undo": undo,
    "end": end,
    "next-game": next_game,
    "give-back": give_back,
    "replay": replay,
    "go-on": go_on,
    "add-players": add_players,
    "rename-player": rename_player,
    "remove-player": remove_player,
    "player-leaves": player_leaves,
    "player-comes-back": player_comes_back,
    "disqualify-player": disqualify_player,
    "reinstate-player": reinstate_player,
    "add-room": add_room,
    "change-room": change_room,
    "remove-room": remove_room,
    "withdraw-room": withdraw_room,
    "move-player": move_player,
    "free-phone": free_phone,
    "new-seat-code": new_seat_code,
    "set-seat-codes": set_seat_codes,
    "set-listed-only": set_listed_only,
    "remove-unknown": remove_unknown,
    "set-teams": set_teams,
    "set-handicap": set_handicap,
    "make-document": make_document,
    "another-desk": another_desk,
    "play-along": play_along,
    "play-no-more": play_no_more,
    "slip-is-final": slip_is_final,
    "settle-typing": settle_typing,
    "set-double-typing": set_double_typing,
    **EVENT_ACTIONS,
    **AGAIN_ACTIONS,
}

DRAWING_ROOM = DRAWING_ROOM_ALONE | frozenset(
    {"draw", "type-rack", "take-back-rack", "hall-word", "place", "end", "next-game", "change-rules", "reversed-places"}
)
"""What belongs to the script, which all rooms follow: done at the desk of the drawing room alone."""


def perform(desk: Desk, action: str, post: QueryDict, now: datetime) -> str | None:
    """Do an action of `ACTIONS` at this desk; the sentence to show, or None."""
    if action in DRAWING_ROOM and not desk.room.is_drawing:
        raise Refused(_("This is done at the desk of the drawing room."))
    return ACTIONS[action](desk, post, now)
