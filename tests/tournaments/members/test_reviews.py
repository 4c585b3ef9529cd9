"""The review: guests of past events and imported evenings become, or are linked to, members."""

from __future__ import annotations

from datetime import date

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import given
from hypothesis import strategies as st

from tests.tournaments.club_game import START_TIME, ClubGame, create_club_game, play_turn, seeded_random
from tournaments.errors import Refused
from tournaments.members.person_match import MOST_CANDIDATES, MemberIndex, MemberRecord, make_person
from tournaments.members.person_places import PersonPlace, read_place
from tournaments.members.queries.linked_players import find_links
from tournaments.members.queries.reviews import Review, get_review
from tournaments.members.services import links, reviews
from tournaments.members.services.members import NamesakeFound
from tournaments.members.services.new_members import make_member
from tournaments.models import Event, EventSummary, Member, Player, PlayerMember, PlayerResult
from tournaments.play.services import game_end
from tournaments.players.near_names import differ_by_at_most, is_near
from tournaments.players.services import anonymise
from tournaments.players.services.players import NewPlayer
from tournaments.seasons.queries.results import load_event_results
from tournaments.seasons.services.summaries import refresh_summaries

pytestmark = pytest.mark.django_db


def names(review: Review) -> dict[str, list[str]]:
    kinds = ("certain", "questions", "guests", "decided")
    return {kind: sorted(person.name for person in getattr(review, kind)) for kind in kinds}


def evening(judge: User, *players: NewPlayer) -> ClubGame:
    return create_club_game(judge, players=players)


def test_certain_matches_are_linked_at_once_and_the_others_are_asked_about(judge: User) -> None:
    club = {
        name: Member.objects.create(first_name=first, surname=last, club=where, licence=licence)
        for name, first, last, where, licence in (
            ("anna", "Anna", "Rossi", "Torino", ""),
            ("bruno", "Bruno", "Verdi", "Torino", "IT-2"),
            ("carla", "Carla", "Neri", "Asti", ""),
            ("second carla", "Carla", "Neri", "Ivrea", ""),
        )
    }
    first = evening(
        judge,
        NewPlayer(1, "ROSSI Anna", "TORINO"),
        NewPlayer(2, "Bruno Verdy", licence="it-2"),
        NewPlayer(3, "Carla Neri"),
        NewPlayer(4, "Ana Rosi"),
        NewPlayer(5, "Zeno Gatti"),
        NewPlayer(6, "Bruno Verdi", "Torino", licence="IT-99"),
    )
    evening(judge, NewPlayer(1, "Anna Rossi", "Torino"), NewPlayer(2, "Carla Neri"))
    old = EventSummary.objects.create(name="Spring 2019", date=date(2019, 4, 2), source="old.xlsx")
    PlayerResult.objects.create(summary=old, name="Anna Rossi", club="Torino", rank=1, points=700)
    review = get_review()
    assert names(review) == {
        "certain": ["Anna Rossi", "Bruno Verdy"],
        "questions": ["Ana Rosi", "Carla Neri"],
        "guests": ["Bruno Verdi", "Zeno Gatti"],
        "decided": [],
    }
    assert review.certain_results == 4
    with pytest.raises(Refused, match="changed in the meantime"):
        reviews.link_certain(shown="something else", by=judge, now=START_TIME)
    assert reviews.link_certain(shown=review.digest, by=judge, now=START_TIME) == 2
    assert PlayerMember.objects.filter(member=club["anna"]).count() == 2
    assert PlayerResult.objects.get(summary=old).member == club["anna"]
    asked = {person.name: person for person in get_review().questions}
    assert set(asked["Carla Neri"].match.candidates) == {club["carla"].pk, club["second carla"].pk}
    answers = {
        asked["Carla Neri"].key: str(club["carla"].pk),
        asked["Ana Rosi"].key: reviews.GUEST,
        next(person.key for person in get_review().guests if person.name == "Zeno Gatti"): reviews.NEW_MEMBER,
        "999999.0": str(club["anna"].pk),
    }
    done = reviews.store_answers(answers=answers, by=judge, now=START_TIME)
    assert (done.linked, done.guests, done.new) == (1, 1, 1)
    assert PlayerMember.objects.filter(member=club["carla"]).count() == 2
    assert Member.objects.get(surname="Gatti").player_links.get().player == first.player(5)
    evening(judge, NewPlayer(1, "Ana Rosi"))
    review = get_review()
    assert (review.questions, [len(person.places) for person in review.decided]) == ([], [2]), "not asked again"
    assert reviews.ask_again(keys=[review.decided[0].key]) == 1
    assert names(get_review())["questions"] == ["Ana Rosi"]


