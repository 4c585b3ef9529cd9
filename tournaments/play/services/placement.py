"""Choose, place and undo the master move."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.utils import translation
from django.utils.translation import gettext as _

from engine.board.coordinates import UnreadableReference, parse_reference
from engine.board.move import Move
from engine.judging.placement import Fault, place_word
from engine.judging.verdict_text import master_sentence, reason_sentence
from engine.tiles.edition import UnknownLetter
from engine.turn_results.master_move import MasterMove
from tournaments import signals, validators
from tournaments.enums import ChosenBy, ClockState, EndReason, GameState
from tournaments.errors import AlreadyDone, Refused
from tournaments.events.queries.events import get_drawing_room
from tournaments.judging.queries.master_move import choose_master_move
from tournaments.judging.services.closed_rooms import lock_judged_room
from tournaments.judging.services.ruling_storage import mark_rulings_in_time
from tournaments.lexicons import word_lists
from tournaments.models import Game, Room, Turn, TurnClock
from tournaments.play.draw_seeds import replace_seed
from tournaments.play.position import edition_of, position_of, profile_of
from tournaments.play.queries.phases import current_turn
from tournaments.play.services.game_lock import append_to_ledger, lock_game, seal_room_chains
from tournaments.play.services.return_rack import return_unannounced_rack

__all__ = ["MasterMove", "choose_master_move", "place_move", "undo_placement"]


@dataclass(frozen=True, slots=True)
class _Choice:
    """The move to place, None for none, with its source and reason in the language of the event."""

    move: Move | None
    chosen_by: str
    why: str


def place_move(
    *, turn: Turn, by: User | None, now: datetime, word: str | None = None, ref: str | None = None, why: str = ""
) -> Turn:
    """Place the master move on the board: the automatic choice, or the judge's own (`word` at `ref`).

    The verdicts, the top and the standings of the turn become public in the drawing room; every other room shows them
    separately (`tournaments.play.services.room_follow`).
    """
    reason = validators.reason(why)
    with lock_judged_room(turn.game, get_drawing_room(turn.game.event), now) as game:
        current = _ready_to_place(game, turn)
        if word is None:
            choice = _by_profile(current)
        else:
            choice = _Choice(_parse_judge_move(current, word, ref or ""), ChosenBy.JUDGE, reason)
        _lay_move(game, current, choice, by, now)
    return current


def undo_placement(
    *, game: Game, by: User | None, now: datetime, seed: bytes, seen_finished: bool | None = None
) -> Turn:
    """Undo the last placement, while the next rack is not announced; a rack drawn since is returned.

    A game that ended by the rule continues; if the judge ended it, only the end is undone. Since the seed of a
    finished game is public, the next turns are drawn by `seed`, 32 new secret random bytes with their own commitment.
    `seen_finished`: the page that sent the request showed a finished game; the second request of a double click is
    refused.
    """
    with lock_game(game) as locked:
        turn = current_turn(locked)
        if turn is None:
            raise Refused(_("Nothing is placed yet."))
        if seen_finished is not None and seen_finished != (locked.state == GameState.FINISHED):
            raise AlreadyDone(_("This has been taken back already."), act="undo")
        ended_by = locked.end_why if locked.state == GameState.FINISHED else ""
        more: dict[str, object] = {}
        if ended_by:
            _reopen(locked)
            more = replace_seed(locked, from_turn=turn.number + 1, seed=seed)
        elif turn.placed_at is None:
            turn, more = _return_next_rack(locked, turn)
        if ended_by != EndReason.JUDGE:
            _require_unseen(turn)
            _clear_placement(turn)
            mark_rulings_in_time(turn, now)
        undone = {"turn": turn.number, "ended": ended_by, **more, **seal_room_chains(locked)}
        append_to_ledger(game=locked, kind="undo", by=by, now=now, data=undone)
        signals.send_game_changed(locked)
    return turn


def _ready_to_place(game: Game, turn: Turn) -> Turn:
    current = current_turn(game)
    if current is None or current.pk != turn.pk or current.placed_at is not None:
        raise _placed_error(turn)
    if _clock_of_drawing_room(current).exclude(state=ClockState.CLOSED).exists():
        raise Refused(_("The clock of turn %(turn)d has not closed; close it first.") % {"turn": turn.number})
    return current


def _by_profile(turn: Turn) -> _Choice:
    master = choose_master_move(turn=turn)
    if master is None:
        return _Choice(None, "", "")
    with translation.override(turn.game.event.language):
        why = master_sentence(master, _)
    return _Choice(master.move, ChosenBy(master.chosen_by), why[: validators.REASON_LENGTH])


def _parse_judge_move(turn: Turn, word: str, ref: str) -> Move:
    """Parse the judge's own choice, which must be legal; blanks are used where the rack needs them."""
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
    laid = place_word(codes, reference, position_of(turn), profile, word_lists.open_lexicon(turn.game, turn.number))
    if isinstance(laid, Fault):
        raise Refused(reason_sentence(laid.reason, laid.word or "", _, laid.details))
    return laid.move


