"""A simulated game stores the slips of a turn in batches; its archive is that of a game stored slip by slip."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import transaction

from tests.tournaments.club_game import START_TIME, create_club_game, seeded_random
from tournaments.play.services import slips
from tournaments.play.simulation import play_game
from tournaments.players.services.players import NewPlayer
from tournaments.results.queries.archive import export_game

PLAYERS = [NewPlayer(table, f"Player {table}") for table in range(1, 101)]


def simulate(judge: User) -> dict[str, Any]:
    """The archive of a game of two turns with a hundred players, twenty of them on paper; nothing of it is kept."""
    with transaction.atomic():
        club_game = create_club_game(judge, PLAYERS, switches={"max_turns": 2})
        play_game(game=club_game.game, room=club_game.room, by=judge, rng=seeded_random(7), start=START_TIME)
        archive: dict[str, Any] = json.loads(json.dumps(export_game(club_game.refresh())))
        transaction.set_rollback(True)
    return {**archive, "players": [{**player, "salt": ""} for player in archive["players"]]}


def without_batches(archive: dict[str, Any]) -> dict[str, Any]:
    """The archive without the ledger, and without the number of the ledger's entry in each slip."""
    turns = [
        {**turn, "slips": [{key: value for key, value in slip.items() if key != "batch"} for slip in turn["slips"]]}
        for turn in archive["turns"]
    ]
    return {**archive, "turns": turns, "ledger": None}


def test_slips_in_batches_give_the_archive_of_slips_one_by_one(judge: User, monkeypatch: pytest.MonkeyPatch) -> None:
    in_batches = simulate(judge)
    assert simulate(judge)["turns"] == in_batches["turns"], "the same seed gives the same game"
    store = slips.submit_batch

    def one_by_one(incoming: Sequence[slips.IncomingSlip], **given: Any) -> None:
        for slip in incoming:
            store([slip], **given)

    monkeypatch.setattr(slips, "submit_batch", one_by_one)
    alone = simulate(judge)
    assert len(alone["ledger"]["entries"]) > 10 * len(in_batches["ledger"]["entries"])
    assert without_batches(alone) == without_batches(in_batches)
    written = [(slip["source"], slip["in_time"]) for turn in alone["turns"] for slip in turn["slips"]]
    assert {("phone", True), ("paper", True), ("paper", False)} <= set(written)
