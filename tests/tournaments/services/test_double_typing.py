"""Two people type each paper slip: the first counts, the second stands beside it, and differences are settled."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from engine.archive import read_archive
from engine.replay import verify
from tests.tournaments.night import Night
from tournaments import lexicons
from tournaments.enums import Role
from tournaments.errors import AlreadyDone, Refused
from tournaments.models import LedgerEntry, Membership, Slip, Turn, Typing
from tournaments.selectors.archive import export_game
from tournaments.selectors.typings import open_typings, typists_work
from tournaments.services import double_typing, ending, settling, slips
from tournaments.services.slips import Receipt

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada(night: Night) -> User:
    return _typist(night, "ada")


@pytest.fixture
def ben(night: Night) -> User:
    return _typist(night, "ben")


@pytest.fixture(autouse=True)
def _typed_twice(night: Night) -> None:
    double_typing.set_double_typing(event=night.event, wanted=True, now=night.later(), by=night.judge)
    night.refresh()
    night.begin_turn("ACEIRST")


def _typist(night: Night, name: str) -> User:
    user = User.objects.create(username=name)
    Membership.objects.create(event=night.event, user=user, role=Role.TYPIST)
    return user


def types(night: Night, by: User, line: str, **more: Any) -> Receipt:
    return slips.enter_paper(game=night.refresh(), line=line, now=night.later(), by=by, **more)


def counting(night: Night, table: int) -> str:
    slip = Slip.objects.filter(turn=night.turn, player__table=table).latest("version")
    return f"{slip.ref} {slip.word} {slip.declared}"


def test_what_was_typed_once_counts_and_is_open(night: Night, ada: User, ben: User) -> None:
    types(night, ada, "17 8H CARTE 18")
    assert counting(night, 17) == "8H CARTE 18"
    assert (open_typings(night.turn).once, open_typings(night.turn).differences) == ([17], [])
    assert typists_work(night.turn, None, ben).to_type == [17]
    assert (typists_work(night.turn, None, ada).to_type, typists_work(night.turn, None, ada).waiting) == ([], 1)


def test_what_agrees_is_confirmed_without_a_word_and_without_a_second_slip(night: Night, ada: User, ben: User) -> None:
    first = types(night, ada, "17 8H CARTE 18")
    second = types(night, ben, "17 8h carte 18")
    assert open_typings(night.turn).number == 0
    assert Slip.objects.filter(turn=night.turn).count() == 1
    assert (second.client_id, second.new) == (first.client_id, False)


@pytest.mark.parametrize("other", ["17 8H CARTE 81", "17 8H CARTa 18", "17 H8 CARTE 18", "17 8H CERTA 18", "17 -"])
def test_a_difference_leaves_the_first_counting(night: Night, ada: User, ben: User, other: str) -> None:
    types(night, ada, "17 8H CARTE 18")
    types(night, ben, other)
    [difference] = open_typings(night.turn).differences
    assert difference.table == 17
    assert [(line.typist, line.counts) for line in difference.readings] == [("ada", True), ("ben", False)]
    assert counting(night, 17) == "8H CARTE 18"


def test_the_second_who_looks_again_ends_the_difference(night: Night, ada: User, ben: User) -> None:
    types(night, ada, "17 8H CARTE 18")
    types(night, ben, "17 8H CARTE 81")
    types(night, ben, "17 8H CARTE 18")
    assert open_typings(night.turn).number == 0


def test_the_first_who_looks_again_corrects_what_counts(night: Night, ada: User, ben: User) -> None:
    types(night, ada, "17 8H CARTE 18")
    types(night, ben, "17 8H CARTE 81")
    types(night, ada, "17 8H CARTE 81")
    assert counting(night, 17) == "8H CARTE 81"
    assert open_typings(night.turn).number == 0


def test_a_third_who_agrees_with_one_of_two_decides_nothing(night: Night, ada: User, ben: User) -> None:
    types(night, ada, "17 8H CARTE 18")
    types(night, ben, "17 8H CARTE 81")
    types(night, night.judge, "17 8H CARTE 81")
    assert len(open_typings(night.turn).differences[0].readings) == 3


def test_who_has_not_typed_a_slip_is_told_nothing_of_its_readings(night: Night, ada: User, ben: User) -> None:
    types(night, ada, "17 8H CARTE 18")
    types(night, ben, "17 8H CARTE 81")
    types(night, ada, "3 8H TRISCEA 77")
    carla = _typist(night, "carla")
    for told in (typists_work(night.turn, None, carla), typists_work(night.turn, None, ben)):
        assert "TRISCEA" not in str(told)
        assert "77" not in str(told)
    assert typists_work(night.turn, None, carla).differences == []
    assert len(typists_work(night.turn, None, ben).differences) == 1


@pytest.mark.parametrize(("which", "counts"), [(0, "8H CARTE 18"), (1, "8H CARTE 81")])
def test_a_judge_chooses_one_of_the_readings(night: Night, ada: User, ben: User, which: int, counts: str) -> None:
    types(night, ada, "17 8H CARTE 18")
    types(night, ben, "17 8H CARTE 81")
    night.close()
    [difference] = open_typings(night.turn).differences
    settling.choose_typing(
        turn=night.turn,
        typing_id=difference.readings[which].typing_id,
        by=night.judge,
        now=night.later(),
        room=night.room,
    )
    assert counting(night, 17) == counts
    assert open_typings(night.turn).number == 0
    assert Typing.objects.filter(settles=True).get().by == night.judge
    slip = night.verdict(17).slip
    assert slip is not None
    assert f"{slip.ref} {slip.word} {slip.declared}" == counts


def test_a_judge_types_the_slip_anew_and_it_needs_no_second_typist(night: Night, ada: User, ben: User) -> None:
    types(night, ada, "17 8H CARTE 18")
    types(night, ben, "17 8H CARTE 81")
    settling.type_anew(turn=night.turn, line="17 8H CERTA 18", by=night.judge, now=night.later(), room=night.room)
    assert counting(night, 17) == "8H CERTA 18"
    assert open_typings(night.turn).number == 0
    types(night, ben, "17 8H CARTE 81")
    assert len(open_typings(night.turn).differences) == 1
    assert counting(night, 17) == "8H CERTA 18"


def test_what_is_typed_in_one_way_needs_no_settling(night: Night, ada: User, ben: User) -> None:
    types(night, ada, "17 8H CARTE 18")
    with pytest.raises(AlreadyDone):
        settling.type_anew(turn=night.turn, line="17 8H CERTA 18", by=night.judge, now=night.later(), room=night.room)
    typing = Typing.objects.get()
    types(night, ben, "17 8H CARTE 81")
    types(night, ben, "17 8H CERTA 18")
    stale = Typing.objects.get(raw="17 8H CARTE 81")
    with pytest.raises(Refused, match="typed anew meanwhile"):
        settling.choose_typing(turn=night.turn, typing_id=stale.pk, by=night.judge, now=night.later(), room=night.room)
    assert typing.slip is not None


def test_a_slip_from_the_phone_takes_the_place_of_both(night: Night, ada: User, ben: User) -> None:
    types(night, ada, "17 8H CARTE 18")
    types(night, ben, "17 8H CARTE 81")
    night.phone(17, "CERTA", "8H", 18)
    assert open_typings(night.turn).number == 0
    types(night, ben, "17 8H CARTE 81")
    assert counting(night, 17) == "8H CARTE 81"


def test_one_typist_alone_blocks_nothing(night: Night, ada: User) -> None:
    types(night, ada, "17 8H CARTE 18")
    types(night, ada, "17 8H CERTA 18")
    night.close()
    night.place()
    assert night.verdict(17).slip is not None
    assert counting(night, 17) == "8H CERTA 18"


def test_every_typing_is_sealed_in_the_ledger_without_a_word_of_it(night: Night, ada: User, ben: User) -> None:
    types(night, ada, "17 8H CARTE 18")
    types(night, ben, "17 8H CARTE 81")
    entries = {entry.n: entry for entry in LedgerEntry.objects.filter(game=night.game, kind="typing")}
    assert [entry.by for entry in entries.values()] == ["ada", "ben"]
    for typing in Typing.objects.all():
        assert entries[typing.entry].data["digest"] == double_typing.digest_of(typing, 17)
        assert "CARTE" not in str(entries[typing.entry].data)
    first = Typing.objects.earliest("pk")
    first.word = "CERTA"
    assert entries[first.entry].data["digest"] != double_typing.digest_of(first, 17)


def test_the_archive_holds_what_counts_and_nothing_else(night: Night, ada: User, ben: User) -> None:
    types(night, ada, "17 8H CARTE 18")
    types(night, ben, "17 8H SECRETA 81")
    night.close()
    night.place()
    archive = str(export_game(night.refresh()))
    assert "CARTE" in archive
    assert "SECRETA" not in archive


def test_the_archive_of_such_a_game_verifies(night: Night, ada: User, ben: User) -> None:
    types(night, ada, "17 8H CARTE 18")
    types(night, ben, "17 8H CERTA 81")
    night.close()
    settling.type_anew(turn=night.turn, line="17 8H RESTI 18", by=night.judge, now=night.later(), room=night.room)
    night.place()
    ending.end_game(game=night.refresh(), by=night.judge, now=night.later())
    told = read_archive(json.dumps(export_game(night.refresh())))
    words = lexicons.open_lexicon(night.game, 1)
    found = [each.where for each in verify(told, words)]
    assert [where for where in found if "ledger" in where or "slip" in where] == []


def test_without_the_switch_the_last_typed_counts_and_nothing_is_kept_beside(
    night: Night, ada: User, ben: User
) -> None:
    double_typing.set_double_typing(event=night.event, wanted=False, now=night.later(), by=night.judge)
    types(night, ada, "17 8H CARTE 18")
    types(night, ben, "17 8H CARTE 81")
    assert counting(night, 17) == "8H CARTE 81"
    assert not Typing.objects.exists()


def test_as_many_queries_for_many_slips_as_for_few(night: Night, ada: User, ben: User) -> None:
    def asked() -> int:
        turn = Turn.objects.select_related("game").get(pk=night.turn.pk)
        with CaptureQueriesContext(connection) as queries:
            open_typings(turn, night.room)
        return len(queries)

    types(night, ada, "1 8H CARTE 18")
    types(night, ben, "1 8H CARTE 81")
    for_one = asked()
    for table in (2, 3, 17):
        types(night, ada, f"{table} 8H CARTE 18")
        types(night, ben, f"{table} 8H CARTE 81")
    assert len(open_typings(night.turn).differences) == 4
    assert asked() == for_one
