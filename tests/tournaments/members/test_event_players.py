"""Members as players: ticked, listed by name, from last week's list, and as a pair."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.contrib.auth.models import User

from tests.tournaments.club_game import SEED, START_TIME, ClubGame, create_club_game, play_turn, seeded_random
from tournaments.errors import AlreadyDone, Refused
from tournaments.events.services.events import NewEvent
from tournaments.members.queries.event_members import list_member_choices, list_members_of_last_event
from tournaments.members.queries.linked_players import get_member_links
from tournaments.members.services import event_players
from tournaments.models import LedgerEntry, Member, MemberAct, Player, PlayerMember, ReversibleAct
from tournaments.play.services import game_end
from tournaments.players.services import players, undo
from tournaments.players.services.players import NewPlayer
from tournaments.results.queries.archive import export_game
from tournaments.seasons.queries.results import load_event_results
from tournaments.seasons.services.summaries import refresh_summaries

pytestmark = pytest.mark.django_db


def make_member(first_name: str, surname: str, **details: str) -> Member:
    return Member.objects.create(first_name=first_name, surname=surname, **details)


def links_of(club_game: ClubGame) -> dict[str, list[str]]:
    return {
        Player.objects.get(pk=player).name: [line.member.name for line in lines]
        for player, lines in get_member_links(club_game.event).items()
    }


def listed(club_game: ClubGame, *lines: str) -> int:
    """Type these lines on the page of the players."""
    parsed = players.parse_players("\n".join(lines), namesakes=True)
    players.add_players(
        event=club_game.event, players=parsed.players, now=club_game.later(), by=club_game.judge, namesakes=True
    )
    return event_players.link_listed_players(event=club_game.event, by=club_game.judge, now=club_game.later())


def test_ticked_members_get_tables_and_all_that_the_club_knows_of_them(club_game: ClubGame) -> None:
    elena = make_member("Elena", "Zola", club="Ivrea", licence="IT-9", category="Junior", country="IT", team="Reds")
    fabio = make_member("Fabio", "De Luca", category="A")
    anna = make_member("Anna", "Rossi")
    done = event_players.add_members(
        event=club_game.event, members=[elena.pk, fabio.pk, anna.pk], by=club_game.judge, now=club_game.later()
    )
    assert (done.added, done.linked) == (2, 1), "the player Anna Rossi is linked, not added again"
    zola = Player.objects.get(name="Elena Zola")
    assert (zola.club, zola.licence, zola.age_class, zola.series, zola.country, zola.team, zola.surname) == (
        *("Ivrea", "IT-9", "Junior", "", "IT", "Reds"),
        "Zola",
    )
    assert (Player.objects.get(name="Fabio De Luca").series, zola.table) == ("A", 5)
    assert links_of(club_game) == {
        "Elena Zola": ["Elena Zola"],
        "Fabio De Luca": ["Fabio De Luca"],
        "Anna Rossi": ["Anna Rossi"],
    }
    assert LedgerEntry.objects.filter(kind="players").order_by("n").last().data["added"] == [4, 5]  # type: ignore[union-attr]
    assert set(MemberAct.objects.values_list("kind", flat=True)) == {"linked"}
    with pytest.raises(AlreadyDone):
        event_players.add_members(event=club_game.event, members=[anna.pk], by=None, now=club_game.later())


def test_of_two_ticked_namesakes_one_is_the_listed_player_and_the_other_is_added(club_game: ClubGame) -> None:
    both = [make_member("Anna", "Rossi", club=club) for club in ("Torino", "Milano")]
    done = event_players.add_members(
        event=club_game.event, members=[member.pk for member in both], by=club_game.judge, now=club_game.later()
    )
    assert (done.added, done.linked) == (1, 1)
    assert set(PlayerMember.objects.values_list("member", flat=True)) == {member.pk for member in both}


def test_last_weeks_list_are_the_members_of_the_latest_earlier_event(club_game: ClubGame, judge: User) -> None:
    anna, bruno = make_member("Anna", "Rossi"), make_member("Bruno", "Verdi")
    assert list_members_of_last_event(None) == (None, set())
    event_players.link_listed_players(event=club_game.event, by=judge, now=club_game.later())
    assert list_members_of_last_event(None) == (club_game.event, {anna.pk, bruno.pk})
    next_week = create_club_game(judge, players=()).event
    next_week.date = club_game.event.date + timedelta(days=7)
    next_week.save()
    assert list_members_of_last_event(next_week) == (club_game.event, {anna.pk, bruno.pk})
    event_players.add_members(event=next_week, members=[anna.pk], by=judge, now=club_game.later())
    assert [choice.pk for choice in list_member_choices(next_week)] == [bruno.pk]


def test_namesakes_in_the_list_are_told_apart_by_licence_or_year_of_birth(club_game: ClubGame) -> None:
    make_member("Elena", "Zola", club="Ivrea", licence="IT-9")
    Member.objects.create(first_name="Èlena", surname="Zola", birth_year=1990)
    make_member("Ugo", "Po", club="Torino", licence="IT-7")
    told = {(choice.name, choice.club) for choice in list_member_choices(club_game.event)}
    assert told == {("Elena Zola", "Ivrea, IT-9"), ("Èlena Zola", "1990"), ("Ugo Po", "Torino")}


def test_a_listed_name_is_linked_to_exactly_one_member(club_game: ClubGame) -> None:
    make_member("José", "D'Angelo")
    make_member("Elena", "Zola", club="Ivrea")
    make_member("Elena", "Zola", club="Asti")
    make_member("Gino", "Moro", club="Torino", licence="IT-7")
    make_member("Ugo", "Po", club="Torino")
    assert listed(club_game, "DANGELO Jose", "Elena Zola", "Ugo Pò, Roma", "Gino Mora") == 1
    assert links_of(club_game) == {"DANGELO Jose": ["José D'Angelo"]}, "namesakes, other clubs, typos"
    wrong = NewPlayer(None, "Dora Vinci", licence="it-7")
    players.add_players(event=club_game.event, players=[wrong], now=club_game.later())
    assert event_players.link_listed_players(event=club_game.event, by=None, now=club_game.later()) == 0
    right = players.PlayerDetails(name="Moro Gino")
    players.rename_player(Player.objects.get(name="Dora Vinci"), right, now=club_game.later(), by=None)
    assert event_players.link_listed_players(event=club_game.event, by=None, now=club_game.later()) == 1


def test_who_joined_by_phone_is_not_linked_by_the_name_alone(club_game: ClubGame) -> None:
    make_member("Zoe", "Monti")
    players.join_event(event=club_game.event, name="Zoe Monti", table=None, now=club_game.later(), token="z" * 22)
    assert event_players.link_listed_players(event=club_game.event, by=None, now=club_game.later()) == 0


def test_an_event_is_created_with_members_and_typed_names(judge: User) -> None:
    anna, elena = make_member("Anna", "Rossi"), make_member("Elena", "Zola")
    request = NewEvent(
        name="Club night",
        date=date(2026, 3, 6),
        place="",
        language="en",
        edition="it",
        profile="it-box",
        draw_mode="seeded",
    )
    game = event_players.create_event_with_members(
        request, [NewPlayer(7, "Anna Rossi")], {anna.pk, elena.pk}, by=judge, now=START_TIME, seed=SEED
    )
    found = PlayerMember.objects.filter(player__event=game.event).order_by("player__table")
    assert list(found.values_list("player__table", "member")) == [(1, elena.pk), (7, anna.pk)]


def test_a_pair_has_one_table_and_rank_and_counts_for_both_members(club_game: ClubGame) -> None:
    anna, elena = make_member("Anna", "Rossi"), make_member("Elena", "Zola")
    event_players.link_listed_players(event=club_game.event, by=club_game.judge, now=club_game.later())
    pair = event_players.play_as_pair(
        player=club_game.player(1), partner="Elena Zola", by=club_game.judge, now=club_game.later()
    )
    assert (pair.name, pair.shown_name) == ("Anna Rossi / Elena Zola", "A. Rossi / E. Zola")
    assert links_of(club_game) == {"Anna Rossi / Elena Zola": ["Anna Rossi", "Elena Zola"]}
    rng = seeded_random(4)
    play_turn(club_game, rng)
    game_end.end_game(game=club_game.refresh(), by=club_game.judge, now=club_game.later())
    refresh_summaries()
    [results] = load_event_results([club_game.event.summary])
    both = {result.member: (result.result.rank, result.result.points) for result in results.results}
    assert both.keys() == {anna.pk, elena.pk}
    assert both[anna.pk] == both[elena.pk]
    entry = export_game(club_game.refresh())["players"][0]
    assert (entry["name"], entry["member"], entry["partner"]) == ("Anna Rossi / Elena Zola", anna.pk, elena.pk)
    alone = event_players.split_pair(player=club_game.player(1), by=club_game.judge, now=club_game.later())
    assert alone.name == "Anna Rossi"
    assert links_of(club_game) == {"Anna Rossi": ["Anna Rossi"]}


def test_a_pair_is_written_in_a_list_and_refused_where_it_makes_no_sense(club_game: ClubGame) -> None:
    make_member("Ada", "Loy"), make_member("Bea", "Sala")
    assert listed(club_game, "Ada Loy / Bea Sala, Asti", "Rossi/Neri") == 2
    pair = Player.objects.get(name="Ada Loy / Bea Sala")
    assert links_of(club_game) == {pair.name: ["Ada Loy", "Bea Sala"]}
    assert not Player.objects.get(name="Rossi/Neri").is_pair
    for player, partner, sentence in (
        (club_game.player(1), "Bruno Verdi", "Bruno Verdi is a player, at table 2"),
        (club_game.player(1), "A / B", "one person"),
        (pair, "Cleo", "a pair already"),
    ):
        with pytest.raises(Refused, match=sentence):
            event_players.play_as_pair(player=player, partner=partner, by=None, now=club_game.later())


def test_a_removed_player_comes_back_with_the_member(club_game: ClubGame) -> None:
    make_member("Anna", "Rossi")
    event_players.link_listed_players(event=club_game.event, by=None, now=club_game.later())
    players.remove_player(player=club_game.player(1), now=club_game.later(), by=club_game.judge)
    assert not PlayerMember.objects.exists()
    undo.undo_act(event=club_game.event, key=ReversibleAct.objects.get().pk, by=club_game.judge, now=club_game.later())
    assert links_of(club_game) == {"Anna Rossi": ["Anna Rossi"]}
