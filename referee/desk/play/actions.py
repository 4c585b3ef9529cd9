"""The actions of a turn: rack, clock, paper slips, placement, end of the game, time lost in an outage.

An action takes the desk, the posted fields and the time, and returns the sentence to show, or None.
"""

from __future__ import annotations

import secrets
from datetime import datetime

from django.http import QueryDict
from django.utils.translation import gettext as _

from referee.desk.desk import Desk
from referee.desk.form_values import read_number, read_text, read_time
from referee.desk.play.paper_slips import submit_paper_slips
from referee.desk.play.typing_conflicts import require_confirmed_conflicts
from referee.desk.registry import DRAWING, desk_action
from referee.security.permissions import DIRECTOR, JUDGES, STAFF
from tournaments.backups.services import heartbeats
from tournaments.enums import EndReason, Role
from tournaments.errors import Refused
from tournaments.events.services import events
from tournaments.models import Game, LedgerEntry
from tournaments.play.services import clocks, draw_rack, game_end, placement, room_follow

MORE_TIME_S = 30


@desk_action("draw", roles=JUDGES, room=DRAWING, spoiler=True)
def draw_next_rack(desk: Desk, post: QueryDict, now: datetime) -> None:
    draw_rack.draw_turn(game=desk.game, now=now, by=desk.user)


@desk_action("type-rack", roles=JUDGES, room=DRAWING, spoiler=True)
def type_rack(desk: Desk, post: QueryDict, now: datetime) -> None:
    attempt = read_number(post, "attempt") if "attempt" in post else None
    draw_rack.type_rack(game=desk.game, text=read_text(post, "rack"), now=now, by=desk.user, attempt=attempt)


@desk_action("take-back-rack", roles=JUDGES, room=DRAWING, spoiler=False)
def take_back_rack(desk: Desk, post: QueryDict, now: datetime) -> str:
    draw_rack.take_back_rack(game=desk.game, now=now, by=desk.user)
    return _("Type the rack again.")


@desk_action("hall-word", roles=JUDGES, room=DRAWING, spoiler=True)
def hall_word(desk: Desk, post: QueryDict, now: datetime) -> str:
    events.set_hall_word(game=desk.game, word=read_text(post, "word"), by=desk.user, now=now)
    return _("The called-out word is now part of the draw.")


@desk_action("announce", roles=JUDGES, spoiler=False)
def announce_rack(desk: Desk, post: QueryDict, now: datetime) -> None:
    if desk.room.is_drawing:
        clocks.announce_turn(turn=desk.require_turn(), room=desk.room, now=now, by=desk.user)
    else:
        room_follow.announce_next(game=desk.game, room=desk.room, now=now, by=desk.user)


@desk_action("show", roles=JUDGES, spoiler=True)
def show_turn(desk: Desk, post: QueryDict, now: datetime) -> None:
    require_confirmed_conflicts(desk, post)
    room_follow.show_turn(turn=desk.require_turn(), room=desk.room, now=now, by=desk.user)


@desk_action("pause", roles=JUDGES, spoiler=False)
def pause_clock(desk: Desk, post: QueryDict, now: datetime) -> None:
    clocks.pause_clock(turn=desk.require_turn(), room=desk.room, now=now, by=desk.user)


@desk_action("resume", roles=JUDGES, spoiler=False)
def resume_clock(desk: Desk, post: QueryDict, now: datetime) -> None:
    clocks.resume_clock(turn=desk.require_turn(), room=desk.room, now=now, by=desk.user)


@desk_action("more-time", roles=JUDGES, spoiler=False)
def add_time(desk: Desk, post: QueryDict, now: datetime) -> None:
    seen = read_time(read_text(post, "deadline")) if read_text(post, "deadline") else None
    clocks.add_time(
        turn=desk.require_turn(), room=desk.room, seconds=MORE_TIME_S, now=now, by=desk.user, seen_deadline=seen
    )


