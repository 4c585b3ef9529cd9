"""Racks: drawn by the reproducible draw, or typed from a physical bag and validated. Searches the tops at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from engine.draw.reproducible import (
    DrawnRack,
    GameOver,
    RackBreaksRule,
    TypedRackError,
    check_typed_rack,
    draw_key,
    draw_next_rack,
)
from engine.rules.profile import Profile
from engine.search.game_solver import GameSolver
from engine.tiles.tiles import Tiles
from tournaments import signals
from tournaments.enums import DrawMode, EndReason, GameState
from tournaments.errors import AlreadyDone, Refused
from tournaments.events.queries.events import get_drawing_room
from tournaments.lexicons import word_lists
from tournaments.lexicons.word_lists import Rulings
from tournaments.models import Game, Room, Turn, TurnClock
from tournaments.play.position import DrawPosition, get_draw_position, profile_of, variant_of
from tournaments.play.queries.phases import current_turn
from tournaments.play.services.game_end import finish_game
from tournaments.play.services.game_lock import append_to_ledger, lock_room
from tournaments.play.services.return_rack import return_unannounced_rack
from tournaments.play.tops import search_tops
from tournaments.prepared.scripts import next_turn, rack_without_seed, replay_end_reason

# With a typed rack nothing is drawn; only whether anything could be is asked.
_NO_KEY = b""


@dataclass(frozen=True, slots=True)
class _Basis:
    """Everything that a draw depends on."""

    left: DrawPosition
    rulings: Rulings
    hall_word: str
    rejected: tuple[str, ...]


def draw_turn(*, game: Game, now: datetime, by: User | None) -> Turn | None:
    """Draw the rack of the next turn and search its tops; None when nothing can be drawn and the game is over.

    If nobody was correct and the variant repeats the letters, they are the rack and nothing is drawn. Where racks are
    typed, this function otherwise only ends a game that is over.
    """
    _require_next(game)
    basis = _load_basis(game)
    drawn = _draw(game, basis)
    with lock_room(game, get_drawing_room(game.event)) as locked:
        _require_next(locked)
        if _load_basis(locked) != basis:
            basis = _load_basis(locked)
            drawn = _draw(locked, basis)
        if why := _end_reason(locked, basis, drawn):
            finish_game(game=locked, why=why, left=basis.left, now=now, by=by)
            return None
        if locked.draw_mode == DrawMode.TYPED and not basis.left.again and next_turn(locked, basis.left) is None:
            raise Refused(_("The racks of this game are drawn from a bag: type the letters."))
        assert isinstance(drawn, DrawnRack)  # noqa: S101  else the game was over
        _require_scripted(locked, basis, drawn)
        return _new_turn(locked, basis, drawn.rack, [rack.text for rack in drawn.rejected], now, by)


def type_rack(*, game: Game, text: str, now: datetime, by: User | None, attempt: int | None = None) -> Turn | None:
    """Store the rack of the next turn as drawn from a physical bag, whole or only its new letters.

    A rack that breaks the rule, or has no move, is recorded as rejected, and `Refused` is raised. `attempt` is the
    number of rejected racks that the typist's page showed, so that a double click has no effect. None when the game
    turns out to be over.
    """
    refusal: Refused | None = None
    with lock_room(game, get_drawing_room(game.event)) as locked:
        _require_typed(locked, attempt)
        basis = _load_basis(locked)
        if basis.left.again:
            raise Refused(_("Nobody was correct: the same letters are played again, and none are typed."))
        if next_turn(locked, basis.left) is not None:
            raise Refused(_("The racks of this game stand in its script: draw the next one."))
        over = _end_reason(locked, basis, _draw(locked, basis))
        if over:
            finish_game(game=locked, why=over, left=basis.left, now=now, by=by)
            return None
        try:
            rack = _typed_rack(locked, basis, text)
        except _NoMovePossible:
            finish_game(game=locked, why=EndReason.NO_MOVE, left=basis.left, now=now, by=by)
            return None
        except _RackRejected as back:
            _reject(locked, basis, back.rack, now, by)
            refusal = Refused(back.sentence)
        else:
            Game.objects.filter(pk=locked.pk).update(typed_rejected=[])
            return _new_turn(locked, basis, rack, list(basis.rejected), now, by)
    raise refusal


def take_back_rack(*, game: Game, now: datetime, by: User | None) -> None:
    """Remove the last rack, typed wrongly, as long as it is not announced."""
    with lock_room(game, get_drawing_room(game.event)) as locked:
        if locked.draw_mode != DrawMode.TYPED:
            raise Refused(_("The program draws the racks of this game, and would draw the same one again."))
        turn = current_turn(locked)
        if turn is not None and turn.placed_at is None:
            number = turn.number
            return_unannounced_rack(turn=turn)
            rejected, taken = turn.rejected, turn.rack
        elif locked.typed_rejected:
            number = get_draw_position(locked).turn
            *rejected, taken = locked.typed_rejected
        else:
            raise Refused(_("There is no rack to take back."))
        Game.objects.filter(pk=locked.pk).update(typed_rejected=rejected)
        append_to_ledger(game=locked, kind="rack_taken_back", by=by, now=now, data={"turn": number, "rack": taken})
        signals.send_game_changed(locked)


class _NoMovePossible(Exception):
    """A typed rack without a move, which ends the game by its profile."""


class _RackRejected(Exception):
    """A typed rack that must be returned completely."""

    def __init__(self, rack: Tiles, sentence: str) -> None:
        super().__init__(sentence)
        self.rack = rack
        self.sentence = sentence


def _require_next(game: Game) -> None:
    """Require that the next rack may be drawn."""
    if game.state == GameState.FINISHED:
        raise AlreadyDone(_("The game is over."))
    turn = current_turn(game)
    if turn is not None and turn.placed_at is None:
        raise AlreadyDone(
            _("The rack of turn %(turn)d is drawn already.") % {"turn": turn.number}, act="draw", turn=turn.number
        )


def _require_typed(game: Game, attempt: int | None) -> None:
    if game.draw_mode != DrawMode.TYPED:
        raise Refused(_("The program draws the racks of this game."))
    _require_next(game)
    if attempt is not None and attempt != len(game.typed_rejected):
        raise AlreadyDone(_("This rack has been typed already."))


def _load_basis(game: Game) -> _Basis:
    left = get_draw_position(game)
    rejected = tuple(Game.objects.values_list("typed_rejected", flat=True).get(pk=game.pk))
    return _Basis(left, word_lists.rulings_of(game, left.turn), game.hall_word, rejected)


def _draw(game: Game, basis: _Basis) -> DrawnRack | GameOver:
    """Draw the rack that the seed gives; for a typed game only check if anything can be drawn."""
    left, profile, variant = basis.left, profile_of(game), variant_of(game)
    if left.again:
        return DrawnRack(left.kept, (), 1)
    if (scripted := rack_without_seed(game, left)) is not None:
        return scripted
    solver = word_lists.get_solver(game, left.turn, basis.rulings)
    if game.draw_mode == DrawMode.TYPED:
        drawn = draw_next_rack(_NO_KEY, left.turn, left.kept, left.bag, profile, variant=variant)
        return GameOver("no_move") if _is_blocked(left, profile, solver) and isinstance(drawn, DrawnRack) else drawn
    return draw_next_rack(
        draw_key(bytes(game.seed), game.hall_word or None),
        left.turn,
        left.kept,
        left.bag,
        profile,
        partial(solver.has_move, left.board),
        variant=variant,
        letters_of_blank=partial(solver.letters_of_blank, left.board),
    )


def _require_scripted(game: Game, basis: _Basis, drawn: DrawnRack) -> None:
    """Require the rack of the script while no ruling on a word can have changed the draw."""
    scripted = next_turn(game, basis.left)
    if scripted is not None and scripted["rack"] != drawn.rack.text and not basis.rulings:
        raise Refused(_("The script of this prepared game was changed: its racks are not those of its seed."))


def _is_blocked(left: DrawPosition, profile: Profile, solver: GameSolver) -> bool:
    """Return True when the remaining letters are one rack without a move."""
    whole = solver.variant.drawable(left.pool)
    return whole.total <= profile.rack_size and not solver.has_move(left.board, whole)


def _end_reason(game: Game, basis: _Basis, drawn: DrawnRack | GameOver) -> str:
    """The reason why there is no next turn; empty when there is one."""
    if _turns_are_played(game, basis.left):
        return EndReason.TURNS
    return drawn.why if isinstance(drawn, GameOver) else replay_end_reason(game, basis.left)


def _turns_are_played(game: Game, left: DrawPosition) -> bool:
    most = profile_of(game).max_turns
    return most is not None and left.turn > most


def _typed_rack(game: Game, basis: _Basis, text: str) -> Tiles:
    left, profile = basis.left, profile_of(game)
    kept, bag = left.kept, left.bag
    if basis.rejected:
        kept, bag = Tiles.none(left.pool.edition), left.pool
    try:
        rack = check_typed_rack(text, kept, bag, left.turn, profile, variant_of(game))
    except RackBreaksRule as error:
        raise _RackRejected(error.rack, error.sentence(_)) from None
    except TypedRackError as error:
        raise Refused(error.sentence(_)) from None
    if not word_lists.get_solver(game, left.turn, basis.rulings).has_move(left.board, rack):
        if profile.no_legal_move == "end":
            raise _NoMovePossible
        sentence = _("No move is possible with %(rack)s: put all its tiles back and draw a new rack.")
        raise _RackRejected(rack, sentence % {"rack": rack.text})
    return rack


def _reject(game: Game, basis: _Basis, rack: Tiles, now: datetime, by: User | None) -> None:
    Game.objects.filter(pk=game.pk).update(typed_rejected=[*basis.rejected, rack.text])
    append_to_ledger(game=game, kind="rejected", by=by, now=now, data={"turn": basis.left.turn, "rack": rack.text})
    signals.send_game_changed(game)


def _new_turn(game: Game, basis: _Basis, rack: Tiles, rejected: Sequence[str], now: datetime, by: User | None) -> Turn:
    left = basis.left
    tops = search_tops(game, left.turn, left.board, rack, basis.rulings)
    turn = Turn.objects.create(
        game=game,
        number=left.turn,
        kept=left.kept.text,
        rejected=list(rejected),
        rack=rack.text,
        board=left.board.rows,
        top=tops[0]["score"] if tops else 0,
        tops=tops,
        drawn_at=now,
    )
    grace_ms = profile_of(game).grace_ms
    rooms = Room.objects.filter(event=game.event_id)
    TurnClock.objects.bulk_create(TurnClock(room=room, turn=turn, grace_ms=grace_ms) for room in rooms)
    if game.state == GameState.READY:
        Game.objects.filter(pk=game.pk).update(state=GameState.RUNNING, started_at=now)
    drawn = {"turn": turn.number, "kept": turn.kept, "rejected": turn.rejected, "rack": turn.rack}
    append_to_ledger(game=game, kind="draw", by=by, now=now, data=drawn)
    signals.send_game_changed(game)
    return turn
