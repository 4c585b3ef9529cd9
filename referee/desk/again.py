"""What is posted about appeals and about turns that are judged again: actions and what they would do."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime

from django.db.models import F
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.bounded_input import whole_number
from referee.desk.access import Desk
from referee.desk.posted import number, player, text
from referee.security.rights import DIRECTOR, JUDGES
from tournaments import validators
from tournaments.enums import GameState, GivenCode, Ruling
from tournaments.errors import Refused
from tournaments.judgements import Decision
from tournaments.models import Appeal, Game, LedgerEntry, Turn
from tournaments.selectors import again
from tournaments.selectors.differences import read_differences
from tournaments.selectors.preview import Change
from tournaments.services import appeals, reopening
from tournaments.services.rulings import MOST_POINTS, tile_text

Action = Callable[[Desk, QueryDict, datetime], str | None]
Proposed = Callable[[Desk, QueryDict], tuple[str, Change]]


def game_named(desk: Desk, wanted: str) -> Game:
    """The game of the event with this number; the present one when none is named."""
    if not wanted:
        return desk.game
    games = Game.objects.filter(event=desk.event, number=whole_number(wanted) or 0)
    game = games.select_related("event").first()
    if game is None:
        raise Refused(_("There is no game %(number)s.") % {"number": wanted[:20]})
    return game


def turn_named(desk: Desk, fields: QueryDict) -> Turn:
    """The turn of a game that the fields name."""
    game, wanted = game_named(desk, text(fields, "game")), number(fields, "turn")
    turn = Turn.objects.filter(game=game, number=wanted).first()
    if turn is None:
        raise Refused(_("There is no turn %(turn)d.") % {"turn": wanted})
    turn.game = game
    return turn


def _appeal(desk: Desk, post: QueryDict) -> Appeal | None:
    wanted = text(post, "appeal")
    if not wanted:
        return None
    rows = Appeal.objects.filter(pk=number(post, "appeal"), turn__game__event=desk.event)
    if not desk.room.is_drawing:
        rows = rows.filter(player__entries__game=F("turn__game"), player__entries__room=desk.room)
    found = rows.select_related("turn__game__event", "player").first()
    if found is None:
        raise Refused(_("There is no such appeal."))
    return found


def _the_appeal(desk: Desk, post: QueryDict) -> Appeal:
    found = _appeal(desk, post)
    if found is None:
        raise Refused(_("There is no such appeal."))
    return found


def _again(desk: Desk, post: QueryDict) -> Turn:
    """The turn that is to be judged again; once its game is over that is for the director."""
    if not desk.room.is_drawing:
        raise Refused(_("A turn is judged again at the desk of the drawing room, for all rooms."))
    turn = turn_named(desk, post)
    if turn.game.state == GameState.FINISHED and desk.role not in DIRECTOR:
        raise Refused(_("The game is over: only the director may judge a turn of it again."))
    return turn


def _ruling(post: QueryDict) -> Ruling:
    return Ruling.ACCEPTED if text(post, "ruling") == Ruling.ACCEPTED else Ruling.STRUCK


def _points(post: QueryDict) -> int | None:
    if text(post, "by_rule") == "yes":
        return None
    points = number(post, "points")
    if points > MOST_POINTS:
        raise Refused(_("Points go from 0 to %(most)d.") % {"most": MOST_POINTS})
    return points


def _code(post: QueryDict) -> str:
    code = text(post, "code")
    if code not in GivenCode.values:
        raise Refused(_("Say what the warning is for: an unclear slip, or discipline."))
    return code


def paper_appeal(desk: Desk, post: QueryDict, now: datetime) -> str:
    was_in_time = text(post, "in_time") == "yes" and desk.role in JUDGES
    made = appeals.appeal_on_paper(
        player=player(desk, post),
        turn=turn_named(desk, post),
        sentence=text(post, "sentence"),
        by=desk.user,
        now=now,
        was_in_time=was_in_time,
    )
    told = {"table": made.player.table, "turn": made.turn.number}
    return _("Table %(table)d appeals against turn %(turn)d.") % told


def reject_appeal(desk: Desk, post: QueryDict, now: datetime) -> str:
    made = appeals.reject(appeal=_the_appeal(desk, post), reason=text(post, "reason"), by=desk.user, now=now)
    return _("The verdict of table %(table)d stands; its phone shows why.") % {"table": made.player.table}


def uphold_appeal(desk: Desk, post: QueryDict, now: datetime) -> str:
    made = appeals.uphold(appeal=_the_appeal(desk, post), reason=text(post, "reason"), by=desk.user, now=now)
    return _("The appeal of table %(table)d is upheld; its phone shows why.") % {"table": made.player.table}


def again_word(desk: Desk, post: QueryDict, now: datetime) -> str:
    return _told(
        reopening.rule_word(
            turn=_again(desk, post),
            word=text(post, "word"),
            ruling=_ruling(post),
            reason=text(post, "reason"),
            by=desk.user,
            now=now,
            seen=post.get("seen"),
            appeal=_appeal(desk, post),
        )
    )


def again_slip(desk: Desk, post: QueryDict, now: datetime) -> str:
    return _told(
        reopening.decide(
            turn=_again(desk, post),
            group=text(post, "group"),
            points=_points(post),
            reason=text(post, "reason"),
            by=desk.user,
            now=now,
            seen=post.get("seen"),
            appeal=_appeal(desk, post),
        )
    )


def again_warning(desk: Desk, post: QueryDict, now: datetime) -> str:
    return _told(
        reopening.warn(
            turn=_again(desk, post),
            player=player(desk, post),
            code=_code(post),
            given=text(post, "given") == "yes",
            reason=text(post, "reason"),
            by=desk.user,
            now=now,
            seen=post.get("seen"),
            appeal=_appeal(desk, post),
        )
    )


def set_appeals(desk: Desk, post: QueryDict, now: datetime) -> str:
    minutes, end_minutes = number(post, "minutes"), number(post, "end_minutes")
    appeals.set_limits(game=desk.game, minutes=minutes, end_minutes=end_minutes, by=desk.user, now=now)
    return _("Players may appeal so long from now on.")


def _told(entry: LedgerEntry) -> str:
    changed = len(read_differences(entry.data))
    sentence = ngettext(
        "Turn %(turn)d is judged again; %(n)d result is another one (ledger entry %(entry)d).",
        "Turn %(turn)d is judged again; %(n)d results are others (ledger entry %(entry)d).",
        changed,
    )
    return sentence % {"turn": entry.data["turn"], "n": changed, "entry": entry.n}


def _word_again(desk: Desk, post: QueryDict) -> tuple[str, Change]:
    turn, ruling = _again(desk, post), _ruling(post)
    _demand_reason(post)
    word = tile_text(turn.game, text(post, "word"))
    title = (
        _("Accept %(word)s in turn %(turn)d?") if ruling == Ruling.ACCEPTED else _("Strike %(word)s in turn %(turn)d?")
    )
    return title % {"word": word, "turn": turn.number}, again.with_word(turn, word, ruling)


def _slip_again(desk: Desk, post: QueryDict) -> tuple[str, Change]:
    turn, points = _again(desk, post), _points(post)
    reason = _demand_reason(post)
    decision = None if points is None else Decision(points, reason)
    change = again.with_decision(turn, text(post, "group"), decision)
    if points is None:
        return _("Let the rule decide on these slips of turn %(turn)d again?") % {"turn": turn.number}, change
    title = _("Give %(points)d points for these slips of turn %(turn)d?")
    return title % {"points": points, "turn": turn.number}, change


def _warning_again(desk: Desk, post: QueryDict) -> tuple[str, Change]:
    turn, warned, given = _again(desk, post), player(desk, post), text(post, "given") == "yes"
    _demand_reason(post)
    change = again.with_warning(turn, warned.pk, _code(post), given=given)
    if given:
        title = _("Warn table %(table)d in turn %(turn)d?")
    else:
        title = _("Take the warning of table %(table)d in turn %(turn)d back?")
    return title % {"table": warned.table, "turn": turn.number}, change


def _demand_reason(post: QueryDict) -> str:
    reason = validators.reason(post.get("reason", ""))
    if not reason:
        raise Refused(_("Give a reason for the decision."))
    return reason


AGAIN_ACTIONS: Mapping[str, Action] = {
    "paper-appeal": paper_appeal,
    "reject-appeal": reject_appeal,
    "uphold-appeal": uphold_appeal,
    "again-word": again_word,
    "again-slip": again_slip,
    "again-warning": again_warning,
    "set-appeals": set_appeals,
}

AGAIN_PROPOSALS: Mapping[str, Proposed] = {
    "again-word": _word_again,
    "again-slip": _slip_again,
    "again-warning": _warning_again,
}
