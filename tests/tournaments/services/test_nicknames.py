"""A nickname is what the hall reads; the judges read the name."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.contrib.auth.models import User

from referee.live import messages
from tests.tournaments.night import Night, begin
from tournaments.errors import Refused
from tournaments.selectors.archive import export_game
from tournaments.selectors.desk import desk_view
from tournaments.selectors.event_results import event_places
from tournaments.selectors.hall import hall_view
from tournaments.services import ending, events, players
from tournaments.services.players import NewPlayer, parse_players

SHY, OTHER = "Zanzottera", "Bruno Verdi"


@pytest.fixture
def night(judge: User) -> Night:
    return begin(judge, players=[NewPlayer(1, f"Anna {SHY}", nickname="Vespa"), NewPlayer(2, OTHER)])


def join(night: Night, **choice: Any) -> Any:
    given = {"name": "", "table": None, "token": "t" * 22, **choice}
    return players.join(event=night.event, now=night.later(), **given)


def play_the_top(night: Night) -> None:
    """Table 1 alone finds the top, so that everything that can name somebody does."""
    turn = night.begin_turn()
    top = (turn.tops or [])[0]
    night.phone(1, top["word"], top["ref"], top["score"])
    night.close()
    night.place()


def test_wall_and_phones_read_the_nickname_everywhere(night: Night) -> None:
    for _ in range(2):
        play_the_top(night)
        view = hall_view(night.refresh(), night.room, night.later())
        for text in (messages.wall_view(view), messages.phone_view(view)):
            assert SHY not in text
            assert "Vespa" in json.loads(text)["last"]["players"]
            assert {row["name"] for row in json.loads(text)["standings"]} == {"Vespa", OTHER}
        ending.end_game(game=night.refresh(), why="judge", by=night.judge, now=night.later())
        night.game = events.add_game(event=night.event, by=night.judge, now=night.later(), seed=bytes(32))
    assert {place.name for place in event_places(night.event)} == {"Vespa", OTHER}


def test_a_solo_is_told_with_the_nickname(judge: User) -> None:
    people = [
        NewPlayer(1, f"Anna {SHY}", nickname="Vespa"),
        *(NewPlayer(table, f"P {table}") for table in range(2, 22)),
    ]
    night = begin(judge, players=people)
    play_the_top(night)
    assert night.turn.solo == 1
    view = hall_view(night.refresh(), night.room, night.later())
    assert view.last is not None
    assert view.last.solo == "Vespa"


def test_the_desk_and_the_archive_have_the_name(night: Night) -> None:
    play_the_top(night)
    view = desk_view(night.refresh(), night.room, night.later())
    assert {row.name for row in view.standings} == {f"Anna {SHY}", OTHER}
    assert SHY in json.dumps(export_game(night.game)["players"])
    assert SHY not in json.dumps(export_game(night.game, for_hall=True)["players"])


def test_a_list_of_players_may_have_a_column_of_nicknames() -> None:
    parsed = parse_players("nome;soprannome\nAnna Rossi;Vespa\nBruno Verdi;\n")
    assert [(player.name, player.nickname) for player in parsed.players] == [
        ("Anna Rossi", "Vespa"),
        ("Bruno Verdi", ""),
    ]
    parsed = parse_players("1, Anna Rossi, Torino, A, , , , Vespa")
    assert parsed.players[0].nickname == "Vespa"


def test_who_joins_may_choose_one_and_keeps_it_when_joining_again(night: Night) -> None:
    joined = join(night, name="Carla Neri", nickname="Libellula")
    assert joined.player.nickname == "Libellula"
    join(night, table=joined.player.table, token="u" * 22)
    assert night.player(joined.player.table).nickname == "Libellula"
    join(night, table=joined.player.table, nickname="Cicala", token="v" * 22)
    assert night.player(joined.player.table).nickname == "Cicala"


def test_a_table_is_found_by_the_nickname_and_its_name_is_told_to_nobody(night: Night) -> None:
    assert join(night, name="vespa").player.table == 1
    with pytest.raises(Refused) as refused:
        join(night, name="Somebody", table=1)
    assert "Vespa" in refused.value.sentence
    assert SHY not in refused.value.sentence


@pytest.mark.parametrize("taken", ["Bruno Verdi", "bruno verdi", " BRUNO  VERDI "])
def test_nobody_calls_himself_like_another(night: Night, taken: str) -> None:
    for refused in (
        lambda: join(night, name="Carla Neri", nickname=taken),
        lambda: join(night, table=1, nickname=taken),
        lambda: players.rename(player=night.player(1), name="Anna", nickname=taken, now=night.later(), by=night.judge),
        lambda: players.add_players(
            event=night.event, players=[NewPlayer(None, "Carla", nickname=taken)], now=night.later()
        ),
        lambda: players.add_players(
            event=night.event,
            players=[NewPlayer(None, "Dario", nickname="Falco"), NewPlayer(None, "Elio", nickname="falco")],
            now=night.later(),
        ),
    ):
        with pytest.raises(Refused, match="Another player is called"):
            refused()


def test_the_judge_changes_it_and_takes_it_away(night: Night) -> None:
    players.rename(player=night.player(2), name=OTHER, nickname="Falco", now=night.later(), by=night.judge)
    assert night.player(2).shown_name == "Falco"
    players.rename(player=night.player(2), name=OTHER, now=night.later(), by=night.judge)
    assert night.player(2).nickname == "Falco"
    players.rename(player=night.player(2), name=OTHER, nickname="", now=night.later(), by=night.judge)
    assert night.player(2).shown_name == OTHER
