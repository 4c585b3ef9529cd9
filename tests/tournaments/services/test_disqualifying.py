"""A disqualified player leaves the ranking and stays in the record. Source: Italian tournament rules 1999, rule 11."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.contrib.auth.models import User

from engine.archive import read_archive
from engine.replay import verify
from engine.rulings_register import rulings_in
from tests.tournaments.hall_of_rooms import three_rooms
from tests.tournaments.night import Night, begin
from tournaments import lexicons
from tournaments.errors import AlreadyDone, Refused
from tournaments.models import Entry, LedgerEntry, Verdict
from tournaments.selectors.archive import export_game
from tournaments.selectors.desk import tops
from tournaments.selectors.event_results import Choice, event_places, event_view
from tournaments.selectors.results import standings_of
from tournaments.selectors.standings_then import standings_then
from tournaments.services import ending, events, players
from tournaments.services.disqualifying import disqualify, reinstate
from tournaments.services.players import NewPlayer

BONUSES = {"solo_bonus": 10, "sole_best_bonus": 5, "average_for_second_zero": True}
TEAMS = (
    NewPlayer(1, "Anna Rossi", "Torino", team="Reds"),
    NewPlayer(2, "Bruno Verdi", "Torino", team="Reds"),
    NewPlayer(3, "Carla Neri", "Milano", team="Blues"),
    NewPlayer(17, "Dario Bianchi"),
)


@pytest.fixture
def night(judge: User) -> Night:
    return begin(judge, TEAMS, switches=BONUSES)


def out(night: Night, table: int, reason: str = "shouted at the judge") -> Entry:
    return disqualify(player=night.player(table), reason=reason, by=night.judge, now=night.later())


def back(night: Night, table: int) -> Entry:
    return reinstate(player=night.player(table), by=night.judge, now=night.later())


def play(night: Night, *finders: int) -> None:
    """A turn in which these tables hand in the top and the others nothing; it is not placed."""
    night.begin_turn()
    top = tops(night.turn)[0]
    for table in finders:
        night.phone(table, top.word, top.ref, top.score)
    night.close()


def ranks(night: Night) -> list[tuple[int | None, int]]:
    return [(line.rank, line.table) for line in standings_of(night.refresh())]


def archive_of(night: Night) -> dict[str, Any]:
    archive: dict[str, Any] = json.loads(json.dumps(export_game(night.refresh())))
    return archive


def differences(night: Night, archive: dict[str, Any] | None = None) -> list[str]:
    lexicon = lexicons.graph_of(lexicons.of_game(night.game))
    return [one.where for one in verify(read_archive(json.dumps(archive or archive_of(night))), lexicon)]


def test_a_disqualified_player_stands_last_without_a_rank_and_the_record_stays(night: Night) -> None:
    play(night, 1)
    night.place()
    assert ranks(night) == [(1, 1), (2, 2), (2, 3), (2, 17)]
    out(night, 1)
    assert ranks(night) == [(1, 2), (1, 3), (1, 17), (None, 1)]
    assert standings_then(night.game, turns=1)[-1].rank is None
    assert night.verdict(1, turn=1).points == (night.turn.top or 0) + 10, "what counted in earlier turns stays"
    play(night, 2)
    night.place()
    assert not Verdict.objects.filter(turn__number=2, player__table=1).exists()
    archive = archive_of(night)
    assert archive["standings"][-1]["rank"] is None
    assert next(each for each in archive["players"] if each["table"] == 1)["disqualified_from"] == 2
    assert differences(night, archive) == []
    archive["standings"] = sorted(archive["standings"], key=lambda line: -line["total"])
    assert "standings, order of the tables" in differences(night, archive)


def test_from_the_turn_that_is_played_on_the_slips_count_for_nobody(night: Night) -> None:
    play(night, 1, 2)
    assert [night.verdict(table).bonus for table in (1, 2)] == [0, 0]
    out(night, 1)
    assert (night.turn.solo, [night.verdict(table).bonus for table in (1, 2)]) == (2, [0, 10])
    assert night.verdict(1).points == night.turn.top, "the slip stays in the record"
    night.place()
    assert differences(night) == []
    archive = archive_of(night)
    next(each for each in archive["players"] if each["table"] == 1)["disqualified_from"] = 2
    assert "turn 1, solo" in differences(night, archive)


def test_taken_back_it_was_never_said(night: Night) -> None:
    play(night, 1, 2)
    out(night, 1)
    back(night, 1)
    assert (night.turn.solo, night.verdict(2).bonus) == (None, 0)
    assert Entry.objects.get(player=night.player(1)).last_turn is None
    night.place()
    assert (ranks(night)[0], differences(night)) == ((1, 1), [])
    acts = list(LedgerEntry.objects.order_by("n").values_list("kind", flat=True))
    assert [kind for kind in acts if kind in ("disqualify", "leave", "reinstate", "come_back")] == [
        "disqualify",
        "leave",
        "reinstate",
        "come_back",
    ]
    lines = rulings_in(archive_of(night)["ledger"]["entries"])
    assert [(line.kind, line.subject, line.ruling, line.turn) for line in lines] == [
        ("player", "1", "disqualify", 1),
        ("player", "1", "reinstate", 1),
    ]


def test_after_a_missed_turn_the_rank_comes_back_but_not_the_place(night: Night) -> None:
    play(night, 1)
    night.place()
    out(night, 1)
    play(night, 2)
    night.place()
    back(night, 1)
    assert Entry.objects.get(player=night.player(1)).last_turn == 1
    assert (None not in [rank for rank, _table in ranks(night)], differences(night)) == (True, [])


def test_the_event_and_its_teams_leave_the_player_out(night: Night) -> None:
    play(night, 1)
    night.place()
    first = night.game
    ending.end_game(game=night.refresh(), by=night.judge, now=night.later())
    night.game = events.add_game(event=night.event, by=night.judge, now=night.later(), seed=bytes(32))
    play(night, 1, 2)
    night.place()
    out(night, 1)
    assert [place.rank for place in event_places(night.event)][-1] is None
    assert standings_of(first)[0].rank == 1, "the game before was over"
    everybody, teams = event_view(night.event, Choice()), event_view(night.event, Choice(by="team"))
    assert everybody is not None
    assert teams is not None
    assert [(row.rank, row.line.table) for row in everybody.rows][-1] == (None, 1)
    assert {row.line.team: row.names for row in teams.teams}["Reds"] == ("Bruno Verdi",)


def test_in_several_rooms_all_archives_agree(judge: User) -> None:
    evening = three_rooms(judge, switches={"solo_bonus": 10})
    night = evening.night
    night.begin_turn()
    top = tops(night.turn)[0]
    evening.phone(1, top.word, top.ref, top.score)
    night.close()
    night.place()
    evening.play("B", [(11, top.word, top.ref, top.score)])
    out(night, 11)
    evening.play("C")
    assert night.verdict(1, turn=1).bonus == 0, "the turn was over in his room"
    night.begin_turn()
    top = tops(night.turn)[0]
    evening.phone(1, top.word, top.ref, top.score)
    night.close()
    evening.announce("B")
    evening.phone(12, top.word, top.ref, top.score)
    out(night, 12)
    evening.close("B")
    night.place()
    evening.show("B")
    evening.play("C")
    assert night.verdict(1, turn=2).bonus == 10
    assert [evening.verified(name) for name in "ABC"] == [[], [], []]


def test_what_cannot_be_is_refused_with_a_sentence(night: Night) -> None:
    with pytest.raises(Refused, match="Give a reason for the disqualification"):
        out(night, 1, " ")
    with pytest.raises(AlreadyDone, match="Anna Rossi is not disqualified"):
        back(night, 1)
    out(night, 1)
    with pytest.raises(AlreadyDone, match="Anna Rossi is disqualified already"):
        out(night, 1)
    with pytest.raises(Refused, match="Anna Rossi is disqualified: take the disqualification back first"):
        players.come_back(player=night.player(1), now=night.later(), by=night.judge)
