"""Archives of another installation become the evening that was played there, and nothing that contradicts itself."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from io import BytesIO
from typing import Any

import pytest

from tests.tournaments.club_game import NEXT_SEED, ClubGame, create_club_game, play_turn, seeded_random
from tests.tournaments.conftest import KeptRows
from tournaments.errors import Refused
from tournaments.events.services import events
from tournaments.members.services.anonymise_member import anonymise_member
from tournaments.models import EventSummary, Game, Member, PlayerResult
from tournaments.now import utc_now
from tournaments.play.services import game_end
from tournaments.ratings.queries.rated_games import load_rated_games
from tournaments.results.queries.archive import export_game
from tournaments.seasons.earlier_archives import is_archive_file, read_archive_evenings
from tournaments.seasons.queries.earlier_evenings import EveningState, compare_evenings
from tournaments.seasons.services.earlier_evenings import import_evenings
from tournaments.seasons.services.summaries import refresh_summaries
from tournaments.staff.services.login_links import first_judge

pytestmark = pytest.mark.django_db
Files = list[tuple[str, bytes]]


def play_event() -> tuple[ClubGame, Files]:
    """Two games of one turn, and their archives."""
    club_game, rng = create_club_game(first_judge()), seeded_random(4)
    files = []
    for number in (1, 2):
        play_turn(club_game, rng)
        game_end.end_game(game=club_game.refresh(), by=club_game.judge, now=club_game.later())
        archive = export_game(club_game.refresh(), club_game.room, shown_only=True, now=club_game.now)
        files.append((f"{number}-archive.json", json.dumps(archive).encode()))
        if number == 1:
            made = events.add_game(event=club_game.event, by=club_game.judge, now=club_game.later(), seed=NEXT_SEED)
            club_game.game = Game.objects.select_related("event").get(pk=made.pk)
    refresh_summaries()
    return club_game, files


@pytest.fixture(scope="module")
def played(kept_rows: KeptRows) -> Any:
    return kept_rows(play_event)


def test_the_evening_of_an_event_is_what_this_installation_stores_of_it(played: tuple[ClubGame, Files]) -> None:
    club_game, files = played
    (evening,) = read_archive_evenings(list(reversed(files)))
    stored = EventSummary.objects.get(event=club_game.event)
    facts = (stored.name, stored.date, stored.tops, stored.turns, stored.games)
    assert (evening.name, evening.date, evening.tops, evening.turns, evening.games) == facts
    rows = {row.player.name: row for row in stored.results.select_related("player") if row.player}
    assert {result.name for result in evening.results} == rows.keys()
    for result in evening.results:
        row = rows[result.name]
        assert (result.points, result.rank, result.solos, result.tops_found) == (
            row.points,
            row.rank,
            row.solos,
            row.tops_found,
        )
        assert result.best_points == row.best_points
        assert [(game.points, game.tops, game.rank) for game in result.games] == [
            (game["points"], game["tops"], game["rank"]) for game in row.games
        ]
    assert compare_evenings([evening])[0].state is EveningState.OWN


def test_the_zip_of_an_event_is_read_and_an_archive_that_occurs_twice_counts_once(
    played: tuple[ClubGame, Files],
) -> None:
    files = played[1]
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w") as target:
        for number, (name, content) in enumerate(files, 1):
            target.writestr(f"CODE/game-{number}/CODE-{name}", content)
        target.writestr("CODE/CODE-results.json", "{}")
    content = packed.getvalue()
    assert is_archive_file("event.zip", content)
    assert (
        read_archive_evenings([("event.zip", content), files[0]])[0].results == read_archive_evenings(files)[0].results
    )


def test_an_archive_is_stored_once_and_its_players_are_linked_to_members(played: tuple[ClubGame, Files]) -> None:
    _club_game, files = played
    evenings = read_archive_evenings(files)
    EventSummary.objects.all().delete()
    anna = Member.objects.create(surname="Rossi", first_name="Anna", club="Torino")
    Member.objects.create(surname="Verdi", first_name="Bruno", club="Torino")
    Member.objects.create(surname="Verdi", first_name="Bruno", club="Torino")
    done = import_evenings(evenings, replace=False)
    assert (done.stored, done.unchanged, done.unlinked) == (1, 0, 3)
    assert PlayerResult.objects.get(member=anna).name == "Anna Rossi"
    starts = [json.loads(content)["turns"][0]["started_at"] for _name, content in files]
    assert [stored.game.started for stored in load_rated_games()] == starts, "ratings order the games of a day by these"
    before = list(PlayerResult.objects.order_by("pk").values())
    assert import_evenings(evenings, replace=False).unchanged == 1
    assert list(PlayerResult.objects.order_by("pk").values()) == before


def test_a_file_with_the_name_of_an_anonymised_member_does_not_write_it_back(played: tuple[ClubGame, Files]) -> None:
    evenings = read_archive_evenings(played[1])
    EventSummary.objects.all().delete()
    anna = Member.objects.create(surname="Rossi", first_name="Anna", club="Torino")
    import_evenings(evenings, replace=False)
    anonymise_member(member=anna, by=None, now=utc_now())
    assert import_evenings(evenings, replace=True).replaced == 1
    results = PlayerResult.objects.filter(summary__name=evenings[0].name)
    assert (results.get(member=anna).name, results.get(member=anna).club) == ("", "")
    assert not results.filter(name="Anna Rossi").exists()
    assert results.count() == len(evenings[0].results)
    unclear = [replace(evening, results=[replace(each, points=0) for each in evening.results]) for evening in evenings]
    results.exclude(member=anna).update(name="Somebody")
    with pytest.raises(Refused, match="anonymised"):
        import_evenings(unclear, replace=True)


def _remove_end(archive: dict[str, Any]) -> None:
    archive["end"] = None


def _give_points(archive: dict[str, Any]) -> None:
    archive["standings"][0]["total"] += 1


def _change_slip(archive: dict[str, Any]) -> None:
    archive["turns"][0]["slips"][0]["verdict"]["points"] += 50


def _change_ledger(archive: dict[str, Any]) -> None:
    archive["ledger"]["entries"][1]["data"] = {}


def _remove_players(archive: dict[str, Any]) -> None:
    del archive["players"]


@pytest.mark.parametrize("spoil", [_remove_end, _give_points, _change_slip, _change_ledger, _remove_players])
def test_an_archive_that_contradicts_itself_is_refused_with_a_sentence(
    played: tuple[ClubGame, Files], spoil: Callable[[dict[str, Any]], None]
) -> None:
    archive = deepcopy(json.loads(played[1][0][1]))
    spoil(archive)
    with pytest.raises(Refused) as refused:
        read_archive_evenings([("game.json", json.dumps(archive).encode())])
    assert refused.value.sentence.endswith(".")


def test_a_damaged_zip_is_refused(played: tuple[ClubGame, Files]) -> None:
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as target:
        target.writestr("CODE/CODE-1-archive.json", played[1][0][1])
    damaged = bytearray(packed.getvalue())
    damaged[200:260] = bytes(60)
    with pytest.raises(Refused, match="damaged"):
        read_archive_evenings([("event.zip", bytes(damaged))])
