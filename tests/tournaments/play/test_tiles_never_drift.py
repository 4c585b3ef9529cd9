"""Whatever is done in a game, in whatever order: no tile is lost, doubled, or a blank turned into a letter."""

from __future__ import annotations

from contextlib import suppress

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from hypothesis import given
from hypothesis import strategies as st

from engine.tiles.edition import load_edition
from engine.tiles.tiles import Tiles
from referee.views.desk import get_desk_view, list_tops
from tests.examples import examples
from tests.tournaments.club_game import ClubGame, create_club_game, seeded_random, submit_random_slips
from tournaments.enums import DrawMode, GameState, Ruling
from tournaments.errors import Refused
from tournaments.models import Turn
from tournaments.play.position import board_before, get_draw_position, rack_of
from tournaments.play.services import draw_rack, game_end

FULL = Tiles.full_bag(load_edition("it"))
ACTS = ("turn", "turn", "turn", "draw", "undo", "rule", "choose", "end", "bad rack")


class _RolledBack(Exception):
    """Each example starts from an empty database."""


def assert_every_tile_is_there_once(club_game: ClubGame) -> None:
    left = get_draw_position(club_game.refresh())
    assert left.board.tiles + left.kept + left.bag == FULL
    bag = Tiles.parse(FULL.edition, get_desk_view(club_game.game, club_game.room, club_game.now).bag)
    turn = Turn.objects.filter(game=club_game.game).order_by("-number").select_related("game").first()
    if turn is None or turn.placed_at is not None:
        in_hand = Tiles.none(FULL.edition) if club_game.game.typed_rejected else left.kept
        board = left.board
    else:
        in_hand, board = rack_of(turn), board_before(turn)
    assert board.tiles + in_hand + bag == FULL


def draw_by_hand(club_game: ClubGame, seed: int) -> Turn | None:
    """The next rack, out of a physical bag."""
    game = club_game.refresh()
    left = get_draw_position(game)
    kept = Tiles.none(FULL.edition) if game.typed_rejected else left.kept
    bag = (left.pool - kept).kinds()
    new = seeded_random(seed).sample(bag, min(7 - kept.total, len(bag)))
    text = Tiles.of_kinds(FULL.edition, new).text
    return draw_rack.type_rack(game=game, text=text, now=club_game.later(), by=club_game.judge)


def next_rack(club_game: ClubGame, seed: int) -> None:
    if club_game.game.draw_mode == DrawMode.SEEDED:
        club_game.draw()
        return
    for attempt in range(30):
        with suppress(Refused):
            draw_by_hand(club_game, seed + attempt)
            return


def act(club_game: ClubGame, what: str, seed: int) -> None:
    if what in ("rule", "choose") and not Turn.objects.filter(game=club_game.game).exists():
        return
    if what == "draw":
        next_rack(club_game, seed)
    elif what == "undo":
        club_game.undo()
    elif what == "rule":
        club_game.rule(next((top.word for top in list_tops(club_game.turn)), "CASA"), Ruling.STRUCK)
    elif what == "choose":
        club_game.place(word="CASA", ref="8H")
    elif what == "end":
        game_end.end_game(game=club_game.refresh(), by=club_game.judge, now=club_game.later())
    elif what == "bad rack":
        draw_rack.type_rack(game=club_game.refresh(), text="AAEEIOU", now=club_game.later(), by=club_game.judge)
    elif club_game.refresh().state != GameState.FINISHED:
        if not _in_play(club_game):
            next_rack(club_game, seed)
        club_game.announce()
        submit_random_slips(club_game, seeded_random(seed))
        club_game.close()
        club_game.place()


def _in_play(club_game: ClubGame) -> bool:
    return Turn.objects.filter(game=club_game.game, placed_at=None).exists()


@pytest.mark.django_db
@pytest.mark.parametrize("mode", [DrawMode.SEEDED, DrawMode.TYPED])
@examples(20)
@given(seed=st.binary(min_size=32, max_size=32), acts=st.lists(st.tuples(st.sampled_from(ACTS), st.integers(0, 999))))
def test_no_tile_is_lost_or_doubled(judge: User, mode: DrawMode, seed: bytes, acts: list[tuple[str, int]]) -> None:
    with suppress(_RolledBack), transaction.atomic():
        club_game = create_club_game(judge, seed=seed, draw_mode=mode)
        for what, number in acts:
            with suppress(Refused):
                act(club_game, what, number)
            assert_every_tile_is_there_once(club_game)
        raise _RolledBack


@pytest.mark.endurance
@pytest.mark.django_db
def test_a_whole_game_uses_every_tile_at_most_once(judge: User) -> None:
    club_game, rng = create_club_game(judge), seeded_random(5)
    while (turn := club_game.draw()) is not None:
        assert_every_tile_is_there_once(club_game)
        assert Tiles.parse(FULL.edition, turn.rack).total == min(7, get_draw_position(club_game.game).pool.total)
        club_game.announce()
        submit_random_slips(club_game, rng)
        club_game.close()
        club_game.place()
    assert_every_tile_is_there_once(club_game)
    assert club_game.refresh().end_why in ("tiles_out", "minimum", "no_move")
