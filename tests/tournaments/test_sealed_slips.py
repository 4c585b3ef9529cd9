"""What came in is sealed when it comes in: an archive in which a slip was touched does not fit its ledger."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from engine.archive import read_archive
from engine.ledger import batch_digest, head, sealed
from engine.replay import verify
from tests.tournaments.night import Night, begin
from tournaments import lexicons
from tournaments.enums import SlipSource
from tournaments.models import LedgerEntry, Slip
from tournaments.selectors.archive import export_game
from tournaments.services import clocks, ending, slips
from tournaments.services.players import NewPlayer
from tournaments.services.slips import Incoming

pytestmark = pytest.mark.django_db


def together(night: Night, *written: tuple[int, str, str, int | None]) -> None:
    """Phones whose slips are stored in one batch."""
    received = night.later()
    incoming = [
        Incoming(
            player_id=night.player(table).pk,
            turn_id=night.turn.pk,
            client_id=uuid4(),
            source=SlipSource.PHONE,
            word=word,
            ref=ref,
            direction="",
            declared=declared,
            hook="",
            received_at=received,
            sent_at=received,
            in_time=True,
        )
        for table, word, ref, declared in written
    ]
    slips.hand_in_batch(incoming, now=received)


@pytest.fixture
def evening(night: Night) -> Night:
    """Two batches of phones, one of which is replaced, and paper that is corrected; the game is over."""
    night.draw()
    night.announce()
    together(night, (2, "CARTE", "8H", 18), (1, "RESTI", "8H", 9))
    together(night, (1, "RESTI", "8G", 9), (2, "CARTE", "8H", 20), (2, "CARTE", "8G", 20))
    night.paper("3 8H TRISCEA 70")
    night.paper("3 8H CESTAI 70")
    night.close()
    night.place()
    ending.end_game(game=night.refresh(), by=night.judge, now=night.later())
    return night


def archive_of(night: Night) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json.dumps(export_game(night.refresh())))
    return found


def differences(night: Night, archive: dict[str, Any]) -> list[str]:
    lexicon = lexicons.graph_of(lexicons.of_game(night.game))
    return [one.where for one in verify(read_archive(json.dumps(archive)), lexicon)]


def entries(kind: str = "slips") -> list[LedgerEntry]:
    return list(LedgerEntry.objects.filter(kind=kind).order_by("n"))


def test_the_archive_of_the_evening_fits_its_ledger(evening: Night) -> None:
    archive = archive_of(evening)
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
    assert differences(evening, archive) == []


def test_the_digest_is_what_the_formats_say(evening: Night) -> None:
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
def test_a_slip_that_was_touched_is_found_by_the_ledger(
    forge: Callable[[dict[str, Any]], object], evening: Night
) -> None:
    archive = archive_of(evening)
    forge(archive)
    where = differences(evening, archive)
    assert any("batch" in one or one.startswith("ledger, entry") for one in where), where


def test_an_earlier_version_cannot_take_the_place_of_the_last_one(evening: Night) -> None:
    archive = archive_of(evening)
    swap_the_versions(archive)
    assert "turn 1, table 1, slip that counts" in differences(evening, archive)


def test_a_slip_that_was_invented_has_no_batch(evening: Night) -> None:
    archive = archive_of(evening)
    counting(archive, 17).update(counting(archive, 2) | {"table": 17, "batch": []})
    assert "turn 1, table 17, batch" in differences(evening, archive)


def test_an_archive_of_an_older_version_is_verified_without_batches(evening: Night) -> None:
    """Its entries hold names, and digests of something that archives did not show."""
    archive = archive_of(evening)
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
        chain.append(sealed(last, at=entry["at"], kind=entry["kind"], by=entry["by"], data=data))
    archive["ledger"] = {"entries": chain, "head": head(chain)}
    assert differences(evening, archive) == []


def test_time_that_is_given_back_changes_no_seal(night: Night) -> None:
    """A phone's slip that was late is in time afterwards; what was sealed of it is when it came."""
    night.begin_turn()
    night.later(170)
    night.phone(1, "RESTI", "8H", 9, after=30)
    clocks.close_due(now=night.later(30))
    assert Slip.objects.get().in_time is False
    clocks.give_back(turn=night.turn, room=night.room, seconds=60, now=night.later(), by=night.judge)
    night.close()
    assert Slip.objects.get().in_time is True
    night.place()
    assert differences(night, archive_of(night)) == []


def test_slips_that_are_on_their_way_to_a_verdict_are_no_difference(night: Night) -> None:
    night.begin_turn()
    together(night, (1, "RESTI", "8H", 9))
    assert differences(night, archive_of(night)) == []
    night.close()
    together(night, (2, "RESTI", "8H", 9))
    assert differences(night, archive_of(night)) == []


def test_hundreds_of_slips_are_one_entry_and_ask_no_more_than_one(judge: User) -> None:
    def queries(players: int) -> int:
        night = begin(judge, players=[NewPlayer(table, f"P {table}") for table in range(1, players + 1)])
        night.begin_turn()
        received = night.later()
        people = {player.table: player.pk for player in night.event.players.all()}
        incoming = [
            Incoming(pk, night.turn.pk, uuid4(), SlipSource.PHONE, "RESTI", "8H", "", 9, "", received, None, True)
            for pk in people.values()
        ]
        with CaptureQueriesContext(connection) as captured:
            slips.hand_in_batch(incoming, now=received)
        [entry] = LedgerEntry.objects.filter(game=night.game, kind="slips")
        assert entry.data["tables"] == list(people)
        return len(captured)

    assert queries(300) <= queries(1) + 3  # SQLite takes the rows in a few portions


def test_the_order_in_a_batch_is_sealed() -> None:
    fields = ("id", "source", "word", "ref", "direction", "hook", "declared", "several", "received_at", "in_time")
    one = {"table": 1, **dict.fromkeys(fields)}
    other = one | {"table": 2}
    assert batch_digest([one, other]) != batch_digest([other, one])
    assert batch_digest([one]) == batch_digest([one | {"more": "is left out"}])


def test_an_earlier_slip_that_is_stored_after_a_later_one_is_replaced_all_the_same(night: Night) -> None:
    """Two servers: the first one waited for its database while the phone handed in something else at the other."""
    night.draw()
    night.announce()
    earlier = night.later()
    together(night, (1, "CARTE", "8H", 18))
    late = Slip.objects.get()
    waited = Incoming(
        player_id=late.player_id,
        turn_id=late.turn_id,
        client_id=uuid4(),
        source=SlipSource.PHONE,
        word="RESTI",
        ref="8H",
        direction="",
        declared=9,
        hook="",
        received_at=earlier,
        sent_at=None,
        in_time=True,
    )
    slips.hand_in_batch([waited], now=night.later())
    night.close()
    night.place()
    ending.end_game(game=night.refresh(), by=night.judge, now=night.later())
    archive = archive_of(night)
    assert counting(archive, 1)["word"] == "CARTE"
    assert [other["word"] for other in archive["turns"][0]["replaced"]] == ["RESTI"]
    assert differences(night, archive) == []