@desk_action("close", roles=JUDGES, spoiler=False)
def close_turn(desk: Desk, post: QueryDict, now: datetime) -> None:
    clocks.close_clock(turn=desk.require_turn(), room=desk.room, now=now, by=desk.user)


@desk_action("paper", roles=STAFF, spoiler=True)
def enter_paper_slips(desk: Desk, post: QueryDict, now: datetime) -> str | None:
    read = submit_paper_slips(desk, post, now)
    return " ".join(filter(None, (read.sentence, read.refused))) if read else None


def _read_move(post: QueryDict) -> tuple[str | None, str | None]:
    """Return the word and reference to place: of the chosen move (`move`), or typed; None for the move by the rules."""
    chosen, typed = read_text(post, "move"), read_text(post, "word")
    word, _space, ref = chosen.rpartition(" ") if chosen and not typed else (typed, "", read_text(post, "ref"))
    return word or None, ref or None


@desk_action("place", roles=JUDGES, room=DRAWING, spoiler=True)
def place_move(desk: Desk, post: QueryDict, now: datetime) -> None:
    require_confirmed_conflicts(desk, post)
    word, ref = _read_move(post)
    placement.place_move(
        turn=desk.require_turn(), by=desk.user, now=now, word=word, ref=ref, why=read_text(post, "why")
    )


def _refuse_undo_of_others(desk: Desk) -> None:
    """Refuse to take back the placement of another user, unless the director asks."""
    last = LedgerEntry.objects.filter(game=desk.game, kind="place").order_by("-n").first()
    is_own = last is not None and last.by == desk.user.get_username() and desk.game.end_why != EndReason.JUDGE
    if desk.role != Role.DIRECTOR and not is_own:
        raise Refused(_("Somebody else has placed this move: only the director may take it back."))


def _undo_in_room(desk: Desk, now: datetime) -> str:
    """Take back what a following room has been shown; the game itself stays as it is."""
    by_itself = desk.room.offset_s is not None
    turn = room_follow.reopen_turn(game=desk.game, room=desk.room, now=now, by=desk.user)
    open_again = _("Turn %(number)s is open again.") % {"number": turn.number}
    by_hand = _("This room now follows by hand.")
    return f"{open_again} {by_hand}" if by_itself else open_again


@desk_action("undo", roles=JUDGES, spoiler=False)
def undo_last(desk: Desk, post: QueryDict, now: datetime) -> str:
    if not desk.room.is_drawing:
        return _undo_in_room(desk, now)
    _refuse_undo_of_others(desk)
    before, finished = desk.game.commitment, read_text(post, "finished") == "yes"
    seed = secrets.token_bytes(32)
    turn = placement.undo_placement(game=desk.game, by=desk.user, now=now, seed=seed, seen_finished=finished)
    open_again = _("Turn %(number)s is open again.") % {"number": turn.number}
    if Game.objects.values_list("commitment", flat=True).get(pk=desk.game.pk) == before:
        return open_again
    new_seed = _("The seed was shown: the next racks are drawn from a new seed, whose fingerprint is on the wall now.")
    return f"{open_again} {new_seed}"


@desk_action("end", roles=DIRECTOR, room=DRAWING, spoiler=True)
def end_game(desk: Desk, post: QueryDict, now: datetime) -> None:
    game_end.end_game(game=desk.game, why=EndReason.JUDGE, by=desk.user, now=now)


@desk_action("give-back", roles=JUDGES, spoiler=False)
def give_back_time(desk: Desk, post: QueryDict, now: datetime) -> None:
    heartbeats.settle_lost_time(give_back=True, now=now, by=desk.user)


@desk_action("replay", roles=JUDGES, spoiler=False)
def replay(desk: Desk, post: QueryDict, now: datetime) -> None:
    heartbeats.settle_lost_time(give_back=True, anew=True, now=now, by=desk.user)


@desk_action("go-on", roles=JUDGES, spoiler=False)
def continue_game(desk: Desk, post: QueryDict, now: datetime) -> None:
    heartbeats.settle_lost_time(give_back=False, now=now, by=desk.user)
