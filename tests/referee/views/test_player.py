"""View of one player, beyond the public view."""

from __future__ import annotations

from decimal import Decimal

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from referee.views.player import BestMove, get_personal_view, get_personal_views
from tests.tournaments.club_game import FOUR_PLAYERS, ClubGame, create_club_game
from tournaments.judging.services import rulings
from tournaments.judging.services.ruling_request import RulingRequest
from tournaments.play.services import game_end
from tournaments.players.services import players
from tournaments.players.services.players import NewPlayer


@pytest.fixture
def closed(club_game: ClubGame) -> ClubGame:
    club_game.begin_turn("ACEIRST")
    club_game.phone(1, "CASA", "8H", 5)
    club_game.phone(1, "CARTE", "8H", 20)
    club_game.phone(2, "TRISCEA", "8H", 76)
    club_game.close()
    return club_game


def test_until_the_move_is_placed_a_phone_knows_its_own_slip_only(closed: ClubGame) -> None:
    mine = get_personal_view(closed.game, closed.player(1).pk)
    assert mine is not None
    assert mine.slip is not None
    assert (mine.slip.word, mine.slip.version, mine.slip.declared, mine.slip.in_time) == ("CARTE", 2, 20, True)
    assert (mine.verdict, mine.rank, mine.total, mine.turn) == (None, None, 0, 1)
    assert "TRISCEA" not in str(mine)


def test_then_it_knows_verdict_top_and_place(closed: ClubGame) -> None:
    closed.place()
    mine = get_personal_view(closed.game, closed.player(1).pk)
    assert mine is not None
    assert mine.verdict is not None
    assert (mine.verdict.points, mine.verdict.top, mine.verdict.word) == (18, closed.turn.top, "CARTE")
    assert mine.verdict.sentence == "The move is valid and worth 18. The slip says 20."
    top = closed.turn.top or 0
    assert (mine.rank, mine.total, mine.negative) == (1, 18, 18 - top)
    assert mine.percent == Decimal(1800 / top).quantize(Decimal("0.1"))
    assert mine.slip is None


def test_only_the_one_who_alone_found_the_top_is_told_of_a_solo_and_the_best_move_after_the_game(
    club_game: ClubGame,
) -> None:
    club_game.begin_turn("ACEIRST")
    [best, *_] = club_game.turn.tops or []
    word, ref, score = best["word"], best["ref"], best["score"]
    club_game.phone(1, word, ref, score)
    club_game.phone(2, "CARTE", "8H", 18)
    club_game.close()
    assert "solo=True" not in str(get_personal_views(club_game.game))
    club_game.place()
    views = {table: get_personal_view(club_game.game, club_game.player(table).pk) for table in (1, 2)}
    assert [view.verdict and view.verdict.solo for view in views.values() if view] == [True, False]
    assert [view.solos for view in views.values() if view] == [1, 0]
    assert [view.best for view in views.values() if view] == [None, None]
    game_end.end_game(game=club_game.refresh(), by=club_game.judge, now=club_game.later())
    after = [get_personal_view(club_game.refresh(), club_game.player(table).pk) for table in (1, 2)]
    assert [view.best for view in after if view] == [BestMove(word, score), BestMove("CARTE", 18)]


def test_a_zero_says_why_and_a_decision_says_the_reason(closed: ClubGame) -> None:
    group = closed.verdict(1).group
    rulings.decide_groups(
        turn=closed.turn,
        groups=[group],
        points=0,
        request=RulingRequest(reason="two words on it", by=closed.judge, now=closed.later()),
    )
    closed.place()
    views = get_personal_views(closed.game)
    wrong, decided, absent = (views[closed.player(table).pk].verdict for table in (2, 1, 17))
    assert wrong is not None
    assert decided is not None
    assert absent is not None
    assert (wrong.reason, wrong.sentence) == ("not_a_word", "Box rules, Multiplo: TRISCEA is not in the word list.")
    assert (decided.decided_by, decided.decision_reason) == ("judge", "two words on it")
    assert absent.sentence == "Box rules, Multiplo: No slip was handed in."


def test_sentences_are_in_the_active_language(closed: ClubGame) -> None:
    closed.place()
    with translation.override("it"):
        assert get_personal_view(closed.game, closed.player(2).pk) is not None


def test_in_the_next_turn_the_last_verdict_stays(closed: ClubGame) -> None:
    closed.place()
    closed.begin_turn()
    closed.phone(1, "SERA", "1A", 4)
    mine = get_personal_view(closed.game, closed.player(1).pk)
    assert mine is not None
    assert mine.slip is not None
    assert mine.verdict is not None
    assert (mine.turn, mine.slip.word, mine.verdict.turn, mine.rank) == (2, "SERA", 1, 1)


def test_all_views_at_once_are_those_of_each(closed: ClubGame) -> None:
    closed.place()
    views = get_personal_views(closed.game)
    assert views == {pk: get_personal_view(closed.game, pk) for pk in views}
    assert len(views) == 4
    assert get_personal_view(closed.game, 999_999) is None


def test_a_late_comer_knows_from_which_turn_on_he_plays(closed: ClubGame) -> None:
    [late] = players.add_players(
        event=closed.event, players=[NewPlayer(9, "Elio")], now=closed.later(), by=closed.judge
    )
    mine = get_personal_view(closed.game, late.pk)
    assert mine is not None
    assert (mine.first_turn, mine.turn, mine.verdict) == (2, 1, None)


def test_queries_do_not_grow_with_players(judge: User) -> None:
    def queries(new: tuple[NewPlayer, ...]) -> int:
        club_game = create_club_game(judge, players=new)
        club_game.begin_turn("ACEIRST")
        club_game.phone(1, "CARTE", "8H", 18)
        club_game.close()
        club_game.place()
        club_game.begin_turn()
        with CaptureQueriesContext(connection) as captured:
            get_personal_views(club_game.game)
        return len(captured)

    assert queries(FOUR_PLAYERS[:1]) == queries(FOUR_PLAYERS)
