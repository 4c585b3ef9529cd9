"""Slips are sealed on receipt: an archive with a changed slip does not match its ledger."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from engine.archive.ledger import batch_digest, head_hash, seal_entry
from engine.archive.replay import verify
from engine.archive.schema import read_archive
from tests.tournaments.club_game import ClubGame, close_due, create_club_game
from tournaments.enums import SlipSource
from tournaments.lexicons import word_lists
from tournaments.models import LedgerEntry, Slip
from tournaments.play.services import clocks, game_end, slips
from tournaments.play.services.slips import IncomingSlip
from tournaments.players.services.players import NewPlayer
from tournaments.results.queries.archive import export_game
from tournaments.slip_content import SlipContent

pytestmark = pytest.mark.django_db


def together(club_game: ClubGame, *written: tuple[int, str, str, int | None]) -> None:
    """Phones whose slips are stored in one batch."""
    received = club_game.later()
    incoming = [
        IncomingSlip(
            player_id=club_game.player(table).pk,
            turn_id=club_game.turn.pk,
            client_id=uuid4(),
            source=SlipSource.PHONE,
            content=SlipContent(word, ref, declared),
            received_at=received,
            sent_at=received,
            in_time=True,
        )
        for table, word, ref, declared in written
    ]
    slips.submit_batch(incoming, now=received)


@pytest.fixture
def live_game(club_game: ClubGame) -> ClubGame:
    """Two batches of phones, one of which is replaced, and paper that is corrected; the game is over."""
    club_game.draw()
    club_game.announce()
    together(club_game, (2, "CARTE", "8H", 18), (1, "RESTI", "8H", 9))
    together(club_game, (1, "RESTI", "8G", 9), (2, "CARTE", "8H", 20), (2, "CARTE", "8G", 20))
    club_game.paper("3 8H TRISCEA 70")
    club_game.paper("3 8H CESTAI 70")
    club_game.close()
    club_game.place()
    game_end.end_game(game=club_game.refresh(), by=club_game.judge, now=club_game.later())
    return club_game


def archive_of(club_game: ClubGame) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json.dumps(export_game(club_game.refresh())))
    return found


def differences(club_game: ClubGame, archive: dict[str, Any]) -> list[str]:
    lexicon = word_lists.graph_of(word_lists.word_list_of_game(club_game.game))
    return [one.where for one in verify(read_archive(json.dumps(archive)), lexicon)]


def entries(kind: str = "slips") -> list[LedgerEntry]:
    return list(LedgerEntry.objects.filter(kind=kind).order_by("n"))


def test_the_archive_of_the_evening_fits_its_ledger(live_game: ClubGame) -> None:
    archive = archive_of(live_game)
    [turn] = archive["turns"]
    assert [entry.data["tables"] for entry in entries()] == [[2, 1], [1, 2, 2], [3], [3]]
    first, second, third, fourth = (entry.n for entry in entries())
    assert {slip["table"]: slip.get("batch") for slip in turn["slips"]} == {
        1: [second, 1],
        2: [second, 3],
        3: [fourth, 1],
        17: None,
    }
    assert [slip["batch"] for slip in turn["replaced"]] == [[first, 1], [first, 2], [second, 2], [third, 1]]
    assert differences(live_game, archive) == []


def test_the_digest_is_what_the_formats_say(live_game: ClubGame) -> None:
    """By hand: the slips of a batch as JSON with sorted keys and no spaces."""
    import hashlib

    entry = entries()[-1]
    slip = Slip.objects.get(batch=entry.n)
    by_hand = (
        f'[{{"declared":70,"direction":null,"hook":"","id":"{slip.client_id}","in_time":true,'
        f'"received_at":"{slip.received_at.isoformat(timespec="microseconds")}","ref":"8H","several":false,'
        '"source":"paper","table":3,"word":"CESTAI"}]'
    )
    assert entry.data["digest"] == hashlib.sha256(by_hand.encode()).hexdigest()


def counting(archive: dict[str, Any], table: int) -> dict[str, Any]:
    return next(slip for slip in archive["turns"][0]["slips"] if slip["table"] == table)


def replaced(archive: dict[str, Any], at: int) -> dict[str, Any]:
    found: dict[str, Any] = archive["turns"][0]["replaced"][at]
    return found


def swap_the_versions(archive: dict[str, Any]) -> None:
    """Let an earlier slip count instead of the last one."""
    ours, other = counting(archive, 1), replaced(archive, 1)
    for name in ("word", "ref", "declared", "received_at", "id", "batch"):
        ours[name], other[name] = other[name], ours[name]


FORGERIES: list[tuple[str, Callable[[dict[str, Any]], object]]] = [
    ("another word", lambda archive: counting(archive, 2).update(word="ZZZ")),
    ("another place", lambda archive: counting(archive, 2).update(ref="8F")),
    ("another score", lambda archive: counting(archive, 2).update(declared=21)),
    ("an earlier time", lambda archive: counting(archive, 2).update(received_at="2026-03-06T20:30:00.000001+00:00")),
    ("paper in time", lambda archive: counting(archive, 3).update(in_time=False)),
    ("another table", lambda archive: counting(archive, 2).update(table=1)),
    ("another id", lambda archive: counting(archive, 2).update(id=str(uuid4()))),
    ("several on paper", lambda archive: counting(archive, 3).update(several=True)),
    ("another word that was replaced", lambda archive: replaced(archive, 0).update(word="ZZZ")),
    ("a replaced one is gone", lambda archive: archive["turns"][0]["replaced"].pop()),
    ("all replaced ones are gone", lambda archive: archive["turns"][0].pop("replaced")),
    ("outside of every batch", lambda archive: counting(archive, 2).pop("batch")),
    ("in another batch", lambda archive: counting(archive, 2).update(batch=[1, 1])),
]


@pytest.mark.parametrize("forge", [forge for _, forge in FORGERIES], ids=[name for name, _ in FORGERIES])
def test_a_changed_slip_is_found_by_the_ledger(forge: Callable[[dict[str, Any]], object], live_game: ClubGame) -> None:
    archive = archive_of(live_game)
    forge(archive)
    where = differences(live_game, archive)
    assert any("batch" in one or one.startswith("ledger, entry") for one in where), where


def test_an_earlier_version_cannot_take_the_place_of_the_last_one(live_game: ClubGame) -> None:
    archive = archive_of(live_game)
    swap_the_versions(archive)
    assert "turn 1, table 1, slip that counts" in differences(live_game, archive)


def test_a_slip_that_was_invented_has_no_batch(live_game: ClubGame) -> None:
    archive = archive_of(live_game)
    counting(archive, 17).update(counting(archive, 2) | {"table": 17, "batch": []})
    assert "turn 1, table 17, batch" in differences(live_game, archive)


def test_an_archive_of_an_older_version_is_verified_without_batches(live_game: ClubGame) -> None:
    """Entries of the older version hold names, and digests of fields that are not in archives."""
    archive = archive_of(live_game)
    for turn in archive["turns"]:
        turn.pop("replaced")
        for slip in turn["slips"]:
            slip.pop("batch", None), slip.pop("id", None)
    chain: list[dict[str, object]] = []
    for entry in archive["ledger"]["entries"]:
        data = dict(entry["data"])
        if entry["kind"] == "slips":
            data = {"turn": 1, "slips": data["slips"], "digest": "ab" * 32}
        if entry["kind"] == "created":
            data["players"] = [[1, "Anna Rossi"], [2, "Bruno Verdi"]]
            del data["tells"]
        last = chain[-1] if chain else None
        chain.append(seal_entry(last, at=entry["at"], kind=entry["kind"], by=entry["by"], data=data))
    archive["ledger"] = {"entries": chain, "head": head_hash(chain)}
    assert differences(live_game, archive) == []


def test_time_that_is_given_back_changes_no_seal(club_game: ClubGame) -> None:
    """A phone's slip that was late is in time afterwards; what was sealed of it is when it came."""
    club_game.begin_turn()
    club_game.later(170)
    club_game.phone(1, "RESTI", "8H", 9, after=30)
    close_due(club_game.later(30))
    assert Slip.objects.get().in_time is False
    clocks.give_time_back(
        turn=club_game.turn, room=club_game.room, seconds=60, now=club_game.later(), by=club_game.judge
    )
    club_game.close()
    assert Slip.objects.get().in_time is True
    club_game.place()
    assert differences(club_game, archive_of(club_game)) == []


