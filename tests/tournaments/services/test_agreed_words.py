"""Words that are agreed for an event besides its word list: RAI, ENI, INPS."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.replay import verify
from tests.tournaments.night import NEXT_SEED, Night
from tournaments import lexicons
from tournaments.enums import Ruling
from tournaments.errors import Refused
from tournaments.models import LedgerEntry, WordRuling
from tournaments.selectors.archive import export_game
from tournaments.selectors.desk import tops
from tournaments.services import ending, events
from tournaments.services.agreed_words import Agreed, agree_words


def agree(night: Night, text: str) -> Agreed:
    return agree_words(game=night.refresh(), text=text, by=night.judge, now=night.later())


def agreed_in(night: Night) -> dict[str, int]:
    """By word the turn from which an agreed word counts, as the archive tells it."""
    accepted = export_game(night.refresh())["lexicon"]["accepted"]
    return {row["word"]: row["from_turn"] for row in accepted if row.get("agreed")}


def differences(night: Night) -> list[str]:
    archive: Any = json.loads(json.dumps(export_game(night.refresh())))
    return [str(found) for found in verify(archive, *lexicons.lists_of(night.game))]


def test_words_agreed_before_the_first_rack_count_from_turn_one(night: Night) -> None:
    told = agree(night, "Eni, INPS;\nTriscea  eni")
    assert (told.accepted, told.from_turn, told.remarks) == (["ENI", "INPS", "TRISCEA"], 1, [])
    assert agreed_in(night) == {"ENI": 1, "INPS": 1, "TRISCEA": 1}
    night.begin_turn("ACEIRST")
    assert tops(night.turn)[0].word == "TRISCEA"
    night.phone(1, "TRISCEA", "8H", 76)
    night.close()
    assert night.verdict(1).result == "valid"
    night.place()
    assert differences(night) == []


def test_what_cannot_be_laid_or_is_too_long_is_told_and_the_rest_is_kept(night: Night) -> None:
    told = agree(night, "ENI ЖУК A PRECIPITEVOLISSIMEVOLMENTE CASA R.A.I. 24")
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
        agree(night, " ".join(f"W{n}" for n in range(501)))


def test_while_a_turn_is_played_they_count_from_the_next_one(night: Night) -> None:
    night.begin_turn("ACEIRST")
    before = night.turn.tops
    assert agree(night, "TRISCEA").from_turn == 2
    assert night.turn.tops == before
    night.close()
    assert agree(night, "TRISCEA ENI").accepted == ["ENI"]
    night.place()
    assert agree(night, "TRISCEA ENI INPS").from_turn == 2
    night.begin_turn()
    night.close()
    night.place()
    assert agreed_in(night) == {"TRISCEA": 2, "ENI": 2, "INPS": 2}
    assert differences(night) == []


def test_a_rack_that_nobody_has_seen_has_its_tops_found_anew(night: Night) -> None:
    night.draw()
    night.force_rack("ACEIRST")
    assert tops(night.turn)[0].word != "TRISCEA"
    assert agree(night, "TRISCEA").from_turn == 1
    assert tops(night.turn)[0].word == "TRISCEA"
    assert agree(night, "").removed == ["TRISCEA"]
    assert tops(night.turn)[0].word != "TRISCEA"


def test_a_word_that_has_not_counted_can_be_taken_out_and_another_one_stays(night: Night) -> None:
    agree(night, "ENI INPS")
    told = agree(night, "INPS")
    assert (told.accepted, told.removed, agreed_in(night)) == ([], ["ENI"], {"INPS": 1})
    night.begin_turn()
    told = agree(night, "ENI")
    assert (told.accepted, told.removed) == (["ENI"], [])
    assert told.remarks == ["INPS has counted since turn 1 and stays; a judge can strike it."]
    night.close()
    night.rule("INPS", Ruling.STRUCK)
    assert agree(night, "ENI") == Agreed([], [], 2, [])
    assert agree(night, "ENI INPS").accepted == ["INPS"]
    night.place()
    night.begin_turn()
    night.close()
    night.place()
    assert differences(night) == []


def test_they_count_in_the_next_game_and_not_in_one_that_is_over(night: Night) -> None:
    agree(night, "ENI")
    night.begin_turn()
    night.close()
    night.place()
    ending.end_game(game=night.refresh(), by=night.judge, now=night.later())
    with pytest.raises(Refused, match="This game is over"):
        agree(night, "INPS")
    night.game = events.add_game(event=night.event, by=night.judge, now=night.later(), seed=NEXT_SEED)
    assert agreed_in(night) == {"ENI": 1}
    assert WordRuling.objects.filter(game=night.game, agreed=True).count() == 1


def test_each_word_is_an_entry_of_the_ledger(night: Night) -> None:
    agree(night, "ENI INPS")
    agree(night, "ENI")
    entries = LedgerEntry.objects.filter(game=night.game, kind="word_ruling").order_by("n")
    assert [(entry.data["word"], entry.data["ruling"], entry.data["turn"]) for entry in entries] == [
        ("ENI", "accepted", 1),
        ("INPS", "accepted", 1),
        ("INPS", "revoked", 1),
    ]