def _lay_move(game: Game, turn: Turn, choice: _Choice, by: User | None, now: datetime) -> None:
    move = choice.move
    if move is not None:
        turn.master_word = move.word_text(edition_of(game))
        turn.master_ref = move.reference_text(profile_of(game).notation)
        turn.master_score = move.score
        turn.master_chosen_by = choice.chosen_by
        turn.master_why = choice.why
    turn.placed_at = now
    if Turn.objects.filter(pk=turn.pk, placed_at=None).update(**_placement(turn)) != 1:
        raise _placed_error(turn)
    _clock_of_drawing_room(turn).update(shown_at=now)
    placed = {
        "turn": turn.number,
        "word": turn.master_word,
        "ref": turn.master_ref,
        "score": turn.master_score,
        "chosen_by": str(turn.master_chosen_by),
        "why": turn.master_why,
        **seal_room_chains(game),
    }
    append_to_ledger(game=game, kind="place", by=by, now=now, data=placed)
    signals.send_game_changed(game)


def _placed_error(turn: Turn) -> AlreadyDone:
    sentence = _("Turn %(turn)d is on the board already.") % {"turn": turn.number}
    return AlreadyDone(sentence, act="place", turn=turn.number)


def _placement(turn: Turn) -> dict[str, object]:
    fields = ("master_word", "master_ref", "master_score", "master_chosen_by", "master_why", "placed_at")
    return {field: getattr(turn, field) for field in fields}


def _return_next_rack(game: Game, drawn: Turn) -> tuple[Turn, dict[str, object]]:
    """Return the unseen rack after the last placed turn to the bag. Return that turn and the facts about the rack."""
    before = Turn.objects.filter(game=game, number__lt=drawn.number).order_by("-number").first()
    if before is None:
        raise Refused(_("Nothing is placed yet."))
    return before, return_unannounced_rack(turn=drawn)


def _reopen(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(
        state=GameState.RUNNING, end_why="", end_kept="", end_bag="", finished_at=None
    )


def _clear_placement(turn: Turn) -> None:
    turn.master_word = turn.master_ref = turn.master_chosen_by = turn.master_why = ""
    turn.master_score = turn.placed_at = None
    Turn.objects.filter(pk=turn.pk).update(**_placement(turn))
    _clock_of_drawing_room(turn).update(shown_at=None)
    Game.objects.filter(pk=turn.game_id).update(typed_rejected=[])


def _clock_of_drawing_room(turn: Turn) -> QuerySet[TurnClock]:
    return TurnClock.objects.filter(turn=turn, room__number=Room.DRAWING)


def _require_unseen(turn: Turn) -> None:
    """Refuse if a room that follows has shown the move already."""
    elsewhere = TurnClock.objects.filter(turn=turn, shown_at__isnull=False).exclude(room__number=Room.DRAWING)
    room = elsewhere.order_by("room__number").values_list("room__name", flat=True).first()
    if room is not None:
        raise Refused(
            _("The room “%(room)s” has been shown the move of turn %(turn)d: take it back there first.")
            % {"room": room, "turn": turn.number}
        )
