"""The actions on appeals and on judging an earlier turn again, and the fields that their previews share."""

from __future__ import annotations

from datetime import datetime

from django.db.models import F
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from referee.desk.desk import Desk
from referee.desk.form_values import find_player, read_number, read_text
from referee.desk.judging.actions import read_request, read_ruling, read_warning_code
from referee.desk.registry import desk_action
from referee.desk.results.game_choice import GAME, find_game
from referee.security.permissions import DIRECTOR, JUDGES, STAFF
from tournaments.enums import GameState
from tournaments.errors import Refused
from tournaments.judging.queries.differences import read_differences
from tournaments.judging.services import appeals, rejudging
from tournaments.judging.services.ruling_checks import require_points
from tournaments.models import Appeal, LedgerEntry, Turn


def find_turn(desk: Desk, fields: QueryDict) -> Turn:
    """Return the turn that the fields `game` and `turn` name; `Refused` if there is none."""
    game, number = find_game(desk, read_text(fields, GAME)), read_number(fields, "turn")
    turn = Turn.objects.filter(game=game, number=number).first()
    if turn is None:
        raise Refused(_("There is no turn %(turn)d.") % {"turn": number})
    turn.game = game
    return turn


def _appeal(desk: Desk, post: QueryDict) -> Appeal | None:
    number = read_text(post, "appeal")
    if not number:
        return None
    rows = Appeal.objects.filter(pk=read_number(post, "appeal"), turn__game__event=desk.event)
    if not desk.room.is_drawing:
        rows = rows.filter(player__entries__game=F("turn__game"), player__entries__room=desk.room)
    appeal = rows.select_related("turn__game__event", "player").first()
    if appeal is None:
        raise Refused(_("There is no such appeal."))
    return appeal


def _find_appeal(desk: Desk, post: QueryDict) -> Appeal:
    appeal = _appeal(desk, post)
    if appeal is None:
        raise Refused(_("There is no such appeal."))
    return appeal


def find_rejudged_turn(desk: Desk, post: QueryDict) -> Turn:
    """Return the turn to be judged again; `Refused` for others than the director once its game is over."""
    if not desk.room.is_drawing:
        raise Refused(_("A turn is judged again at the desk of the drawing room, for all rooms."))
    turn = find_turn(desk, post)
    if turn.game.state == GameState.FINISHED and desk.role not in DIRECTOR:
        raise Refused(_("The game is over: only the director may judge a turn of it again."))
    return turn


def read_points(post: QueryDict) -> int | None:
    """Return the points of a decision; None if the rules are to decide again."""
    if read_text(post, "by_rule") == "yes":
        return None
    return require_points(read_number(post, "points"))


@desk_action("paper-appeal", roles=STAFF, spoiler=True)
def paper_appeal(desk: Desk, post: QueryDict, now: datetime) -> str:
    was_in_time = read_text(post, "in_time") == "yes" and desk.role in JUDGES
    appeal = appeals.submit_paper_appeal(
        player=find_player(desk, post),
        turn=find_turn(desk, post),
        sentence=read_text(post, "sentence"),
        by=desk.user,
        now=now,
        was_in_time=was_in_time,
    )
    fields = {"table": appeal.player.table, "turn": appeal.turn.number}
    return _("Table %(table)d appeals against turn %(turn)d.") % fields


@desk_action("reject-appeal", roles=JUDGES, spoiler=True)
def reject_appeal(desk: Desk, post: QueryDict, now: datetime) -> str:
    appeal = appeals.reject_appeal(
        appeal=_find_appeal(desk, post), reason=read_text(post, "reason"), by=desk.user, now=now
    )
    return _("The verdict of table %(table)d stands; its phone shows why.") % {"table": appeal.player.table}


@desk_action("uphold-appeal", roles=JUDGES, spoiler=True)
def uphold_appeal(desk: Desk, post: QueryDict, now: datetime) -> str:
    appeal = appeals.uphold_appeal(
        appeal=_find_appeal(desk, post), reason=read_text(post, "reason"), by=desk.user, now=now
    )
    return _("The appeal of table %(table)d is upheld; its phone shows why.") % {"table": appeal.player.table}


@desk_action("again-word", roles=JUDGES, spoiler=True)
def rejudge_word(desk: Desk, post: QueryDict, now: datetime) -> str:
    turn, word, ruling = find_rejudged_turn(desk, post), read_text(post, "word"), read_ruling(post)
    request = read_request(desk, post, now, _appeal(desk, post))
    return _describe_entry(rejudging.rule_word(turn=turn, word=word, ruling=ruling, request=request))


@desk_action("again-slip", roles=JUDGES, spoiler=True)
def rejudge_slip(desk: Desk, post: QueryDict, now: datetime) -> str:
    turn, group, points = find_rejudged_turn(desk, post), read_text(post, "group"), read_points(post)
    request = read_request(desk, post, now, _appeal(desk, post))
    return _describe_entry(rejudging.decide_group(turn=turn, group=group, points=points, request=request))


@desk_action("again-warning", roles=JUDGES, spoiler=True)
def rejudge_warning(desk: Desk, post: QueryDict, now: datetime) -> str:
    turn, player, code = find_rejudged_turn(desk, post), find_player(desk, post), read_warning_code(post)
    given, request = read_text(post, "given") == "yes", read_request(desk, post, now, _appeal(desk, post))
    return _describe_entry(rejudging.set_warning(turn=turn, player=player, code=code, given=given, request=request))


@desk_action("set-appeals", roles=DIRECTOR, spoiler=True)
def set_appeals(desk: Desk, post: QueryDict, now: datetime) -> str:
    minutes, end_minutes = read_number(post, "minutes"), read_number(post, "end_minutes")
    appeals.set_appeal_limits(game=desk.game, minutes=minutes, end_minutes=end_minutes, by=desk.user, now=now)
    return _("The time for appeals is changed.")


def _describe_entry(entry: LedgerEntry) -> str:
    changed = len(read_differences(entry.data))
    sentence = ngettext(
        "Turn %(turn)d is judged again; %(n)d result has changed (ledger entry %(entry)d).",
        "Turn %(turn)d is judged again; %(n)d results have changed (ledger entry %(entry)d).",
        changed,
    )
    return sentence % {"turn": entry.data["turn"], "n": changed, "entry": entry.n}
