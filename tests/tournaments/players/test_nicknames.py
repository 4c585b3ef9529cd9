"""A nickname is what the hall reads; the judges read the name."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.contrib.auth.models import User

from referee.live.sockets import messages
from referee.views.desk import get_desk_view
from referee.views.hall import get_public_view
from tests.tournaments.club_game import ClubGame, create_club_game
from tournaments.errors import Refused
from tournaments.events.services import events
from tournaments.play.services import game_end
from tournaments.players.services import players
from tournaments.players.services.players import NewPlayer, parse_players
from tournaments.results.queries.archive import export_game
from tournaments.results.queries.event_results import event_places

SHY, OTHER = "Zanzottera", "Bruno Verdi"


@pytest.fixture
def club_game(judge: User) -> ClubGame:
    return create_club_game(judge, players=[NewPlayer(1, f"Anna {SHY}", nickname="Vespa"), NewPlayer(2, OTHER)])


def join(club_game: ClubGame, **choice: Any) -> Any:
    given = {"name": "", "table": None, "token": "t" * 22, **choice}
    return players.join_event(event=club_game.event, now=club_game.later(), **given)


def play_the_top(club_game: ClubGame) -> None:
    """Table 1 alone finds the top, so that everything that can name somebody does."""
    turn = club_game.begin_turn()
    top = (turn.tops or [])[0]
    club_game.phone(1, top["word"], top["ref"], top["score"])
    club_game.close()
    club_game.place()


def test_wall_and_phones_read_the_nickname_everywhere(club_game: ClubGame) -> None:
    for _ in range(2):
        play_the_top(club_game)
        view = get_public_view(club_game.refresh(), club_game.room, club_game.later())
        for text in (messages.wall_view(view), messages.phone_view(view)):
            assert SHY not in text
            assert "Vespa" in json.loads(text)["last"]["players"]
            assert {row["name"] for row in json.loads(text)["standings"]} == {"Vespa", OTHER}
        game_end.end_game(game=club_game.refresh(), why="judge", by=club_game.judge, now=club_game.later())
        club_game.game = events.add_game(
            event=club_game.event, by=club_game.judge, now=club_game.later(), seed=bytes(32)
        )
    assert {place.name for place in event_places(club_game.event)} == {"Vespa", OTHER}


def test_a_solo_is_told_with_the_nickname(judge: User) -> None:
    people = [
        NewPlayer(1, f"Anna {SHY}", nickname="Vespa"),
        *(NewPlayer(table, f"P {table}") for table in range(2, 22)),
    ]
    club_game = create_club_game(judge, players=people)
    play_the_top(club_game)
    assert club_game.turn.solo == 1
    view = get_public_view(club_game.refresh(), club_game.room, club_game.later())
    assert view.last is not None
    assert view.last.solo == "Vespa"


def test_the_desk_and_the_archive_have_the_name(club_game: ClubGame) -> None:
    play_the_top(club_game)
    view = get_desk_view(club_game.refresh(), club_game.room, club_game.later())
    assert {row.name for row in view.standings} == {f"Anna {SHY}", OTHER}
    assert SHY in json.dumps(export_game(club_game.game)["players"])
    assert SHY not in json.dumps(export_game(club_game.game, for_hall=True)["players"])


def test_a_list_of_players_may_have_a_column_of_nicknames() -> None:
    parsed = parse_players("nome;soprannome\nAnna Rossi;Vespa\nBruno Verdi;\n")
    assert [(player.name, player.nickname) for player in parsed.players] == [
        ("Anna Rossi", "Vespa"),
        ("Bruno Verdi", ""),
    ]
    parsed = parse_players("1, Anna Rossi, Torino, A, , , , Vespa")
    assert parsed.players[0].nickname == "Vespa"


def test_who_joins_may_choose_one_and_keeps_it_when_joining_again(club_game: ClubGame) -> None:
    joined = join(club_game, name="Carla Neri", nickname="Libellula")
    assert joined.player.nickname == "Libellula"
    join(club_game, table=joined.player.table, token="u" * 22)
    assert club_game.player(joined.player.table).nickname == "Libellula"
    join(club_game, table=joined.player.table, nickname="Cicala", token="v" * 22)
    assert club_game.player(joined.player.table).nickname == "Cicala"


def test_a_table_is_found_by_the_nickname_and_its_name_is_told_to_nobody(club_game: ClubGame) -> None:
    assert join(club_game, name="vespa").player.table == 1
    with pytest.raises(Refused) as refused:
        join(club_game, name="Somebody", table=1)
    assert "Vespa" in refused.value.sentence
    assert SHY not in refused.value.sentence


@pytest.mark.parametrize("taken", ["Bruno Verdi", "bruno verdi", " BRUNO  VERDI ", "Brunо Verdi"])
def test_nobody_calls_himself_like_another(club_game: ClubGame, taken: str) -> None:
    for refused in (
        lambda: join(club_game, name="Carla Neri", nickname=taken),
        lambda: join(club_game, table=1, nickname=taken),
        lambda: players.rename_player(
            club_game.player(1),
            players.PlayerDetails(name="Anna", nickname=taken),
            now=club_game.later(),
            by=club_game.judge,
        ),
        lambda: players.add_players(
            event=club_game.event, players=[NewPlayer(None, "Carla", nickname=taken)], now=club_game.later()
        ),
        lambda: players.add_players(
            event=club_game.event,
            players=[NewPlayer(None, "Dario", nickname="Falco"), NewPlayer(None, "Elio", nickname="falco")],
            now=club_game.later(),
        ),
    ):
        with pytest.raises(Refused, match="Another player is called"):
            refused()


def test_the_judge_changes_it_and_takes_it_away(club_game: ClubGame) -> None:
    players.rename_player(
        club_game.player(2),
        players.PlayerDetails(name=OTHER, nickname="Falco"),
        now=club_game.later(),
        by=club_game.judge,
    )
    assert club_game.player(2).shown_name == "Falco"
    players.rename_player(
        club_game.player(2), players.PlayerDetails(name=OTHER), now=club_game.later(), by=club_game.judge
    )
    assert club_game.player(2).nickname == "Falco"
    players.rename_player(
        club_game.player(2), players.PlayerDetails(name=OTHER, nickname=""), now=club_game.later(), by=club_game.judge
    )
    assert club_game.player(2).shown_name == OTHER
