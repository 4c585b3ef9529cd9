"""A disqualified player leaves the ranking and stays in the record. Source: Italian tournament rules 1999, rule 11."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.contrib.auth.models import User

from engine.archive.replay import verify
from engine.archive.rulings_register import list_rulings
from engine.archive.schema import read_archive
from referee.views.desk import list_tops
from tests.tournaments.club_game import ClubGame, create_club_game
from tests.tournaments.rooms_game import create_three_rooms
from tournaments.errors import AlreadyDone, Refused
from tournaments.events.services import events
from tournaments.lexicons import word_lists
from tournaments.models import Entry, LedgerEntry, Verdict
from tournaments.play.services import game_end
from tournaments.players.services import players
from tournaments.players.services.disqualification import disqualify, reinstate
from tournaments.players.services.players import NewPlayer
from tournaments.results.queries.archive import export_game
from tournaments.results.queries.event_results import StandingsChoice, event_places, event_view
from tournaments.results.queries.results import standings_of
from tournaments.results.queries.standings_history import get_standings_after

BONUSES = {"solo_bonus": 10, "sole_best_bonus": 5, "average_for_second_zero": True}
TEAMS = (
    NewPlayer(1, "Anna Rossi", "Torino", team="Reds"),
    NewPlayer(2, "Bruno Verdi", "Torino", team="Reds"),
    NewPlayer(3, "Carla Neri", "Milano", team="Blues"),
    NewPlayer(17, "Dario Bianchi"),
)


@pytest.fixture
def club_game(judge: User) -> ClubGame:
    return create_club_game(judge, TEAMS, switches=BONUSES)


def out(club_game: ClubGame, table: int, reason: str = "shouted at the judge") -> Entry:
    return disqualify(player=club_game.player(table), reason=reason, by=club_game.judge, now=club_game.later())


def back(club_game: ClubGame, table: int) -> Entry:
    return reinstate(player=club_game.player(table), by=club_game.judge, now=club_game.later())


def play(club_game: ClubGame, *finders: int) -> None:
    """A turn in which these tables hand in the top and the others nothing; it is not placed."""
    club_game.begin_turn()
    top = list_tops(club_game.turn)[0]
    for table in finders:
        club_game.phone(table, top.word, top.ref, top.score)
    club_game.close()


def ranks(club_game: ClubGame) -> list[tuple[int | None, int]]:
    return [(line.rank, line.table) for line in standings_of(club_game.refresh())]


def archive_of(club_game: ClubGame) -> dict[str, Any]:
    archive: dict[str, Any] = json.loads(json.dumps(export_game(club_game.refresh())))
    return archive


def differences(club_game: ClubGame, archive: dict[str, Any] | None = None) -> list[str]:
    lexicon = word_lists.graph_of(word_lists.word_list_of_game(club_game.game))
    return [one.where for one in verify(read_archive(json.dumps(archive or archive_of(club_game))), lexicon)]


def test_a_disqualified_player_stands_last_without_a_rank_and_the_record_stays(club_game: ClubGame) -> None:
    play(club_game, 1)
    club_game.place()
    assert ranks(club_game) == [(1, 1), (2, 2), (2, 3), (2, 17)]
    out(club_game, 1)
    assert ranks(club_game) == [(1, 2), (1, 3), (1, 17), (None, 1)]
    assert get_standings_after(club_game.game, turns=1)[-1].rank is None
    assert club_game.verdict(1, turn=1).points == (club_game.turn.top or 0) + 10, "what counted in earlier turns stays"
    play(club_game, 2)
    club_game.place()
    assert not Verdict.objects.filter(turn__number=2, player__table=1).exists()
    archive = archive_of(club_game)
    assert archive["standings"][-1]["rank"] is None
    assert next(each for each in archive["players"] if each["table"] == 1)["disqualified_from"] == 2
    assert differences(club_game, archive) == []
    archive["standings"] = sorted(archive["standings"], key=lambda line: -line["total"])
    assert "standings, order of the tables" in differences(club_game, archive)


def test_from_the_turn_that_is_played_on_the_slips_count_for_nobody(club_game: ClubGame) -> None:
    play(club_game, 1, 2)
    assert [club_game.verdict(table).bonus for table in (1, 2)] == [0, 0]
    out(club_game, 1)
    assert (club_game.turn.solo, [club_game.verdict(table).bonus for table in (1, 2)]) == (2, [0, 10])
    assert club_game.verdict(1).points == club_game.turn.top, "the slip stays in the record"
    club_game.place()
    assert differences(club_game) == []
    archive = archive_of(club_game)
    next(each for each in archive["players"] if each["table"] == 1)["disqualified_from"] = 2
    assert "turn 1, solo" in differences(club_game, archive)


def test_taken_back_it_was_never_said(club_game: ClubGame) -> None:
    play(club_game, 1, 2)
    out(club_game, 1)
    back(club_game, 1)
    assert (club_game.turn.solo, club_game.verdict(2).bonus) == (None, 0)
    assert Entry.objects.get(player=club_game.player(1)).last_turn is None
    club_game.place()
    assert (ranks(club_game)[0], differences(club_game)) == ((1, 1), [])
    acts = list(LedgerEntry.objects.order_by("n").values_list("kind", flat=True))
    assert [kind for kind in acts if kind in ("disqualify", "leave", "reinstate", "come_back")] == [
        "disqualify",
        "leave",
        "reinstate",
        "come_back",
    ]
    lines = list_rulings(archive_of(club_game)["ledger"]["entries"])
    assert [(line.kind, line.subject, line.ruling, line.turn) for line in lines] == [
        ("player", "1", "disqualify", 1),
        ("player", "1", "reinstate", 1),
    ]


def test_after_a_missed_turn_the_rank_comes_back_but_not_the_place(club_game: ClubGame) -> None:
    play(club_game, 1)
    club_game.place()
    out(club_game, 1)
    play(club_game, 2)
    club_game.place()
    back(club_game, 1)
    assert Entry.objects.get(player=club_game.player(1)).last_turn == 1
    assert (None not in [rank for rank, _table in ranks(club_game)], differences(club_game)) == (True, [])


def test_the_event_and_its_teams_leave_the_player_out(club_game: ClubGame) -> None:
    play(club_game, 1)
    club_game.place()
    first = club_game.game
    game_end.end_game(game=club_game.refresh(), by=club_game.judge, now=club_game.later())
    club_game.game = events.add_game(event=club_game.event, by=club_game.judge, now=club_game.later(), seed=bytes(32))
    play(club_game, 1, 2)
    club_game.place()
    out(club_game, 1)
    assert [place.rank for place in event_places(club_game.event)][-1] is None
    assert standings_of(first)[0].rank == 1, "the game before was over"
    everybody, teams = (
        event_view(club_game.event, StandingsChoice()),
        event_view(club_game.event, StandingsChoice(by="team")),
    )
    assert everybody is not None
    assert teams is not None
    assert [(row.rank, row.line.table) for row in everybody.rows][-1] == (None, 1)
    assert {row.line.team: row.names for row in teams.teams}["Reds"] == ("Bruno Verdi",)


def test_in_several_rooms_all_archives_agree(judge: User) -> None:
    live_game = create_three_rooms(judge, switches={"solo_bonus": 10})
    club_game = live_game.club_game
    club_game.begin_turn()
    top = list_tops(club_game.turn)[0]
    live_game.phone(1, top.word, top.ref, top.score)
    club_game.close()
    club_game.place()
    live_game.play("B", [(11, top.word, top.ref, top.score)])
    out(club_game, 11)
    live_game.play("C")
    assert club_game.verdict(1, turn=1).bonus == 0, "the turn was over in his room"
    club_game.begin_turn()
    top = list_tops(club_game.turn)[0]
    live_game.phone(1, top.word, top.ref, top.score)
    club_game.close()
    live_game.announce("B")
    live_game.phone(12, top.word, top.ref, top.score)
    out(club_game, 12)
    live_game.close("B")
    club_game.place()
    live_game.show("B")
    live_game.play("C")
    assert club_game.verdict(1, turn=2).bonus == 10
    assert [live_game.verified(name) for name in "ABC"] == [[], [], []]


def test_what_cannot_be_is_refused_with_a_sentence(club_game: ClubGame) -> None:
    with pytest.raises(Refused, match="Give a reason for the disqualification"):
        out(club_game, 1, " ")
    with pytest.raises(AlreadyDone, match="Anna Rossi is not disqualified"):
        back(club_game, 1)
    out(club_game, 1)
    with pytest.raises(AlreadyDone, match="Anna Rossi is disqualified already"):
        out(club_game, 1)
    with pytest.raises(Refused, match="Anna Rossi is disqualified: take the disqualification back first"):
        players.return_to_game(player=club_game.player(1), now=club_game.later(), by=club_game.judge)
