"""Whatever is done in a game, in whatever order: no tile is lost, doubled, or a blank turned into a letter."""

from __future__ import annotations

from contextlib import suppress

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.edition import load_edition
from engine.tiles import Tiles
from tests.tournaments.night import Night, begin, chance, hand_in_something
from tournaments.enums import DrawMode, GameState, Ruling
from tournaments.errors import Refused
from tournaments.models import Turn
from tournaments.position import board_before, rack_of, what_is_left
from tournaments.selectors.desk import desk_view, tops
from tournaments.services import drawing, ending

FULL = Tiles.full_bag(load_edition("it"))
ACTS = ("turn", "turn", "turn", "draw", "undo", "rule", "choose", "end", "bad rack")


class _RolledBack(Exception):
    """Each example starts from an empty database."""


def assert_every_tile_is_there_once(night: Night) -> None:
    left = what_is_left(night.refresh())
    assert left.board.tiles + left.kept + left.bag == FULL
    bag = Tiles.parse(FULL.edition, desk_view(night.game, night.room, night.now).bag)
    turn = Turn.objects.filter(game=night.game).order_by("-number").select_related("game").first()
    if turn is None or turn.placed_at is not None:
        in_hand = Tiles.none(FULL.edition) if night.game.typed_rejected else left.kept
        board = left.board
    else:
        in_hand, board = rack_of(turn), board_before(turn)
    assert board.tiles + in_hand + bag == FULL


def draw_by_hand(night: Night, seed: int) -> Turn | None:
    """The next rack, out of a physical bag."""
    game = night.refresh()
    left = what_is_left(game)
    kept = Tiles.none(FULL.edition) if game.typed_rejected else left.kept
    bag = (left.pool - kept).kinds()
    new = chance(seed).sample(bag, min(7 - kept.total, len(bag)))
    text = Tiles.of_kinds(FULL.edition, new).text
    return drawing.type_rack(game=game, text=text, now=night.later(), by=night.judge)


def next_rack(night: Night, seed: int) -> None:
    if night.game.draw_mode == DrawMode.SEEDED:
        night.draw()
        return
    for attempt in range(30):
        with suppress(Refused):
            draw_by_hand(night, seed + attempt)
            return


def act(night: Night, what: str, seed: int) -> None:
    if what in ("rule", "choose") and not Turn.objects.filter(game=night.game).exists():
        return
    if what == "draw":
        next_rack(night, seed)
    elif what == "undo":
        night.undo()
    elif what == "rule":
        night.rule(next((top.word for top in tops(night.turn)), "CASA"), Ruling.STRUCK)
    elif what == "choose":
        night.place(word="CASA", ref="8H")
    elif what == "end":
        ending.end_game(game=night.refresh(), by=night.judge, now=night.later())
    elif what == "bad rack":
        drawing.type_rack(game=night.refresh(), text="AAEEIOU", now=night.later(), by=night.judge)
    elif night.refresh().state != GameState.FINISHED:
        if not _in_play(night):
            next_rack(night, seed)
        night.announce()
        hand_in_something(night, chance(seed))
        night.close()
        night.place()


def _in_play(night: Night) -> bool:
    return Turn.objects.filter(game=night.game, placed_at=None).exists()


@pytest.mark.django_db
@pytest.mark.parametrize("mode", [DrawMode.SEEDED, DrawMode.TYPED])
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.binary(min_size=32, max_size=32), acts=st.lists(st.tuples(st.sampled_from(ACTS), st.integers(0, 999))))
def test_no_tile_is_lost_or_doubled(judge: User, mode: DrawMode, seed: bytes, acts: list[tuple[str, int]]) -> None:
    with suppress(_RolledBack), transaction.atomic():
        night = begin(judge, seed=seed, draw_mode=mode)
        for what, number in acts:
            with suppress(Refused):
                act(night, what, number)
            assert_every_tile_is_there_once(night)
        raise _RolledBack


@pytest.mark.django_db
def test_a_whole_game_uses_every_tile_at_most_once(judge: User) -> None:
    night, rng = begin(judge), chance(5)
    while (turn := night.draw()) is not None:
        assert_every_tile_is_there_once(night)
        assert Tiles.parse(FULL.edition, turn.rack).total == min(7, what_is_left(night.game).pool.total)
        night.announce()
        hand_in_something(night, rng)
        night.close()
        night.place()
    assert_every_tile_is_there_once(night)
    assert night.refresh().end_why in ("tiles_out", "minimum", "no_move")
