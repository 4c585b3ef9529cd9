"""A turn that is on the board is judged again: the judge rules on a word or a slip of it, or changes a warning.

Verdicts, solos, bonuses and standings follow in all rooms at once, also when the game is over. The board, the racks and
the move that was placed stay as they were played. The list of all differences stands in the ledger, with the reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from tournaments import lexicons, signals, validators
from tournaments.enums import GivenCode, Ruling
from tournaments.errors import AlreadyDone, Refused
from tournaments.judgements import Decision, decisions_in
from tournaments.models import (
    Appeal,
    Game,
    GivenWarning,
    LedgerEntry,
    Player,
    SlipRuling,
    Turn,
    WordRuling,
)
from tournaments.position import board_before, rack_of
from tournaments.selectors import again
from tournaments.selectors.differences import Differences
from tournaments.selectors.preview import Change, derived_by
from tournaments.services import own_slips
from tournaments.services.acting import record
from tournaments.services.appeals import answer, answered_by
from tournaments.services.foreseeing import Foreseen, foreseen
from tournaments.services.judging import write_verdicts
from tournaments.services.reopenable import demand_own_player, demand_same_racks, slip_of
from tournaments.services.rulings import MOST_POINTS, demand_word_changes, tile_text
from tournaments.tops import search_tops


def rule_word(
    *,
    turn: Turn,
    word: str,
    ruling: str,
    reason: str,
    by: User | None,
    now: datetime,
    seen: str | None = None,
    appeal: Appeal | None = None,
) -> LedgerEntry:
    """Accept or strike a word in a turn that is on the board, and from then on until another ruling on it counts.

    `seen` is the token of the preview that was confirmed; `appeal` the one that is upheld by it. Gives the entry that
    tells of it.
    """
    if ruling not in Ruling.values:
        raise ValueError(f"{ruling!r} is no ruling")
    text, why = tile_text(turn.game, word), _reason(reason)

    def ruled(current: Turn) -> Change:
        demand_word_changes(current.game, current, text, ruling)
        change = again.with_word(current, text, ruling)
        demand_same_racks(change)
        return change

    with foreseen(turn, ruled, seen) as found:
        current, game = found.turn, found.turn.game
        row = WordRuling(
            event_id=game.event_id, game=game, word=text, ruling=ruling, from_turn=current.number, reason=why
        )
        _keep_word(row, _next_to_place(game), by, now)
        _search_open_turn(game, current)
        told = {"act": "word", "word": text, "ruling": str(ruling)}
        return _carry_out(found, told, why, appeal, by, now)


def decide(
    *,
    turn: Turn,
    group: str,
    points: int | None,
    reason: str,
    by: User | None,
    now: datetime,
    seen: str | None = None,
    appeal: Appeal | None = None,
) -> LedgerEntry:
    """Give every slip of a group, in all rooms, these points in a turn that is on the board; None: those by the rule.

    `seen` and `appeal` as in `rule_word`.
    """
    why = _reason(reason)
    if points is not None and not 0 <= points <= MOST_POINTS:
        raise Refused(_("Points go from 0 to %(most)d.") % {"most": MOST_POINTS})
    decision = None if points is None else Decision(points, why)

    def decided(current: Turn) -> Change:
        slip_of(current, group)
        if decisions_in(current).get(group) == decision:
            raise AlreadyDone(_("It is decided so already."))
        return again.with_decision(current, group, decision)

    with foreseen(turn, decided, seen) as found:
        current, slip = found.turn, slip_of(found.turn, group)
        standing = SlipRuling.objects.filter(turn=current, group=group, again=True, revoked_at=None)
        standing.update(revoked_at=now)
        SlipRuling.objects.create(
            turn=current,
            group=group,
            points=points or 0,
            reason=why,
            by=by,
            at=now,
            again=True,
            by_rule=points is None,
        )
        told = {"act": "slip", "group": group, "word": slip.word, "ref": slip.place_text, "points": points}
        return _carry_out(found, told, why, appeal, by, now)


def warn(
    *,
    turn: Turn,
    player: Player,
    code: str,
    given: bool,
    reason: str,
    by: User | None,
    now: datetime,
    seen: str | None = None,
    appeal: Appeal | None = None,
) -> LedgerEntry:
    """Give a player a warning in a turn that is on the board, or take one back. `seen`, `appeal` as in `rule_word`."""
    if code not in GivenCode.values:
        raise ValueError(f"{code!r} is no warning of a judge")
    why = _reason(reason)
    standing = GivenWarning.objects.filter(turn=turn, player=player, code=code, revoked_at=None)

    def warned(current: Turn) -> Change:
        demand_own_player(current, player)
        if standing.exists() == given:
            has = _("Table %(table)d has this warning already.")
            has_not = _("Table %(table)d does not have this warning.")
            raise AlreadyDone((has if given else has_not) % {"table": player.table})
        return again.with_warning(current, player.pk, code, given=given)

    with foreseen(turn, warned, seen) as found:
        if given:
            GivenWarning.objects.create(turn=found.turn, player=player, code=code, reason=why, by=by, at=now)
        else:
            standing.update(revoked_at=now)
        told = {"act": "warning", "table": player.table, "code": code, "given": given}
        return _carry_out(found, told, why, appeal, by, now)


def in_time_again(turn: Turn, now: datetime) -> None:
    """The move of a turn was taken back: what was decided once it lay there was in time for the one that is chosen now.
    The caller has locked the game."""
    late = WordRuling.objects.filter(game=turn.game_id, revoked_at=None, ruled_in__gt=turn.number)
    for row in late.order_by("pk"):
        made_in = None if row.from_turn >= turn.number else turn.number
        same = WordRuling.objects.filter(
            game=turn.game_id, word=row.word, from_turn=row.from_turn, ruled_in=made_in, revoked_at=None
        )
        same.update(revoked_at=now)
        WordRuling.objects.filter(pk=row.pk).update(ruled_in=made_in)
    for decided in SlipRuling.objects.filter(turn=turn, revoked_at=None, again=True):
        before = SlipRuling.objects.filter(turn=turn, group=decided.group, revoked_at=None, again=False)
        before.update(revoked_at=now)
        gone = now if decided.by_rule else None
        SlipRuling.objects.filter(pk=decided.pk).update(again=False, revoked_at=gone)


def _reason(text: str) -> str:
    why = validators.reason(text)
    if not why:
        raise Refused(_("Give a reason for the decision."))
    return why


def _next_to_place(game: Game) -> int:
    last = Turn.objects.filter(game=game, placed_at__isnull=False).order_by("-number").first()
    return (last.number if last else 0) + 1


def _keep_word(row: WordRuling, ruled_in: int, by: User | None, now: datetime) -> None:
    """In the place of another one on the same word and turn that no move was chosen with."""
    same = WordRuling.objects.filter(game=row.game, word=row.word, from_turn=row.from_turn, revoked_at=None)
    same.filter(ruled_in=ruled_in).update(revoked_at=now)
    row.ruled_in, row.by, row.at = ruled_in, by, now
    row.save()


def _search_open_turn(game: Game, turn: Turn) -> None:
    """The tops of a turn that is drawn and still played hang on the words, too."""
    later = again.not_closed(game, turn)
    if later is None:
        return
    later.game = game
    rulings = lexicons.rulings_of(game, later.number)
    tops = search_tops(game, later.number, board_before(later), rack_of(later), rulings)
    Turn.objects.filter(pk=later.pk).update(tops=tops, top=tops[0]["score"] if tops else 0)


def _carry_out(
    follows: Foreseen,
    act: Mapping[str, object],
    why: str,
    appeal: Appeal | None,
    by: User | None,
    now: datetime,
) -> LedgerEntry:
    """Write what follows, tell the ledger every difference, answer the appeals that it is about."""
    turn, change, found = follows.turn, follows.change, follows.differences
    tops = _tops_of(change)
    for facts, derived in derived_by(change):
        Turn.objects.filter(pk=facts.turn.pk).update(tops=facts.turn.tops, top=facts.top)
        write_verdicts(turn=facts.turn, derived=derived)
    answered = answered_by(turn, appeal)
    if appeal is not None and act["act"] != "warning":
        _demand_change(turn, appeal, found)
    effect = {"tables": {one.table for one in found.points}}
    told = {
        "turn": turn.number,
        **act,
        **own_slips.mark_of_effect(turn.game.event_id, effect, by),
        "reason": why,
        "appeals": [each.player.table for each in answered],
        "differences": [one.as_json() for one in found.points],
        "solos": found.solos,
        "tops": tops,
    }
    entry = record(game=turn.game, kind="reopened", by=by, now=now, data=told)
    answer(answered, entry, why, by)
    signals.changed(turn.game)
    return entry


def _tops_of(change: Change) -> list[list[int]]:
    before = dict(Turn.objects.filter(game=change.game).values_list("pk", "top"))
    return [
        [facts.turn.number, before[facts.turn.pk] or 0, facts.top]
        for facts in change.facts
        if (before[facts.turn.pk] or 0) != facts.top and facts.turn.placed_at is not None
    ]


def _demand_change(turn: Turn, appeal: Appeal, found: Differences) -> None:
    """Who is right gets other points for his slip."""
    table = appeal.player.table
    if not any((one.turn, one.table) == (turn.number, table) for one in found.points):
        raise Refused(
            _("Table %(table)d would have the same points as before: this ruling does not answer its appeal.")
            % {"table": table}
        )