def test_slips_without_a_verdict_yet_are_no_difference(club_game: ClubGame) -> None:
    club_game.begin_turn()
    together(club_game, (1, "RESTI", "8H", 9))
    assert differences(club_game, archive_of(club_game)) == []
    club_game.close()
    together(club_game, (2, "RESTI", "8H", 9))
    assert differences(club_game, archive_of(club_game)) == []


def test_hundreds_of_slips_are_one_entry_and_ask_no_more_than_one(judge: User) -> None:
    def queries(players: int) -> int:
        club_game = create_club_game(judge, players=[NewPlayer(table, f"P {table}") for table in range(1, players + 1)])
        club_game.begin_turn()
        received = club_game.later()
        people = {player.table: player.pk for player in club_game.event.players.all()}
        incoming = [
            IncomingSlip(
                pk, club_game.turn.pk, uuid4(), SlipSource.PHONE, SlipContent("RESTI", "8H", 9), received, None, True
            )
            for pk in people.values()
        ]
        with CaptureQueriesContext(connection) as captured:
            slips.submit_batch(incoming, now=received)
        [entry] = LedgerEntry.objects.filter(game=club_game.game, kind="slips")
        assert entry.data["tables"] == list(people)
        return len(captured)

    assert queries(300) <= queries(1) + 3  # SQLite takes the rows in a few portions


def test_the_order_in_a_batch_is_sealed() -> None:
    fields = ("id", "source", "word", "ref", "direction", "hook", "declared", "several", "received_at", "in_time")
    one = {"table": 1, **dict.fromkeys(fields)}
    other = one | {"table": 2}
    assert batch_digest([one, other]) != batch_digest([other, one])
    assert batch_digest([one]) == batch_digest([one | {"more": "is left out"}])


def test_an_earlier_slip_that_is_stored_after_a_later_one_is_replaced_all_the_same(club_game: ClubGame) -> None:
    """Two servers: the first one waited for its database while the phone handed in something else at the other."""
    club_game.draw()
    club_game.announce()
    earlier = club_game.later()
    together(club_game, (1, "CARTE", "8H", 18))
    late = Slip.objects.get()
    waited = IncomingSlip(
        player_id=late.player_id,
        turn_id=late.turn_id,
        client_id=uuid4(),
        source=SlipSource.PHONE,
        content=SlipContent("RESTI", "8H", 9),
        received_at=earlier,
        sent_at=None,
        in_time=True,
    )
    slips.submit_batch([waited], now=club_game.later())
    club_game.close()
    club_game.place()
    game_end.end_game(game=club_game.refresh(), by=club_game.judge, now=club_game.later())
    archive = archive_of(club_game)
    assert counting(archive, 1)["word"] == "CARTE"
    assert [other["word"] for other in archive["turns"][0]["replaced"]] == ["RESTI"]
    assert differences(club_game, archive) == []
