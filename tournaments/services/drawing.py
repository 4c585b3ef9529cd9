"""Racks: drawn by the reproducible draw, or typed from a physical bag and checked. The tops are searched at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from engine.draw import Drawn, Ended, RackBreaksRule, TypedRackError, check_typed_rack, draw, draw_key
from engine.game_solver import GameSolver
from engine.rules.profile import Profile
from engine.tiles import Tiles
from tournaments import lexicons, signals
from tournaments.enums import DrawMode, EndReason, GameState
from tournaments.errors import AlreadyDone, Refused
from tournaments.lexicons import Rulings
from tournaments.models import Game, Room, Turn, TurnClock
from tournaments.position import Left, formula_of, profile_of, what_is_left
from tournaments.scripts import end_of_replay, next_turn, rack_without_seed
from tournaments.selectors.phases import current_turn
from tournaments.services.acting import acting_on, record
from tournaments.services.discarding import discard_unannounced
from tournaments.services.ending import finish
from tournaments.tops import search_tops

# With a typed rack nothing is drawn; only whether anything could be is asked.
_NO_KEY = b""


@dataclass(frozen=True, slots=True)
class _Basis:
    """Everything that a draw depends on."""

    left: Left
    rulings: Rulings
    hall_word: str
    rejected: tuple[str, ...]


def draw_turn(*, game: Game, now: datetime, by: User | None) -> Turn | None:
    """Draw the rack of the next turn and search its tops; None when nothing can be drawn and the game is over.

    When nobody was correct and the same letters are played again, they are the rack, and nothing is drawn. Where racks
    are typed this else only ends a game that is over.
    """
    _demand_next(game)
    basis = _basis(game)
    drawn = _draw(game, basis)
    with acting_on(game) as locked:
        _demand_next(locked)
        if _basis(locked) != basis:
            basis = _basis(locked)
            drawn = _draw(locked, basis)
        if why := _why_over(locked, basis, drawn):
            finish(game=locked, why=why, left=basis.left, now=now, by=by)
            return None
        if locked.draw_mode == DrawMode.TYPED and not basis.left.again and next_turn(locked, basis.left) is None:
            raise Refused(_("The racks of this game are drawn from a bag: type the letters."))
        assert isinstance(drawn, Drawn)  # noqa: S101  else the game was over
        _demand_scripted(locked, basis, drawn)
        return _new_turn(locked, basis, drawn.rack, [rack.text for rack in drawn.rejected], now, by)


def type_rack(*, game: Game, text: str, now: datetime, by: User | None, attempt: int | None = None) -> Turn | None:
    """The rack of the next turn as it came out of a physical bag, whole or only its new letters.

    A rack that breaks the rule, or with which no move is possible, is kept for the log and must go back: `Refused`
    says so. `attempt` is the number of racks that the page of whoever typed showed as rejected; it makes the second
    half of a double click harmless. None when the game turns out to be over.
    """
    refusal: Refused | None = None
    with acting_on(game) as locked:
        _demand_typed(locked, attempt)
        basis = _basis(locked)
        if basis.left.again:
            raise Refused(_("Nobody was correct: the same letters are played again, and none are typed."))
        if next_turn(locked, basis.left) is not None:
            raise Refused(_("The racks of this game stand in its script: draw the next one."))
        over = _why_over(locked, basis, _draw(locked, basis))
        if over:
            finish(game=locked, why=over, left=basis.left, now=now, by=by)
            return None
        try:
            rack = _typed_rack(locked, basis, text)
        except _Blocked:
            finish(game=locked, why=EndReason.NO_MOVE, left=basis.left, now=now, by=by)
            return None
        except _GoesBack as back:
            _reject(locked, basis, back.rack, now, by)
            refusal = Refused(back.sentence)
        else:
            Game.objects.filter(pk=locked.pk).update(typed_rejected=[])
            return _new_turn(locked, basis, rack, list(basis.rejected), now, by)
    raise refusal


def take_back_rack(*, game: Game, now: datetime, by: User | None) -> None:
    """Where racks are typed: forget the last one, typed wrongly, as long as it is not announced."""
    with acting_on(game) as locked:
        if locked.draw_mode != DrawMode.TYPED:
            raise Refused(_("The program draws the racks of this game, and would draw the same one again."))
        turn = current_turn(locked)
        if turn is not None and turn.placed_at is None:
            number = turn.number
            discard_unannounced(turn=turn)
            rejected, taken = turn.rejected, turn.rack
        elif locked.typed_rejected:
            number = what_is_left(locked).turn
            *rejected, taken = locked.typed_rejected
        else:
            raise Refused(_("There is no rack to take back."))
        Game.objects.filter(pk=locked.pk).update(typed_rejected=rejected)
        record(game=locked, kind="rack_taken_back", by=by, now=now, data={"turn": number, "rack": taken})
        signals.changed(locked)


class _Blocked(Exception):
    """A typed rack without a move, by which the profile ends the game."""


class _GoesBack(Exception):
    """A typed rack that must go back whole."""

    def __init__(self, rack: Tiles, sentence: str) -> None:
        super().__init__(sentence)
        self.rack = rack
        self.sentence = sentence


def _demand_next(game: Game) -> None:
    """The next rack is due."""
    if game.state == GameState.FINISHED:
        raise AlreadyDone(_("The game is over."))
    turn = current_turn(game)
    if turn is not None and turn.placed_at is None:
        raise AlreadyDone(_("The rack of turn %(turn)d is drawn already.") % {"turn": turn.number})


def _demand_typed(game: Game, attempt: int | None) -> None:
    if game.draw_mode != DrawMode.TYPED:
        raise Refused(_("The program draws the racks of this game."))
    _demand_next(game)
    if attempt is not None and attempt != len(game.typed_rejected):
        raise AlreadyDone(_("This rack has been typed already."))


def _basis(game: Game) -> _Basis:
    left = what_is_left(game)
    rejected = tuple(Game.objects.values_list("typed_rejected", flat=True).get(pk=game.pk))
    return _Basis(left, lexicons.rulings_of(game, left.turn), game.hall_word, rejected)


def _draw(game: Game, basis: _Basis) -> Drawn | Ended:
    """The rack that the seed gives; for a typed game only whether anything can be drawn."""
    left, profile, formula = basis.left, profile_of(game), formula_of(game)
    if left.again:
        return Drawn(left.kept, (), 1)
    if (scripted := rack_without_seed(game, left)) is not None:
        return scripted
    solver = lexicons.solver_for(game, left.turn, basis.rulings)
    if game.draw_mode == DrawMode.TYPED:
        drawn = draw(_NO_KEY, left.turn, left.kept, left.bag, profile, formula=formula)
        return Ended("no_move") if _is_blocked(left, profile, solver) and isinstance(drawn, Drawn) else drawn
    return draw(
        draw_key(bytes(game.seed), game.hall_word or None),
        left.turn,
        left.kept,
        left.bag,
        profile,
        partial(solver.has_move, left.board),
        formula=formula,
        letters_of_blank=partial(solver.letters_of_blank, left.board),
    )


def _demand_scripted(game: Game, basis: _Basis, drawn: Drawn) -> None:
    """A prepared game gives the racks of its script while nobody has ruled on a word, which may change the draw."""
    scripted = next_turn(game, basis.left)
    if scripted is not None and scripted["rack"] != drawn.rack.text and not basis.rulings:
        raise Refused(_("The script of this prepared game was changed: its racks are not those of its seed."))


def _is_blocked(left: Left, profile: Profile, solver: GameSolver) -> bool:
    """All that is left is one rack, and it has no move."""
    whole = solver.formula.drawable(left.pool)
    return whole.total <= profile.rack_size and not solver.has_move(left.board, whole)


def _why_over(game: Game, basis: _Basis, drawn: Drawn | Ended) -> str:
    """Why there is no next turn; empty when there is one."""
    if _turns_are_played(game, basis.left):
        return EndReason.TURNS
    return drawn.why if isinstance(drawn, Ended) else end_of_replay(game, basis.left)


def _turns_are_played(game: Game, left: Left) -> bool:
    most = profile_of(game).max_turns
    return most is not None and left.turn > most


def _typed_rack(game: Game, basis: _Basis, text: str) -> Tiles:
    left, profile = basis.left, profile_of(game)
    kept, bag = left.kept, left.bag
    if basis.rejected:
        kept, bag = Tiles.none(left.pool.edition), left.pool
    try:
        rack = check_typed_rack(text, kept, bag, left.turn, profile, formula_of(game))
    except RackBreaksRule as error:
        raise _GoesBack(error.rack, error.sentence(_)) from None
    except TypedRackError as error:
        raise Refused(error.sentence(_)) from None
    if not lexicons.solver_for(game, left.turn, basis.rulings).has_move(left.board, rack):
        if profile.no_legal_move == "end":
            raise _Blocked
        sentence = _("No move is possible with %(rack)s: put all its tiles back and draw a new rack.")
        raise _GoesBack(rack, sentence % {"rack": rack.text})
    return rack


def _reject(game: Game, basis: _Basis, rack: Tiles, now: datetime, by: User | None) -> None:
    Game.objects.filter(pk=game.pk).update(typed_rejected=[*basis.rejected, rack.text])
    record(game=game, kind="rejected", by=by, now=now, data={"turn": basis.left.turn, "rack": rack.text})
    signals.changed(game)


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
    record(game=game, kind="draw", by=by, now=now, data=drawn)
    signals.changed(game)
    return turn
