"""History of a member and records of the club, computed by hand for three evenings."""

from __future__ import annotations

from datetime import date

import pytest
from django.contrib.auth.models import User

from tests.tournaments.club_game import create_club_game, play_turn, seeded_random
from tests.tournaments.seasons.club_year import ClubYear, give_words, make_club_year
from tournaments.enums import EndReason
from tournaments.models import Member, PlayerMember, PlayerResult, Season, TurnClock, Verdict
from tournaments.play.services import game_end
from tournaments.seasons.queries.club_records import ClubRecord, club_records
from tournaments.seasons.queries.member_history import member_history
from tournaments.seasons.services.summaries import refresh_summaries

pytestmark = pytest.mark.django_db


@pytest.fixture
def year() -> ClubYear:
    year = make_club_year()
    give_words(year.anna, year.evenings[0], ("GRAZIOSE", 98, True), ("RE", 12, False))
    give_words(year.anna, year.evenings[1], ("SPUTATO", 90, False), ("TRE", 13, False))
    give_words(year.bruno, year.evenings[1], ("GHIRLANDE", 70, True), ("ORO", 60, True))
    return year


def by_kind(records: list[ClubRecord]) -> dict[str, ClubRecord]:
    return {record.kind: record for record in records}


def told(record: ClubRecord) -> tuple[float, list[tuple[str, ...]]]:
    return record.value, [tuple(holder.name for holder in entry.holders) for entry in record.entries]


def test_the_history_of_a_member_is_what_the_three_evenings_say(year: ClubYear) -> None:
    Season.objects.create(name="Spring", starts=date(2026, 3, 1), ends=date(2026, 3, 15))
    history = member_history(year.anna)
    assert [(line.rank, line.players, line.percent) for line in history.events] == [(1, 4, 90), (2, 2, 80), (1, 2, 100)]
    assert history.averages.percent == 90
    assert (history.averages.events, history.averages.wins, history.medals) == (3, 2, (2, 1, 0))
    assert [(word.word, word.points, word.solo) for word in history.words[:3]] == [
        ("GRAZIOSE", 98, True),
        ("SPUTATO", 90, False),
        ("TRE", 13, False),
    ]
    assert {record.kind: (record.value, record.summary.date.day) for record in history.records} == {
        "most_percent": (100, 20),
        "most_points": (400, 13),
        "best_move": (98, 6),
        "longest_word": (8, 6),
        "most_solos": (1, 6),
    }
    [season] = history.seasons
    assert (season.counting, season.averages.events, season.averages.percent) == (2, 2, 85)
    means = (72.5, 85, 99.75)  # of the ranked players of each evening
    assert history.comparison.club_percent == pytest.approx(sum(means) / 3)
    assert history.comparison.club_solos == pytest.approx((1 / 4 + 2 / 2 + 0) / 3)


def test_the_records_are_those_of_the_three_evenings_and_ties_share_them(year: ClubYear) -> None:
    records = by_kind(club_records())
    assert told(records["most_percent"]) == (90, [("Anna Rossi",), ("Bruno Verdi",)])  # not 100 % in four turns
    assert told(records["most_points"]) == (450, [("Bruno Verdi",)])
    assert told(records["best_move"]) == (98, [("Anna Rossi",)])
    assert told(records["longest_word"]) == (9, [("Bruno Verdi",)])
    assert records["longest_word"].entries[0].word == "GHIRLANDE"
    assert told(records["most_solos"]) == (2, [("Bruno Verdi",)])
    assert told(records["closest_finish"]) == (50, [("Bruno Verdi", "Anna Rossi")])
    assert told(by_kind(club_records(least_turns=1))["closest_finish"]) == (1, [("Anna Rossi", "Carla Neri")])


def test_an_evening_with_a_disqualification_is_listed_and_counts_for_nothing(year: ClubYear) -> None:
    give_words(year.bruno, year.evenings[1], ("GHIRLANDE", 200, True))
    PlayerResult.objects.filter(member=year.bruno, summary=year.evenings[1]).update(rank=None)
    history = member_history(year.bruno)
    assert [line.rank for line in history.events] == [2, None]
    assert (history.averages.events, history.averages.percent, history.medals) == (1, 75, (0, 1, 0))
    assert not history.words
    records = by_kind(club_records())
    assert (records["best_move"].value, records["most_points"].value) == (98, 400)


def test_a_merged_record_counts_for_the_member_and_can_be_separated_again(year: ClubYear) -> None:
    Member.objects.filter(pk=year.bruno.pk).update(merged_into=year.carla)
    history = member_history(year.carla)
    assert [line.result.points for line in history.events] == [300, 450, 199]
    assert told(by_kind(club_records())["most_points"]) == (450, [("Carla Neri",)])
    Member.objects.filter(pk=year.bruno.pk).update(merged_into=None)
    assert [line.result.points for line in member_history(year.carla).events] == [300, 199]


def test_a_played_evening_gives_words_and_records_to_both_members_of_a_pair(judge: User) -> None:
    club_game, rng = create_club_game(judge), seeded_random(4)
    for _ in range(4):
        play_turn(club_game, rng)
    game_end.end_game(game=club_game.refresh(), why=EndReason.JUDGE, by=judge, now=club_game.later())
    pair = [Member.objects.create(first_name=name, surname="Bo") for name in ("Ada", "Leo")]
    for member in pair:
        PlayerMember.objects.create(player=club_game.player(1), member=member)
    refresh_summaries()
    histories = [member_history(member) for member in pair]
    best = Verdict.objects.filter(player__table=1, points__gt=0).order_by("-move_score", "turn__number")
    expected = list(best.values_list("move_word", "move_score"))
    for history, partner in zip(histories, reversed(pair), strict=True):
        assert [(word.word, word.points) for word in history.words] == expected[:5]
        assert history.events[0].partners == (partner.name,)
    top = by_kind(club_records())["highest_top"]
    assert top.value == max(turn.top or 0 for turn in club_game.game.turns.all())


def test_an_evening_that_a_second_room_still_plays_is_not_shown(judge: User) -> None:
    club_game, rng = create_club_game(judge), seeded_random(4)
    play_turn(club_game, rng)
    game_end.end_game(game=club_game.refresh(), why=EndReason.JUDGE, by=judge, now=club_game.later())
    member = Member.objects.create(surname="Bo")
    PlayerMember.objects.create(player=club_game.player(1), member=member)
    refresh_summaries()
    assert len(member_history(member).events) == 1
    TurnClock.objects.update(shown_at=None)
    refresh_summaries()
    assert not member_history(member).events
    assert not club_records(least_turns=1)
