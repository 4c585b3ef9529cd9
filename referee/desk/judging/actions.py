"""The actions of judging the present turn: rulings on words and groups of slips, warnings."""

from __future__ import annotations

from datetime import datetime

from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.bounded_input import parse_whole_number
from referee.desk.desk import Desk
from referee.desk.form_values import find_player, read_number, read_text
from referee.desk.registry import desk_action
from referee.security.permissions import DIRECTOR, JUDGES
from tournaments.enums import JudgeWarningCode, Ruling
from tournaments.errors import Refused
from tournaments.events.services import options
from tournaments.judging.services import reviews, rulings, warnings
from tournaments.judging.services.ruling_request import RulingRequest
from tournaments.models import Appeal


def read_ruling(post: QueryDict) -> Ruling:
    """Return the ruling on a word: accepted if the field says so, else struck."""
    return Ruling.ACCEPTED if read_text(post, "ruling") == Ruling.ACCEPTED else Ruling.STRUCK


def read_request(desk: Desk, post: QueryDict, now: datetime, appeal: Appeal | None = None) -> RulingRequest:
    """Return the request of a form for a ruling."""
    return RulingRequest(
        by=desk.user,
        now=now,
        reason=read_text(post, "reason"),
        seen=post.get("seen"),
        version=post.get("version"),
        room=desk.room,
        appeal=appeal,
    )


@desk_action("rule-word", roles=JUDGES, spoiler=True)
def rule_word(desk: Desk, post: QueryDict, now: datetime) -> None:
    rulings.rule_word(
        turn=desk.require_turn(),
        word=read_text(post, "word"),
        ruling=read_ruling(post),
        request=read_request(desk, post, now),
        groups=post.getlist("group"),
    )


@desk_action("revoke-word", roles=JUDGES, spoiler=True)
def revoke_word(desk: Desk, post: QueryDict, now: datetime) -> None:
    turn, word = desk.require_turn(), read_text(post, "word")
    rulings.revoke_word(turn=turn, word=word, request=read_request(desk, post, now))


@desk_action("decide", roles=JUDGES, spoiler=True)
def decide_group(desk: Desk, post: QueryDict, now: datetime) -> None:
    rulings.decide_groups(
        turn=desk.require_turn(),
        groups=_read_groups(post),
        points=read_number(post, "points"),
        request=read_request(desk, post, now),
        word=read_text(post, "failed"),
    )


@desk_action("revoke-decision", roles=JUDGES, spoiler=True)
def revoke_decision(desk: Desk, post: QueryDict, now: datetime) -> None:
    turn, group = desk.require_turn(), read_text(post, "group")
    rulings.revoke_group(turn=turn, group=group, request=read_request(desk, post, now))


def _read_groups(post: QueryDict) -> list[str]:
    groups = post.getlist("group")
    if not groups:
        raise Refused(_("This group of slips no longer exists; look at the desk again."))
    return groups


@desk_action("accept-group", roles=JUDGES, spoiler=True)
def accept_group(desk: Desk, post: QueryDict, now: datetime) -> None:
    reviews.accept_groups(
        turn=desk.require_turn(),
        groups=_read_groups(post),
        version=read_text(post, "version"),
        by=desk.user,
        now=now,
        word=read_text(post, "failed"),
        room=desk.room,
    )


@desk_action("accept-clear", roles=JUDGES, spoiler=True)
def accept_clear_groups(desk: Desk, post: QueryDict, now: datetime) -> str:
    accepted = reviews.accept_clear_groups(turn=desk.require_turn(), by=desk.user, now=now, room=desk.room)
    return ngettext(
        "%(n)d group of slips without doubt is accepted.", "%(n)d groups of slips without doubt are accepted.", accepted
    ) % {"n": accepted}


@desk_action("check-slip", roles=JUDGES, spoiler=True)
def check_slip(desk: Desk, post: QueryDict, now: datetime) -> None:
    slip_id = parse_whole_number(read_text(post, "slip"), digits=18)
    reviews.mark_slip_checked(turn=desk.require_turn(), slip_id=slip_id or 0, by=desk.user, now=now, room=desk.room)


@desk_action("set-judging", roles=DIRECTOR, spoiler=True)
def set_judging(desk: Desk, post: QueryDict, now: datetime) -> str:
    options.set_judging(
        event=desk.event,
        anonymous=read_text(post, "anonymous") == "yes",
        spot_check=read_number(post, "spot_check"),
        by=desk.user,
        now=now,
    )
    return _("The settings for the judges are saved.")


def read_warning_code(post: QueryDict) -> str:
    """Return the code of a warning; `Refused` for any other."""
    code = read_text(post, "code")
    if code not in JudgeWarningCode.values:
        raise Refused(_("Say what the warning is for: an unclear slip, or discipline."))
    return code


@desk_action("give-warning", roles=JUDGES, spoiler=False)
def give_warning(desk: Desk, post: QueryDict, now: datetime) -> str:
    turn, player, code = desk.require_turn(), find_player(desk, post), read_warning_code(post)
    request = read_request(desk, post, now)
    warnings.set_warning(turn=turn, player=player, code=code, given=True, request=request)
    return _("Table %(table)d, %(name)s, is warned.") % {"table": player.table, "name": player.name}


@desk_action("take-warning-back", roles=JUDGES, spoiler=True)
def take_back_warning(desk: Desk, post: QueryDict, now: datetime) -> None:
    turn, player, code = desk.require_turn(), find_player(desk, post), read_warning_code(post)
    request = read_request(desk, post, now)
    warnings.set_warning(turn=turn, player=player, code=code, given=False, request=request)