def test_a_match_is_not_certain_when_the_member_or_a_namesake_plays_there_too(judge: User) -> None:
    Member.objects.create(first_name="Anna", surname="Rossi")
    two = create_club_game(judge, players=[NewPlayer(1, "Anna Rossi", licence="1")])
    Player.objects.filter(event=two.event).update(licence="")
    Player.objects.create(
        event=two.event, room=two.room, table=2, name="Anna Rossi", joined_at=START_TIME, stated_surname="Rossi"
    )
    review = get_review()
    assert [len(person.places) for person in review.questions] == [1, 1]
    answers = {person.key: str(person.match.candidates[0]) for person in review.questions}
    reviews.store_answers(answers=answers, by=judge, now=START_TIME)
    assert PlayerMember.objects.count() == 1, "a member is one player of an event"
    assert names(get_review())["questions"] == ["Anna Rossi"]


def test_a_guest_who_becomes_a_member_counts_in_the_season_and_a_link_is_taken_away_again(club_game: ClubGame) -> None:
    play_turn(club_game, seeded_random(4))
    game_end.end_game(game=club_game.refresh(), by=club_game.judge, now=club_game.later())
    refresh_summaries()
    [summary] = EventSummary.objects.all()
    assert load_event_results([summary])[0].results == []
    carla = PersonPlace(club_game.player(3).pk)
    member = make_member([carla], by=club_game.judge, now=club_game.later())
    assert (member.first_name, member.surname, member.club) == ("Carla", "Neri", "Milano")
    [result] = load_event_results([summary])[0].results
    assert (result.member, result.result.player_id) == (member.pk, club_game.player(3).pk)
    assert [line.place for line in find_links("neri")] == [carla]
    links.unlink_place(carla, by=club_game.judge, now=club_game.later())
    assert load_event_results([summary])[0].results == []
    assert names(get_review())["decided"] == ["Carla Neri"]
    with pytest.raises(NamesakeFound):
        make_member([carla], by=club_game.judge, now=club_game.later())


def test_nothing_is_asked_about_events_whose_names_were_removed(judge: User) -> None:
    game = evening(judge, NewPlayer(1, "Zeno Gatti"))
    assert len(get_review().guests) == 1
    game.draw()
    game_end.end_game(game=game.refresh(), by=judge, now=game.later())
    anonymise.anonymise_event(event=game.event, by=judge, now=game.later())
    assert get_review().everybody == []


def test_each_name_of_a_pair_is_a_person(judge: User) -> None:
    anna = Member.objects.create(first_name="Anna", surname="Rossi")
    game = evening(judge, NewPlayer(1, "Anna Rossi / Zeno Gatti"))
    review = get_review()
    assert names(review)["certain"] == ["Anna Rossi"]
    assert names(review)["guests"] == ["Zeno Gatti"]
    reviews.link_certain(shown=review.digest, by=judge, now=START_TIME)
    reviews.make_members(keys=[get_review().guests[0].key], by=judge, now=START_TIME)
    zeno = Member.objects.get(surname="Gatti")
    found = PlayerMember.objects.filter(player=game.player(1)).order_by("position")
    assert list(found.values_list("member", "position")) == [(anna.pk, 0), (zeno.pk, 1)]


@pytest.mark.parametrize("text", ["", "r", "rx", "1", "1.2", "x.0", "1.0.0", "r0", "-1.0", "9" * 400])
def test_a_text_that_names_no_place_is_none(text: str) -> None:
    assert read_place(text) is None


_NAMES = st.lists(st.text("abeilnor", min_size=2, max_size=6), min_size=1, max_size=3).map(" ".join)


@given(st.lists(_NAMES, min_size=1, max_size=12, unique=True), _NAMES)
def test_the_index_finds_the_same_near_names_as_a_comparison_with_everybody(members: list[str], name: str) -> None:
    """Except names of which each word is misspelled twice, or that share no word at all."""
    index = MemberIndex(MemberRecord(n, make_person(each)) for n, each in enumerate(members))
    match = index.match(make_person(name))
    key = make_person(name).key
    keys = [make_person(each).key for each in members]
    near = {n for n, each in enumerate(keys) if is_near(key, each) or set(each.split()) <= set(key.split())}
    found = set(match.candidates) if match.certain is None else {match.certain}
    assert found <= near
    if match.certain is None and found:
        words = {n for n in near if len(found) < MOST_CANDIDATES and _has_similar_word(key, keys[n])}
        assert words <= found


def _has_similar_word(one: str, other: str) -> bool:
    return any(differ_by_at_most(a, b, 1) for a in one.split() for b in other.split())


def test_the_number_of_queries_of_the_review_does_not_grow(judge: User) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as asked:
            get_review()
        return len(asked)

    Member.objects.create(first_name="Anna", surname="Rossi")
    evening(judge, NewPlayer(1, "Anna Rosi"))
    before = queries()
    for _each in range(3):
        evening(judge, NewPlayer(1, "Anna Rosi"), NewPlayer(2, "Ugo Po"))
    assert Event.objects.count() == 4
    assert queries() == before
