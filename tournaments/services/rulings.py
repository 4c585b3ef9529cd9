"""The judge's rulings: on words, remembered for the event, and on single groups of slips. Everything is judged anew."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from engine.edition import BLANK_BIT, UnknownLetter
from engine.lexicon.nodes import LONGEST_WORD
from engine.lexicon.reading import SHORTEST_WORD
from tournaments import lexicons, signals, validators
from tournaments.enums import ClockState, GameState, Ruling
from tournaments.errors import AlreadyDone, Refused
from tournaments.judgements import Decision
from tournaments.models import Entry, Game, Room, SlipRuling, Turn, TurnClock, Verdict, WordRuling, players_in
from tournaments.position import board_before, edition_of, rack_of
from tournaments.selectors import preview
from tournaments.selectors.effects import effect_of, slip_of
from tournaments.selectors.events import first_room
from tournaments.selectors.phases import current_turn, turn_in
from tournaments.services import own_slips
from tournaments.services.acting import acting_on, record
from tournaments.services.colleagues import demand_version
from tournaments.services.judging import judge_groups, judge_turn
from tournaments.tops import search_tops
from tournaments.verdicts import written

MOST_POINTS = 2000


def rule_word(
    *,
    turn: Turn,
    word: str,
    ruling: str,
    reason: str,
    by: User | None,
    now: datetime,
    seen: str | None = None,
    groups: Sequence[str] = (),
    version: str | None = None,
    room: Room | None = None,
) -> WordRuling:
    """Accept a word that is not in the list, or strike one that is, from this turn on and for the rest of the event.

    Tops and verdicts of the turn are found anew; what lies on the board stays. `seen` is the token of the preview that
    the judge confirmed: refused when it would be another one by now. Where he ruled on groups of slips, `version` is
    what he saw of `groups` at the desk of `room`.
    """
    if ruling not in Ruling.values:
        raise ValueError(f"{ruling!r} is no ruling")
    text = tile_text(turn.game, word)
    why = validators.reason(reason)
    # The list with the ruling takes a moment to build; it is then in the cache when the game is locked.
    lexicons.open_lexicon(turn.game, turn.number, lexicons.rulings_of(turn.game, turn.number).with_word(text, ruling))
    with acting_on(turn.game) as game:
        current = unplaced(game, turn)
        demand_version(current, room or first_room(game.event), groups, version, by, text)
        demand_word_changes(game, current, text, ruling)
        demand_seen(seen, lambda: preview.with_word(current, text, ruling))
        return _rule(game, current, text, ruling, why, by, now)


def revoke_word(*, turn: Turn, word: str, by: User | None, now: datetime, seen: str | None = None) -> None:
    """Take a ruling on a word back. One of an earlier turn counted there; from this turn on the opposite is ruled.

    `seen` as in `rule_word`.
    """
    text = tile_text(turn.game, word)
    with acting_on(turn.game) as game:
        current = unplaced(game, turn)
        standing = WordRuling.objects.filter(
            game=game, word=text, revoked_at=None, from_turn__lte=current.number
        ).order_by("from_turn", "pk")
        last = standing.last()
        if last is None:
            raise AlreadyDone(_("There is no ruling on %(word)s.") % {"word": text})
        once_revoked = lexicons.ruling_once_revoked(game, current.number, text)
        demand_seen(seen, lambda: preview.with_word(current, text, once_revoked))
        if last.from_turn == current.number:
            WordRuling.objects.filter(pk=last.pk).update(revoked_at=now)
            effect = effect_of(preview.with_word(current, text, once_revoked))
            own = own_slips.mark_of_effect(game.event, effect, by)
            own_slips.demand_own_ruling(own, [last.by_id], by)
            revoked = {"word": text, "ruling": "revoked", "turn": current.number, **effect, **own}
            record(game=game, kind="word_ruling", by=by, now=now, data=revoked)
            judge_anew(game, current)
        else:
            opposite = Ruling.STRUCK if last.ruling == Ruling.ACCEPTED else Ruling.ACCEPTED
            _rule(game, current, text, opposite, _("The earlier ruling was taken back."), by, now)


def carry_over(*, game: Game, by: User | None, now: datetime) -> list[WordRuling]:
    """Let the words ruled on in the event count in a new game of it, from its first turn. Gives these rulings, for the
    entry that tells of the game's creation."""
    before = Game.objects.filter(event=game.event_id, number=game.number - 1).first()
    if before is None:
        return []
    standing = {}
    for row in WordRuling.objects.filter(game=before, revoked_at=None).order_by("from_turn", "pk"):
        standing[row.word] = row
    base = lexicons.graph_of(lexicons.of_game(game))
    edition = edition_of(game)
    return WordRuling.objects.bulk_create(
        WordRuling(
            event_id=game.event_id,
            game=game,
            word=row.word,
            ruling=row.ruling,
            from_turn=1,
            agreed=row.agreed,
            reason=row.reason,
            by=row.by,
            at=now,
        )
        for row in standing.values()
        if (row.ruling == Ruling.ACCEPTED) != (edition.parse_word(row.word) in base)
    )


