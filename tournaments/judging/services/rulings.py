"""Rulings on unplaced turns: on words, for the rest of the event, and on groups of slips. The turn is judged again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from tournaments import signals, validators
from tournaments.enums import ClockState, Ruling
from tournaments.errors import AlreadyDone, Refused
from tournaments.events.queries.events import get_drawing_room
from tournaments.judging.derivation import Decision
from tournaments.judging.queries import preview
from tournaments.judging.queries.differences import describe_slip, get_ruling_impact
from tournaments.judging.services import own_slips
from tournaments.judging.services.judge_slips import judge_groups, judge_turn
from tournaments.judging.services.ruling_checks import (
    get_unplaced_turn,
    get_unshown_turn,
    require_current_preview,
    require_points,
    require_reason,
    require_ruling,
    require_version,
    require_word_changes,
    tile_text,
)
from tournaments.judging.services.ruling_request import RulingRequest
from tournaments.judging.services.ruling_storage import store_decision, store_word_ruling
from tournaments.judging.verdicts import to_written_slip
from tournaments.lexicons import word_lists
from tournaments.models import Entry, Game, Room, SlipRuling, Turn, TurnClock, Verdict, WordRuling, players_in
from tournaments.play.position import board_before, edition_of, rack_of
from tournaments.play.services.game_lock import append_to_ledger, lock_game
from tournaments.play.tops import search_tops


def rule_word(*, turn: Turn, word: str, ruling: str, request: RulingRequest, groups: Sequence[str] = ()) -> WordRuling:
    """Accept a word that is not in the list, or strike one that is, as of this turn and for the rest of the event.

    The tops of the turn are searched and its slips judged again; the board does not change. `groups` are the groups of
    slips on which the judge ruled, if any.
    """
    text = require_ruling(turn.game, word, ruling)
    request = replace(request, reason=validators.reason(request.reason))
    # Building the word list with the ruling is slow: build and cache it before the game is locked.
    word_lists.open_lexicon(
        turn.game, turn.number, word_lists.rulings_of(turn.game, turn.number).with_word(text, ruling)
    )
    with lock_game(turn.game) as game:
        current = get_unplaced_turn(game, turn)
        require_version(current, request, groups, text)
        require_word_changes(game, current, text, ruling)
        require_current_preview(request.seen, lambda: preview.propose_word(current, text, ruling))
        return _rule_word(current, text, ruling, request)


def revoke_word(*, turn: Turn, word: str, request: RulingRequest) -> None:
    """Revoke a ruling on a word. If it is of an earlier turn, the opposite is ruled as of this turn."""
    text = tile_text(turn.game, word)
    with lock_game(turn.game) as game:
        current = get_unplaced_turn(game, turn)
        standing = WordRuling.objects.filter(
            game=game, word=text, revoked_at=None, from_turn__lte=current.number
        ).order_by("from_turn", "pk")
        last = standing.last()
        if last is None:
            raise AlreadyDone(_("There is no ruling on %(word)s.") % {"word": text})
        once_revoked = word_lists.ruling_after_revocation(game, current.number, text)
        require_current_preview(request.seen, lambda: preview.propose_word(current, text, once_revoked))
        if last.from_turn == current.number:
            WordRuling.objects.filter(pk=last.pk).update(revoked_at=request.now)
            effect = get_ruling_impact(preview.propose_word(current, text, once_revoked))
            own = own_slips.own_slip_mark_of_impact(game.event, effect, request.by)
            own_slips.require_own_ruling(own, [last.by_id], request.by)
            revoked = {"word": text, "ruling": "revoked", "turn": current.number, **effect, **own}
            append_to_ledger(game=game, kind="word_ruling", by=request.by, now=request.now, data=revoked)
            rejudge(game, current)
        else:
            opposite = Ruling.STRUCK if last.ruling == Ruling.ACCEPTED else Ruling.ACCEPTED
            _rule_word(current, text, opposite, replace(request, reason=_("The earlier ruling was taken back.")))


def carry_over_rulings(*, game: Game, by: User | None, now: datetime) -> list[WordRuling]:
    """Copy the standing word rulings of the previous game to a new game of the event; return the copies."""
    before = Game.objects.filter(event=game.event_id, number=game.number - 1).first()
    if before is None:
        return []
    standing = {}
    for row in WordRuling.objects.filter(game=before, revoked_at=None).order_by("from_turn", "pk"):
        standing[row.word] = row
    base = word_lists.graph_of(word_lists.word_list_of_game(game))
    edition = edition_of(game)
    return WordRuling.objects.bulk_create(
        WordRuling(
            event_id=game.event_id,
            game=game,
            word=row.word,
            ruling=row.ruling,
            from_turn=1,
            known_since=1,
            agreed=row.agreed,
            reason=row.reason,
            by=row.by,
            at=now,
        )
        for row in standing.values()
        if (row.ruling == Ruling.ACCEPTED) != (edition.parse_word(row.word) in base)
    )


def decide_groups(
    *, turn: Turn, groups: Sequence[str], points: int, request: RulingRequest, word: str = ""
) -> list[SlipRuling]:
    """Give every slip of these groups the same points instead of those by rule.

    `word` as in `reviews.accept_groups`. The decision applies to identical slips of all rooms, including later ones.
    """
    request = replace(request, reason=require_reason(request.reason))
    decision = Decision(require_points(points), request.reason)
    with lock_game(turn.game) as game:
        room = request.room or get_drawing_room(game.event)
        current = get_unshown_turn(game, turn, room)
        for group in groups:
            _require_slips(current, group, room)
        require_version(current, request, groups, word)
        standing = SlipRuling.objects.filter(turn=current, group__in=groups, revoked_at=None)
        if standing.filter(points=points, reason=decision.reason).count() == len(groups):
            raise AlreadyDone(_("This is decided already."))
        require_current_preview(request.seen, lambda: preview.propose_decisions(current, groups, decision, room))
        standing.update(revoked_at=request.now)
        rulings = [_decide_group(current, group, decision, request) for group in groups]
        _judge_groups(game, current, groups, room)
    return rulings


def revoke_group(*, turn: Turn, group: str, request: RulingRequest) -> None:
    """Let the rule decide on a group of slips again."""
    with lock_game(turn.game) as game:
        room = request.room or get_drawing_room(game.event)
        current = get_unshown_turn(game, turn, room)
        standing = SlipRuling.objects.filter(turn=current, group=group, revoked_at=None)
        if not standing.exists():
            raise AlreadyDone(_("The rule decides on these slips already."))
        _require_undecided(current, group, room)
        require_version(current, request, [group])
        require_current_preview(request.seen, lambda: preview.propose_decisions(current, [group], None, room))
        own = own_slips.own_slip_mark_of_group(current, group, request.by)
        own_slips.require_own_ruling(own, list(standing.values_list("by", flat=True)), request.by)
        standing.update(revoked_at=request.now)
        _record_decision(current, group, None, replace(request, reason=""))
        _judge_groups(game, current, [group], room)


def _require_slips(turn: Turn, group: str, room: Room) -> None:
    """Refuse a group without written slips in the room, or whose points another room has been shown."""
    slips = Verdict.objects.filter(turn=turn, group=group, player__in=players_in(turn.game, room))
    one = slips.select_related("slip").first()
    if one is None:
        raise Refused(_("This group of slips no longer exists; look at the desk again."))
    _require_undecided(turn, group, room)
    if to_written_slip(one.slip).is_blank:
        raise Refused(_("Nothing was handed in; type the slip before you give points for it."))


def _decide_group(turn: Turn, group: str, decision: Decision, request: RulingRequest) -> SlipRuling:
    """Store and record a decision that is made before its slips are shown."""
    ruling = store_decision(turn, group, decision.points, request)
    _record_decision(turn, group, decision, request)
    return ruling


def _record_decision(turn: Turn, group: str, decision: Decision | None, request: RulingRequest) -> None:
    details = {
        "turn": turn.number,
        "group": group,
        "points": decision.points if decision else None,
        "reason": request.reason,
        **describe_slip(turn, group),
        **get_ruling_impact(preview.propose_decisions(turn, [group], decision)),
        **own_slips.own_slip_mark_of_group(turn, group, request.by),
    }
    append_to_ledger(game=turn.game, kind="slip_ruling", by=request.by, now=request.now, data=details)


def _require_undecided(turn: Turn, group: str, room: Room) -> None:
    """Refuse a decision on slips whose verdict another room has been shown: identical slips get the same points."""
    shown = Room.objects.filter(clocks__turn=turn, clocks__shown_at__isnull=False).exclude(pk=room.pk)
    players = Entry.objects.filter(game=turn.game, room__in=shown).values("player")
    if Verdict.objects.filter(turn=turn, group=group, player__in=players).exists():
        raise Refused(_("The same slip was decided on in a room that has been shown the move: so it counts here, too."))


def _judge_groups(game: Game, turn: Turn, groups: Sequence[str], room: Room) -> None:
    """Judge these groups again in all rooms; notify all rooms if another than `room` is affected."""
    alone = judge_groups(turn=turn, groups=groups) == [room]
    signals.send_game_changed(game, room if alone else None)


def _rule_word(turn: Turn, word: str, ruling: str, request: RulingRequest) -> WordRuling:
    """Store and record a ruling, and judge the turn again."""
    row = store_word_ruling(turn, word, ruling, request)
    effect = get_ruling_impact(preview.propose_word(turn, word, ruling))
    own = own_slips.own_slip_mark_of_impact(turn.game.event, effect, request.by)
    own_slips.require_reason(own, request.reason)
    ruled = {"word": word, "ruling": str(ruling), "turn": turn.number, "reason": request.reason, **effect, **own}
    append_to_ledger(game=turn.game, kind="word_ruling", by=request.by, now=request.now, data=ruled)
    rejudge(turn.game, turn)
    return row


def search_turn(game: Game, turn: Turn) -> None:
    """Search and store the tops of an unplaced turn with the words that count now."""
    rulings = word_lists.rulings_of(game, turn.number)
    turn.tops = search_tops(game, turn.number, board_before(turn), rack_of(turn), rulings)
    turn.top = turn.tops[0]["score"] if turn.tops else 0
    Turn.objects.filter(pk=turn.pk).update(tops=turn.tops, top=turn.top)


def rejudge(game: Game, turn: Turn) -> None:
    """Search the tops of an unplaced turn and judge its slips with the words that count now."""
    search_turn(game, turn)
    if TurnClock.objects.filter(turn=turn, state=ClockState.CLOSED).exists():
        judge_turn(turn=turn)
    signals.send_game_changed(game)
