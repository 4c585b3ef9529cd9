"""Words that are agreed for an event besides its word list: RAI, ENI, INPS."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.archive.replay import verify
from referee.views.desk import list_tops
from tests.tournaments.club_game import NEXT_SEED, ClubGame
from tournaments.enums import Ruling
from tournaments.errors import Refused
from tournaments.events.services import events
from tournaments.judging.services.agreed_words import AgreedWordsChange, agree_words
from tournaments.lexicons import word_lists
from tournaments.models import LedgerEntry, WordRuling
from tournaments.play.services import game_end
from tournaments.results.queries.archive import export_game


def agree(club_game: ClubGame, text: str) -> AgreedWordsChange:
    return agree_words(game=club_game.refresh(), text=text, by=club_game.judge, now=club_game.later())


def agreed_in(club_game: ClubGame) -> dict[str, int]:
    """By word the turn from which an agreed word counts, as the archive tells it."""
    accepted = export_game(club_game.refresh())["lexicon"]["accepted"]
    return {row["word"]: row["from_turn"] for row in accepted if row.get("agreed")}


def differences(club_game: ClubGame) -> list[str]:
    archive: Any = json.loads(json.dumps(export_game(club_game.refresh())))
    return [str(found) for found in verify(archive, *word_lists.lists_of(club_game.game))]


def test_words_agreed_before_the_first_rack_count_from_turn_one(club_game: ClubGame) -> None:
    told = agree(club_game, "Eni, INPS;\nTriscea  eni")
    assert (told.accepted, told.from_turn, told.remarks) == (["ENI", "INPS", "TRISCEA"], 1, [])
    assert agreed_in(club_game) == {"ENI": 1, "INPS": 1, "TRISCEA": 1}
    club_game.begin_turn("ACEIRST")
    assert list_tops(club_game.turn)[0].word == "TRISCEA"
    club_game.phone(1, "TRISCEA", "8H", 76)
    club_game.close()
    assert club_game.verdict(1).result == "valid"
    club_game.place()
    assert differences(club_game) == []


def test_invalid_words_are_reported_and_the_others_stored(club_game: ClubGame) -> None:
    told = agree(club_game, "ENI ЖУК A PRECIPITEVOLISSIMEVOLMENTE CASA R.A.I. 24")
    assert told.accepted == ["ENI"]
    assert told.remarks == [
        "ЖУК was left out: No tile of this edition shows Ж.",
        "A was left out: A word has 2 to 15 letters.",
        "PRECIPITEVOLISSIMEVOLMENTE was left out: A word has 2 to 15 letters.",
        "R.A.I. was left out: No tile of this edition shows ..",
        "24 was left out: No tile of this edition shows 2.",
        "CASA counts as a word already.",
    ]
    with pytest.raises(Refused, match="At most 500 words"):
        agree(club_game, " ".join(f"W{n}" for n in range(501)))


def test_words_agreed_during_a_turn_count_from_the_next_one(club_game: ClubGame) -> None:
    club_game.begin_turn("ACEIRST")
    before = club_game.turn.tops
    assert agree(club_game, "TRISCEA").from_turn == 2
    assert club_game.turn.tops == before
    club_game.close()
    assert agree(club_game, "TRISCEA ENI").accepted == ["ENI"]
    club_game.place()
    assert agree(club_game, "TRISCEA ENI INPS").from_turn == 2
    club_game.begin_turn()
    club_game.close()
    club_game.place()
    assert agreed_in(club_game) == {"TRISCEA": 2, "ENI": 2, "INPS": 2}
    assert differences(club_game) == []


def test_tops_of_an_unannounced_rack_are_searched_again(club_game: ClubGame) -> None:
    club_game.draw()
    club_game.force_rack("ACEIRST")
    assert list_tops(club_game.turn)[0].word != "TRISCEA"
    assert agree(club_game, "TRISCEA").from_turn == 1
    assert list_tops(club_game.turn)[0].word == "TRISCEA"
    assert agree(club_game, "").removed == ["TRISCEA"]
    assert list_tops(club_game.turn)[0].word != "TRISCEA"


def test_a_word_that_has_not_counted_can_be_taken_out_and_another_one_stays(club_game: ClubGame) -> None:
    agree(club_game, "ENI INPS")
    told = agree(club_game, "INPS")
    assert (told.accepted, told.removed, agreed_in(club_game)) == ([], ["ENI"], {"INPS": 1})
    club_game.begin_turn()
    told = agree(club_game, "ENI")
    assert (told.accepted, told.removed) == (["ENI"], [])
    assert told.remarks == ["INPS has counted since turn 1 and stays; a judge can strike it."]
    club_game.close()
    club_game.rule("INPS", Ruling.STRUCK)
    assert agree(club_game, "ENI") == AgreedWordsChange([], [], 2, [])
    assert agree(club_game, "ENI INPS").accepted == ["INPS"]
    club_game.place()
    club_game.begin_turn()
    club_game.close()
    club_game.place()
    assert differences(club_game) == []


def test_agreed_words_count_in_the_next_game_and_not_in_a_finished_one(club_game: ClubGame) -> None:
    agree(club_game, "ENI")
    club_game.begin_turn()
    club_game.close()
    club_game.place()
    game_end.end_game(game=club_game.refresh(), by=club_game.judge, now=club_game.later())
    with pytest.raises(Refused, match="This game is over"):
        agree(club_game, "INPS")
    club_game.game = events.add_game(event=club_game.event, by=club_game.judge, now=club_game.later(), seed=NEXT_SEED)
    assert agreed_in(club_game) == {"ENI": 1}
    assert WordRuling.objects.filter(game=club_game.game, agreed=True).count() == 1


def test_each_word_is_an_entry_of_the_ledger(club_game: ClubGame) -> None:
    agree(club_game, "ENI INPS")
    agree(club_game, "ENI")
    entries = LedgerEntry.objects.filter(game=club_game.game, kind="word_ruling").order_by("n")
    assert [(entry.data["word"], entry.data["ruling"], entry.data["turn"]) for entry in entries] == [
        ("ENI", "accepted", 1),
        ("INPS", "accepted", 1),
        ("INPS", "revoked", 1),
    ]