def decide_group(
    *,
    turn: Turn,
    group: str,
    points: int,
    reason: str,
    by: User | None,
    now: datetime,
    seen: str | None = None,
    room: Room | None = None,
) -> SlipRuling:
    """Give every slip of a group these points instead of those by rule: `decide_groups` for one of them."""
    [ruling] = decide_groups(
        turn=turn, groups=[group], points=points, reason=reason, by=by, now=now, seen=seen, room=room
    )
    return ruling


def decide_groups(
    *,
    turn: Turn,
    groups: Sequence[str],
    points: int,
    reason: str,
    by: User | None,
    now: datetime,
    seen: str | None = None,
    room: Room | None = None,
    version: str | None = None,
    word: str = "",
) -> list[SlipRuling]:
    """Give every slip of these groups, on which one question decides, so many points instead of those by rule. A judge
    says why. `seen` as in `rule_word`; `version` and `word` as in `looking.accept`.

    Decided at the desk of `room` (the drawing room when None), for the equal slips of all rooms, whenever these come.
    """
    why = validators.reason(reason)
    if not why:
        raise Refused(_("Give a reason for the decision."))
    if not 0 <= points <= MOST_POINTS:
        raise Refused(_("Points go from 0 to %(most)d.") % {"most": MOST_POINTS})
    with acting_on(turn.game) as game:
        room = room or first_room(game.event)
        current = unshown(game, turn, room)
        for group in groups:
            _demand_slips(current, group, room)
        demand_version(current, room, groups, version, by, word)
        standing = SlipRuling.objects.filter(turn=current, group__in=groups, revoked_at=None)
        if standing.filter(points=points, reason=why).count() == len(groups):
            raise AlreadyDone(_("It is decided so already."))
        demand_seen(seen, lambda: preview.with_decisions(current, groups, Decision(points, why), room))
        standing.update(revoked_at=now)
        rulings = [_decide(game, current, group, points, why, by, now) for group in groups]
        _judge_groups(game, current, groups, room)
    return rulings


def revoke_group(
    *,
    turn: Turn,
    group: str,
    by: User | None,
    now: datetime,
    seen: str | None = None,
    room: Room | None = None,
    version: str | None = None,
) -> None:
    """Let the rule decide on a group of slips again. `seen` as in `rule_word`, the others as in `decide_groups`."""
    with acting_on(turn.game) as game:
        room = room or first_room(game.event)
        current = unshown(game, turn, room)
        standing = SlipRuling.objects.filter(turn=current, group=group, revoked_at=None)
        if not standing.exists():
            raise AlreadyDone(_("The rule decides on these slips already."))
        _demand_undecided(current, group, room)
        demand_version(current, room, [group], version, by)
        demand_seen(seen, lambda: preview.with_decision(current, group, None, room))
        own = own_slips.mark_of_group(current, group, by)
        own_slips.demand_own_ruling(own, list(standing.values_list("by", flat=True)), by)
        standing.update(revoked_at=now)
        effect = slip_of(current, group) | effect_of(preview.with_decision(current, group, None))
        revoked = {"turn": current.number, "group": group, "points": None, "reason": "", **effect, **own}
        record(game=game, kind="slip_ruling", by=by, now=now, data=revoked)
        _judge_groups(game, current, [group], room)


def _demand_slips(turn: Turn, group: str, room: Room) -> None:
    """There are slips of this group in the room, something stands on them, and no room has been shown what they get."""
    slips = Verdict.objects.filter(turn=turn, group=group, player__in=players_in(turn.game, room))
    one = slips.select_related("slip").first()
    if one is None:
        raise Refused(_("This group of slips is not there any more; look at the desk again."))
    _demand_undecided(turn, group, room)
    if written(one.slip).is_blank:
        raise Refused(_("Nothing was handed in; type the slip before you give points for it."))


def _decide(game: Game, turn: Turn, group: str, points: int, why: str, by: User | None, now: datetime) -> SlipRuling:
    ruling = SlipRuling.objects.create(turn=turn, group=group, points=points, reason=why, by=by, at=now)
    effect = slip_of(turn, group) | effect_of(preview.with_decision(turn, group, Decision(points, why)))
    own = own_slips.mark_of_group(turn, group, by)
    decided = {"turn": turn.number, "group": group, "points": points, "reason": why, **effect, **own}
    record(game=game, kind="slip_ruling", by=by, now=now, data=decided)
    return ruling


