"""The master move: chosen, laid on everybody's board, taken back."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.utils import translation
from django.utils.translation import gettext as _

from engine.coords import UnreadableReference, parse_reference
from engine.edition import UnknownLetter
from engine.move import Move
from engine.rules.master import Master
from engine.rules.place import Fault, lay
from engine.rules.sentences import master_sentence, reason_sentence
from tournaments import lexicons, signals, validators
from tournaments.draws import draw_anew
from tournaments.enums import ChosenBy, ClockState, EndReason, GameState
from tournaments.errors import AlreadyDone, Refused
from tournaments.models import Game, Room, Turn, TurnClock
from tournaments.position import edition_of, position_of, profile_of
from tournaments.selectors.master import choose
from tournaments.selectors.phases import current_turn
from tournaments.services.acting import acting_on, record
from tournaments.services.discarding import discard_unannounced
from tournaments.services.reopening import in_time_again

__all__ = ["Master", "choose", "place", "undo"]


@dataclass(frozen=True, slots=True)
class _Choice:
    """What is to be laid, None for nothing; who chose it and why, in the language of the event."""

    move: Move | None
    chosen_by: str
    why: str


def place(
    *, turn: Turn, by: User | None, now: datetime, word: str | None = None, ref: str | None = None, why: str = ""
) -> Turn:
    """Lay the master move on the board: the one that `choose` gives, or the judge's own (`word` at `ref`).

    With it the verdicts, the top and the standings of the turn become public in the drawing room; every other room is
    shown them by an act of its own (services/rooms.py).
    """
    reason = validators.reason(why)
    with acting_on(turn.game) as game:
        current = _ready_to_place(game, turn)
        if word is None:
            choice = _by_profile(current)
        else:
            choice = _Choice(_judges_move(current, word, ref or ""), ChosenBy.JUDGE, reason)
        _lay(game, current, choice, by, now)
    return current


def undo(*, game: Game, by: User | None, now: datetime, seed: bytes, seen_finished: bool | None = None) -> Turn:
    """Take the last placement back, while the next rack is not announced; a rack drawn meanwhile is put back.

    A game that ended by the rule goes on with it; when the judge ended it, only that is taken back. Since the seed of
    a game that is over has been shown, the turns to come are drawn by `seed`, 32 new secret random bytes with a
    commitment of their own. `seen_finished`: whether the page of whoever clicked showed a finished game; a second
    click of a double one is then refused.
    """
    with acting_on(game) as locked:
        turn = current_turn(locked)
        if turn is None:
            raise Refused(_("Nothing is placed yet."))
        if seen_finished is not None and seen_finished != (locked.state == GameState.FINISHED):
            raise AlreadyDone(_("This has been taken back already."))
        ended_by = locked.end_why if locked.state == GameState.FINISHED else ""
        more: dict[str, object] = {}
        if ended_by:
            _reopen(locked)
            more = draw_anew(locked, from_turn=turn.number + 1, seed=seed)
        elif turn.placed_at is None:
            turn, more = _without_next(locked, turn)
        if ended_by != EndReason.JUDGE:
            _demand_unseen(turn)
            _take_back(turn)
            in_time_again(turn, now)
        record(game=locked, kind="undo", by=by, now=now, data={"turn": turn.number, "ended": ended_by, **more})
        signals.changed(locked)
    return turn


def _ready_to_place(game: Game, turn: Turn) -> Turn:
    current = current_turn(game)
    if current is None or current.pk != turn.pk or current.placed_at is not None:
        raise AlreadyDone(_("Turn %(turn)d is on the board already.") % {"turn": turn.number})
    if _clock_of_drawing_room(current).exclude(state=ClockState.CLOSED).exists():
        raise Refused(_("The clock of turn %(turn)d has not closed; close it first.") % {"turn": turn.number})
    return current


def _by_profile(turn: Turn) -> _Choice:
    master = choose(turn=turn)
    if master is None:
        return _Choice(None, "", "")
    with translation.override(turn.game.event.language):
        why = master_sentence(master, _)
    return _Choice(master.move, ChosenBy(master.chosen_by), why[: validators.REASON_LENGTH])


def _judges_move(turn: Turn, word: str, ref: str) -> Move:
    """The judge's own choice, which must be legal; blanks are taken where the rack needs them."""
    profile, edition = profile_of(turn.game), edition_of(turn.game)
    try:
        reference = parse_reference(ref, profile.notation)
        codes = edition.parse_word(validators.one_line(word))
    except UnreadableReference:
        raise Refused(_("“%(ref)s” is no reference such as 8H or H8.") % {"ref": ref[:20]}) from None
    except UnknownLetter as error:
        raise Refused(_("No tile of this edition shows %(sign)s.") % {"sign": error.sign[:10]}) from None
    if not codes:
        raise Refused(_("Type the whole word, letters that lie on the board included."))
    laid = lay(codes, reference, position_of(turn), profile, lexicons.open_lexicon(turn.game, turn.number))
    if isinstance(laid, Fault):
        raise Refused(reason_sentence(laid.reason, laid.word or "", _, laid.details))
    return laid.move


