"""A game that was played meets new players: ranked among the original field, turn by turn, nothing before its time."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.auth.models import User

from tests.engine.archive.test_published_games import FILES, GAMES
from tests.examples import representative
from tests.tournaments.club_game import START_TIME, ClubGame, create_club_game
from tests.tournaments.hiersac import archive_of, install_some_words, points_of
from tests.tournaments.prepared.sample_game import create_prepared_game, follow_script
from tournaments.models import PreparedGame, WordRuling
from tournaments.prepared.queries.replayed_game import field_standings
from tournaments.prepared.scripts import script_of
from tournaments.prepared.services import prepared_games

pytestmark = pytest.mark.django_db
each_game = pytest.mark.parametrize("name", representative(GAMES))


@pytest.fixture(autouse=True)
def _french_words() -> None:
    install_some_words(Path(settings.DATA_DIR))


def brought(judge: User, name: str) -> PreparedGame:
    return prepared_games.import_game(text=archive_of(name), title="", lexicon="fr", by=judge, now=START_TIME)


def play_masters(club_game: ClubGame, script_turns: int) -> None:
    """Table 1 writes the printed master move in every turn, table 2 hands in nothing."""
    assert club_game.game.prepared is not None
    for turn in script_of(club_game.game.prepared)["turns"][:script_turns]:
        assert turn["master"] is not None
        club_game.draw()
        assert (club_game.turn.rack, club_game.turn.board) == (turn["rack"], turn["board"])
        club_game.announce()
        club_game.phone(1, turn["master"]["word"], turn["master"]["ref"], turn["master"]["score"])
        club_game.close()
        club_game.place()


@each_game
def test_a_printed_game_is_played_again_to_its_printed_total(judge: User, name: str) -> None:
    club_game = follow_script(create_club_game(judge), brought(judge, name))
    turns = len(GAMES[name])
    play_masters(club_game, turns)
    found = field_standings(club_game.refresh())
    assert found is not None
    lines = {line.name: line for line in found.lines}
    field = points_of(name)
    assert lines["Alain"].total == FILES[name]["total"]
    assert {player: (lines[player].total, lines[player].label) for player in field} == {
        player: (sum(points), name[8:12]) for player, points in field.items()
    }
    mine = lines["Anna Rossi"]
    assert (mine.total, mine.label, mine.table) == (FILES[name]["total"], "", 1)
    assert (mine.rank, lines["Alain"].rank) == (1, 1)
    assert [line.total for line in found.lines] == sorted((line.total for line in found.lines), reverse=True)
    assert lines["Claude"].table is None
    assert lines["Bruno Verdi"].total == 0
    assert club_game.draw() is None
    assert club_game.refresh().end_why == "minimum"


@each_game
def test_the_words_that_the_list_lacks_are_accepted_from_their_turn(judge: User, name: str) -> None:
    club_game = follow_script(create_club_game(judge), brought(judge, name))
    rulings = {row.word: row.from_turn for row in WordRuling.objects.filter(game=club_game.game)}
    for turn in GAMES[name]:
        word = turn.word.upper()
        assert rulings.get(word, 99) <= turn.number or word in ("BIEF", "PEC")


def test_the_field_shows_only_what_is_placed(judge: User) -> None:
    name = "hiersac-2019-11-22"
    club_game = follow_script(create_club_game(judge), brought(judge, name))
    nothing = field_standings(club_game.game)
    assert nothing is not None
    assert (nothing.turns, nothing.tops, {line.total for line in nothing.lines}) == (0, 0, {0})
    play_masters(club_game, 2)
    club_game.draw()
    club_game.announce()
    club_game.close()
    after_two = field_standings(club_game.refresh())
    assert after_two is not None
    assert (after_two.turns, {line.name: line.totals for line in after_two.lines if line.label}) == (
        2,
        {"Alain": (18, 87), "Brigitte": (0, 69), "Claude": (9, 43)},
    )


def test_a_prepared_game_has_no_field(judge: User) -> None:
    assert field_standings(create_club_game(judge).game) is None
    assert field_standings(follow_script(create_club_game(judge), create_prepared_game(judge)).game) is None