def _demand_undecided(turn: Turn, group: str, room: Room) -> None:
    """What a room was shown stays as it was decided there, and equal slips get the same everywhere."""
    shown = Room.objects.filter(clocks__turn=turn, clocks__shown_at__isnull=False).exclude(pk=room.pk)
    players = Entry.objects.filter(game=turn.game, room__in=shown).values("player")
    if Verdict.objects.filter(turn=turn, group=group, player__in=players).exists():
        raise Refused(_("The same slip was decided on in a room that has been shown the move: so it counts here, too."))


def _judge_groups(game: Game, turn: Turn, groups: Sequence[str], room: Room) -> None:
    """The equal slips of other rooms follow; where they do, everybody is told."""
    alone = judge_groups(turn=turn, groups=groups) == [room]
    signals.changed(game, room if alone else None)


def demand_seen(seen: str | None, change: Callable[[], preview.Change]) -> None:
    """Refuse what was confirmed by a preview that is not true any more; nothing is asked without a preview."""
    if seen is not None and preview.shown(change()).token != seen:
        raise Refused(_("Something has changed since you looked: look again at who gains and loses."))


def _rule(game: Game, turn: Turn, text: str, ruling: str, why: str, by: User | None, now: datetime) -> WordRuling:
    """Write a ruling down, in the place of another of the same turn, and judge the turn anew."""
    WordRuling.objects.filter(game=game, word=text, from_turn=turn.number, revoked_at=None).update(revoked_at=now)
    row = WordRuling.objects.create(
        event_id=game.event_id,
        game=game,
        word=text,
        ruling=ruling,
        from_turn=turn.number,
        reason=why,
        by=by,
        at=now,
    )
    effect = effect_of(preview.with_word(turn, text, ruling))
    own = own_slips.mark_of_effect(game.event, effect, by)
    own_slips.demand_reason(own, why)
    ruled = {"word": text, "ruling": str(ruling), "turn": turn.number, "reason": why, **effect, **own}
    record(game=game, kind="word_ruling", by=by, now=now, data=ruled)
    judge_anew(game, turn)
    return row


def judge_anew(game: Game, turn: Turn) -> None:
    """Tops and verdicts of an unplaced turn, with the words that count now."""
    rulings = lexicons.rulings_of(game, turn.number)
    turn.tops = search_tops(game, turn.number, board_before(turn), rack_of(turn), rulings)
    turn.top = turn.tops[0]["score"] if turn.tops else 0
    Turn.objects.filter(pk=turn.pk).update(tops=turn.tops, top=turn.top)
    if TurnClock.objects.filter(turn=turn, state=ClockState.CLOSED).exists():
        judge_turn(turn=turn)
    signals.changed(game)


def unplaced(game: Game, turn: Turn) -> Turn:
    """The turn as it is now, while rulings on it are still possible; the caller has locked the game."""
    current = current_turn(game)
    if current is None or current.pk != turn.pk or game.state == GameState.FINISHED:
        raise Refused(_("This turn is over; rulings count from the next one on."))
    if current.placed_at is not None:
        raise Refused(
            _("Turn %(turn)d is on the board; undo the placement, or rule in the next turn.") % {"turn": current.number}
        )
    return current


def unshown(game: Game, turn: Turn, room: Room) -> Turn:
    """The turn as it is now, while its slips may still be decided on in a room; the caller has locked the game."""
    if room.is_drawing:
        return unplaced(game, turn)
    current = turn_in(game, room)
    if current is None or current.pk != turn.pk:
        raise Refused(_("This turn is over; rulings count from the next one on."))
    if TurnClock.objects.filter(turn=current, room=room, shown_at__isnull=False).exists():
        raise Refused(
            _("This room has been shown the move of turn %(turn)d: take it back first.") % {"turn": current.number}
        )
    return current


def tile_text(game: Game, word: str) -> str:
    """A typed word in tile text, all upper case; `Refused` for what is none."""
    edition = edition_of(game)
    typed = validators.one_line(word)
    try:
        codes = tuple(code & ~BLANK_BIT for code in edition.parse_word(typed))
    except UnknownLetter as error:
        raise Refused(_("No tile of this edition shows %(sign)s.") % {"sign": error.sign[:10]}) from None
    if not SHORTEST_WORD <= len(codes) <= LONGEST_WORD:
        raise Refused(
            _("A word has %(shortest)d to %(longest)d letters.") % {"shortest": SHORTEST_WORD, "longest": LONGEST_WORD}
        )
    return edition.word_text(codes)


def demand_word_changes(game: Game, turn: Turn, text: str, ruling: str) -> None:
    """A ruling must change what counts."""
    words = lexicons.open_lexicon(game, turn.number)
    allowed = edition_of(game).parse_word(text) in words
    if ruling == Ruling.ACCEPTED and allowed:
        raise AlreadyDone(_("%(word)s counts as a word already.") % {"word": text})
    if ruling == Ruling.STRUCK and not allowed:
        raise AlreadyDone(_("%(word)s does not count as a word already.") % {"word": text})