def _lay(game: Game, turn: Turn, choice: _Choice, by: User | None, now: datetime) -> None:
    move = choice.move
    if move is not None:
        turn.master_word = move.word_text(edition_of(game))
        turn.master_ref = move.reference_text(profile_of(game).notation)
        turn.master_score = move.score
        turn.master_chosen_by = choice.chosen_by
        turn.master_why = choice.why
    turn.placed_at = now
    if Turn.objects.filter(pk=turn.pk, placed_at=None).update(**_placement(turn)) != 1:
        raise AlreadyDone(_("Turn %(turn)d is on the board already.") % {"turn": turn.number})
    _clock_of_drawing_room(turn).update(shown_at=now)
    placed = {
        "turn": turn.number,
        "word": turn.master_word,
        "ref": turn.master_ref,
        "score": turn.master_score,
        "chosen_by": str(turn.master_chosen_by),
        "why": turn.master_why,
    }
    record(game=game, kind="place", by=by, now=now, data=placed)
    signals.changed(game)


def _placement(turn: Turn) -> dict[str, object]:
    fields = ("master_word", "master_ref", "master_score", "master_chosen_by", "master_why", "placed_at")
    return {field: getattr(turn, field) for field in fields}


def _without_next(game: Game, drawn: Turn) -> tuple[Turn, dict[str, object]]:
    """The placed turn before a rack that nobody has seen, which is put back, and what is told of that."""
    before = Turn.objects.filter(game=game, number__lt=drawn.number).order_by("-number").first()
    if before is None:
        raise Refused(_("Nothing is placed yet."))
    return before, discard_unannounced(turn=drawn)


def _reopen(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(
        state=GameState.RUNNING, end_why="", end_kept="", end_bag="", finished_at=None
    )


def _take_back(turn: Turn) -> None:
    turn.master_word = turn.master_ref = turn.master_chosen_by = turn.master_why = ""
    turn.master_score = turn.placed_at = None
    Turn.objects.filter(pk=turn.pk).update(**_placement(turn))
    _clock_of_drawing_room(turn).update(shown_at=None)
    Game.objects.filter(pk=turn.game_id).update(typed_rejected=[])


def _clock_of_drawing_room(turn: Turn) -> QuerySet[TurnClock]:
    return TurnClock.objects.filter(turn=turn, room__number=Room.DRAWING)


def _demand_unseen(turn: Turn) -> None:
    """A room that follows may have the move on its boards already."""
    elsewhere = TurnClock.objects.filter(turn=turn, shown_at__isnull=False).exclude(room__number=Room.DRAWING)
    room = elsewhere.order_by("room__number").values_list("room__name", flat=True).first()
    if room is not None:
        raise Refused(
            _("The room “%(room)s” has been shown the move of turn %(turn)d: take it back there first.")
            % {"room": room, "turn": turn.number}
        )
