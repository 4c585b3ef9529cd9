"""Two people type each paper slip: the first counts, the second stands beside it, and differences are settled."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from engine.archive.replay import verify
from engine.archive.schema import read_archive
from tests.tournaments.club_game import ClubGame
from tournaments.enums import Role
from tournaments.errors import AlreadyDone, Refused
from tournaments.lexicons import word_lists
from tournaments.models import LedgerEntry, Membership, Slip, Turn, Typing
from tournaments.play.queries.typing_conflicts import get_typist_tasks, open_typings
from tournaments.play.services import double_entry, game_end, slips, typing_conflicts
from tournaments.play.services.slips import Receipt
from tournaments.results.queries.archive import export_game

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada(club_game: ClubGame) -> User:
    return _typist(club_game, "ada")


@pytest.fixture
def ben(club_game: ClubGame) -> User:
    return _typist(club_game, "ben")


@pytest.fixture(autouse=True)
def _typed_twice(club_game: ClubGame) -> None:
    double_entry.set_double_typing(event=club_game.event, wanted=True, now=club_game.later(), by=club_game.judge)
    club_game.refresh()
    club_game.begin_turn("ACEIRST")


def _typist(club_game: ClubGame, name: str) -> User:
    user = User.objects.create(username=name)
    Membership.objects.create(event=club_game.event, user=user, role=Role.TYPIST)
    return user


def types(club_game: ClubGame, by: User, line: str, **more: Any) -> Receipt:
    return slips.submit_paper_line(game=club_game.refresh(), line=line, now=club_game.later(), by=by, **more)


def counting(club_game: ClubGame, table: int) -> str:
    slip = Slip.objects.filter(turn=club_game.turn, player__table=table).latest("version")
    return f"{slip.ref} {slip.word} {slip.declared}"


def test_what_was_typed_once_counts_and_is_open(club_game: ClubGame, ada: User, ben: User) -> None:
    types(club_game, ada, "17 8H CARTE 18")
    assert counting(club_game, 17) == "8H CARTE 18"
    assert (open_typings(club_game.turn).once, open_typings(club_game.turn).differences) == ([17], [])
    assert get_typist_tasks(club_game.turn, None, ben).to_type == [17]
    assert (
        get_typist_tasks(club_game.turn, None, ada).to_type,
        get_typist_tasks(club_game.turn, None, ada).waiting,
    ) == ([], 1)


def test_what_agrees_is_confirmed_without_a_word_and_without_a_second_slip(
    club_game: ClubGame, ada: User, ben: User
) -> None:
    first = types(club_game, ada, "17 8H CARTE 18")
    second = types(club_game, ben, "17 8h carte 18")
    assert open_typings(club_game.turn).number == 0
    assert Slip.objects.filter(turn=club_game.turn).count() == 1
    assert (second.client_id, second.new) == (first.client_id, False)


@pytest.mark.parametrize("other", ["17 8H CARTE 81", "17 8H CARTa 18", "17 H8 CARTE 18", "17 8H CERTA 18", "17 -"])
def test_a_difference_leaves_the_first_counting(club_game: ClubGame, ada: User, ben: User, other: str) -> None:
    types(club_game, ada, "17 8H CARTE 18")
    types(club_game, ben, other)
    [difference] = open_typings(club_game.turn).differences
    assert difference.table == 17
    assert [(line.typist, line.counts) for line in difference.readings] == [("ada", True), ("ben", False)]
    assert counting(club_game, 17) == "8H CARTE 18"


def test_the_second_who_looks_again_ends_the_difference(club_game: ClubGame, ada: User, ben: User) -> None:
    types(club_game, ada, "17 8H CARTE 18")
    types(club_game, ben, "17 8H CARTE 81")
    types(club_game, ben, "17 8H CARTE 18")
    assert open_typings(club_game.turn).number == 0


def test_the_first_who_looks_again_corrects_what_counts(club_game: ClubGame, ada: User, ben: User) -> None:
    types(club_game, ada, "17 8H CARTE 18")
    types(club_game, ben, "17 8H CARTE 81")
    types(club_game, ada, "17 8H CARTE 81")
    assert counting(club_game, 17) == "8H CARTE 81"
    assert open_typings(club_game.turn).number == 0


def test_a_third_who_agrees_with_one_of_two_decides_nothing(club_game: ClubGame, ada: User, ben: User) -> None:
    types(club_game, ada, "17 8H CARTE 18")
    types(club_game, ben, "17 8H CARTE 81")
    types(club_game, club_game.judge, "17 8H CARTE 81")
    assert len(open_typings(club_game.turn).differences[0].readings) == 3


def test_who_has_not_typed_a_slip_is_told_nothing_of_its_readings(club_game: ClubGame, ada: User, ben: User) -> None:
    types(club_game, ada, "17 8H CARTE 18")
    types(club_game, ben, "17 8H CARTE 81")
    types(club_game, ada, "3 8H TRISCEA 98765")
    carla = _typist(club_game, "carla")
    for told in (get_typist_tasks(club_game.turn, None, carla), get_typist_tasks(club_game.turn, None, ben)):
        assert "TRISCEA" not in str(told)
        assert "98765" not in str(told)
    assert get_typist_tasks(club_game.turn, None, carla).differences == []
    assert len(get_typist_tasks(club_game.turn, None, ben).differences) == 1


@pytest.mark.parametrize(("which", "counts"), [(0, "8H CARTE 18"), (1, "8H CARTE 81")])
def test_a_judge_chooses_one_of_the_readings(
    club_game: ClubGame, ada: User, ben: User, which: int, counts: str
) -> None:
    types(club_game, ada, "17 8H CARTE 18")
    types(club_game, ben, "17 8H CARTE 81")
    club_game.close()
    [difference] = open_typings(club_game.turn).differences
    typing_conflicts.choose_typing(
        turn=club_game.turn,
        typing_id=difference.readings[which].typing_id,
        by=club_game.judge,
        now=club_game.later(),
        room=club_game.room,
    )
    assert counting(club_game, 17) == counts
    assert open_typings(club_game.turn).number == 0
    assert Typing.objects.filter(settles=True).get().by == club_game.judge
    slip = club_game.verdict(17).slip
    assert slip is not None
    assert f"{slip.ref} {slip.word} {slip.declared}" == counts


def test_a_judge_types_the_slip_anew_and_it_needs_no_second_typist(club_game: ClubGame, ada: User, ben: User) -> None:
    types(club_game, ada, "17 8H CARTE 18")
    types(club_game, ben, "17 8H CARTE 81")
    typing_conflicts.retype_slip(
        turn=club_game.turn, line="17 8H CERTA 18", by=club_game.judge, now=club_game.later(), room=club_game.room
    )
    assert counting(club_game, 17) == "8H CERTA 18"
    assert open_typings(club_game.turn).number == 0
    types(club_game, ben, "17 8H CARTE 81")
    assert len(open_typings(club_game.turn).differences) == 1
    assert counting(club_game, 17) == "8H CERTA 18"


def test_what_is_typed_in_one_way_needs_no_settling(club_game: ClubGame, ada: User, ben: User) -> None:
    types(club_game, ada, "17 8H CARTE 18")
    with pytest.raises(AlreadyDone):
        typing_conflicts.retype_slip(
            turn=club_game.turn, line="17 8H CERTA 18", by=club_game.judge, now=club_game.later(), room=club_game.room
        )
    typing = Typing.objects.get()
    types(club_game, ben, "17 8H CARTE 81")
    types(club_game, ben, "17 8H CERTA 18")
    stale = Typing.objects.get(raw="17 8H CARTE 81")
    with pytest.raises(Refused, match="typed again in the meantime"):
        typing_conflicts.choose_typing(
            turn=club_game.turn, typing_id=stale.pk, by=club_game.judge, now=club_game.later(), room=club_game.room
        )
    assert typing.slip is not None


def test_a_slip_from_the_phone_takes_the_place_of_both(club_game: ClubGame, ada: User, ben: User) -> None:
    types(club_game, ada, "17 8H CARTE 18")
    types(club_game, ben, "17 8H CARTE 81")
    club_game.phone(17, "CERTA", "8H", 18)
    assert open_typings(club_game.turn).number == 0
    types(club_game, ben, "17 8H CARTE 81")
    assert counting(club_game, 17) == "8H CARTE 81"


def test_one_typist_alone_blocks_nothing(club_game: ClubGame, ada: User) -> None:
    types(club_game, ada, "17 8H CARTE 18")
    types(club_game, ada, "17 8H CERTA 18")
    club_game.close()
    club_game.place()
    assert club_game.verdict(17).slip is not None
    assert counting(club_game, 17) == "8H CERTA 18"


def test_every_typing_is_sealed_in_the_ledger_without_a_word_of_it(club_game: ClubGame, ada: User, ben: User) -> None:
    types(club_game, ada, "17 8H CARTE 18")
    types(club_game, ben, "17 8H CARTE 81")
    entries = {entry.n: entry for entry in LedgerEntry.objects.filter(game=club_game.game, kind="typing")}
    assert [entry.by for entry in entries.values()] == ["ada", "ben"]
    for typing in Typing.objects.all():
        assert entries[typing.entry].data["digest"] == double_entry.digest_of(typing, 17)
        assert "CARTE" not in str(entries[typing.entry].data)
    first = Typing.objects.earliest("pk")
    first.word = "CERTA"
    assert entries[first.entry].data["digest"] != double_entry.digest_of(first, 17)


def test_the_archive_holds_what_counts_and_nothing_else(club_game: ClubGame, ada: User, ben: User) -> None:
    types(club_game, ada, "17 8H CARTE 18")
    types(club_game, ben, "17 8H SECRETA 81")
    club_game.close()
    club_game.place()
    archive = str(export_game(club_game.refresh()))
    assert "CARTE" in archive
    assert "SECRETA" not in archive


def test_the_archive_of_such_a_game_verifies(club_game: ClubGame, ada: User, ben: User) -> None:
    types(club_game, ada, "17 8H CARTE 18")
    types(club_game, ben, "17 8H CERTA 81")
    club_game.close()
    typing_conflicts.retype_slip(
        turn=club_game.turn, line="17 8H RESTI 18", by=club_game.judge, now=club_game.later(), room=club_game.room
    )
    club_game.place()
    game_end.end_game(game=club_game.refresh(), by=club_game.judge, now=club_game.later())
    told = read_archive(json.dumps(export_game(club_game.refresh())))
    words = word_lists.open_lexicon(club_game.game, 1)
    found = [each.where for each in verify(told, words)]
    assert [where for where in found if "ledger" in where or "slip" in where] == []


def test_without_the_switch_the_last_typed_counts_and_nothing_is_kept_beside(
    club_game: ClubGame, ada: User, ben: User
) -> None:
    double_entry.set_double_typing(event=club_game.event, wanted=False, now=club_game.later(), by=club_game.judge)
    types(club_game, ada, "17 8H CARTE 18")
    types(club_game, ben, "17 8H CARTE 81")
    assert counting(club_game, 17) == "8H CARTE 81"
    assert not Typing.objects.exists()


def test_as_many_queries_for_many_slips_as_for_few(club_game: ClubGame, ada: User, ben: User) -> None:
    def asked() -> int:
        turn = Turn.objects.select_related("game").get(pk=club_game.turn.pk)
        with CaptureQueriesContext(connection) as queries:
            open_typings(turn, club_game.room)
        return len(queries)

    types(club_game, ada, "1 8H CARTE 18")
    types(club_game, ben, "1 8H CARTE 81")
    for_one = asked()
    for table in (2, 3, 17):
        types(club_game, ada, f"{table} 8H CARTE 18")
        types(club_game, ben, f"{table} 8H CARTE 81")
    assert len(open_typings(club_game.turn).differences) == 4
    assert asked() == for_one
