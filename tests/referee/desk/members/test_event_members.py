"""Pages of members as players: ticking, the new event, pairs, and the review."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from tests.tournaments.club_game import ClubGame, create_club_game
from tournaments.models import Event, Member, Player, PlayerMember
from tournaments.staff.services.login_links import first_judge

pytestmark = pytest.mark.django_db


@pytest.fixture
def club_game() -> ClubGame:
    return create_club_game(first_judge())


@pytest.fixture
def desk(client: Client, club_game: ClubGame) -> Client:
    client.force_login(club_game.judge)
    return client


def act(desk: Client, club_game: ClubGame, name: str, **fields: object) -> str:
    """Do an action and return the page that follows."""
    code = club_game.event.code
    answer = desk.post(f"/desk/{code}/do/{name}/", {"next": f"/desk/{code}/players/", **fields}, follow=True)
    return answer.content.decode()


def test_members_are_ticked_with_last_weeks_list_and_added(desk: Client, club_game: ClubGame) -> None:
    anna, elena = (Member.objects.create(first_name=a, surname=b) for a, b in (("Anna", "Rossi"), ("Elena", "Zola")))
    act(desk, club_game, "add-players", lines="Fabio Moro")
    assert PlayerMember.objects.get().member == anna, "the page links listed names"
    form = {"name": "Next week", "date": "2026-03-13", "edition": "it", "profile": "it-box", "preset": "own"}
    form |= {"draw_mode": "seeded", "language": "it", "variant": "normal", "time_control": "", "lines": ""}
    page = desk.post("/desk/new/", {**form, "member": elena.pk, "tick_last": "1"})
    ticked = {choice.pk for choice in page.context["member_choices"] if choice.is_ticked}
    assert ticked == {anna.pk, elena.pk}
    opened = desk.post("/desk/new/", {**form, "member": sorted(ticked)})
    assert opened.status_code == 302
    following = Event.objects.get(name="Next week")
    assert sorted(following.players.values_list("name", flat=True)) == ["Anna Rossi", "Elena Zola"]
    address = f"/desk/{club_game.event.code}/players/members/"
    assert [choice.pk for choice in desk.get(address).context["member_choices"]] == [elena.pk]
    answer = desk.post(address, {})
    assert (answer.status_code, "Choose members first" in answer.content.decode()) == (422, True)
    desk.post(address, {"member": elena.pk})
    assert PlayerMember.objects.filter(member=elena, player__event=club_game.event).exists()


def test_a_guest_becomes_a_member_and_a_pair_is_made_and_split(desk: Client, club_game: ClubGame) -> None:
    assert "Anna Rossi is a member now" in act(desk, club_game, "make-member", table=1, position=0)
    assert "with one slip" in act(desk, club_game, "play-as-pair", table=1, partner="Zoe Monti")
    page = act(desk, club_game, "make-member", table=1, position=1)
    assert "Zoe Monti is a member now" in page
    assert "both are members" in page
    assert "Anna Rossi plays alone" in act(desk, club_game, "split-pair", table=1)
    assert "is a guest in this event now" in act(desk, club_game, "unlink-member", table=1, position=0)
    assert "linked to no member" in act(desk, club_game, "unlink-member", table=1, position=0)
    assert not PlayerMember.objects.exists()


def test_guests_of_an_event_are_answered_on_its_page(desk: Client, club_game: ClubGame) -> None:
    anna = Member.objects.create(first_name="Anna", surname="Rosi")
    page = desk.get(f"/desk/{club_game.event.code}/players/members/")
    fields = {question.person.name: question.field for question in page.context["questions"]}
    answers = {fields["Anna Rossi"]: anna.pk, fields["Bruno Verdi"]: "new", fields["Carla Neri"]: "guest"}
    assert "1 person is linked. 1 new member. 1 person stays a guest." in act(desk, club_game, "link-guests", **answers)


def test_the_review_links_answers_and_takes_back(desk: Client, club_game: ClubGame) -> None:
    Member.objects.create(first_name="Anna", surname="Rossi", club="Torino")
    near = Member.objects.create(first_name="Bruna", surname="Verdi")
    page = desk.get("/desk/members/review/")
    shown = re.search(r'name="shown" value="(\w+)"', page.content.decode())
    assert shown
    text = desk.post("/desk/members/review/", {"do": "link", "shown": shown[1]}, follow=True).content.decode()
    assert "1 person is linked." in text
    [question] = desk.get("/desk/members/review/").context["questions"]
    assert question.choices[0] == (str(near.pk), "Bruna Verdi")
    desk.post("/desk/members/review/", {"do": "answer", question.field: near.pk})
    guests = desk.get("/desk/members/review/").context["guests"]
    desk.post("/desk/members/review/", {"do": "make", "person": [person.key for person in guests]})
    assert Member.objects.count() == 4
    [link] = desk.get("/desk/members/review/?q=verdi").context["links"]
    desk.post("/desk/members/review/", {"do": "unlink", "place": link.place.text})
    [guest] = desk.get("/desk/members/review/").context["decided"]
    desk.post("/desk/members/review/", {"do": "ask", "person": guest.key})
    assert desk.get("/desk/members/review/").context["questions"]
    for nonsense in ({}, {"do": "x"}, {"do": "unlink", "place": "q"}, {"do": "make", "person": "1.0"}, {"do": "ask"}):
        assert desk.post("/desk/members/review/", nonsense).status_code == 302
    assert Player.objects.count() == 4


def test_of_many_members_those_who_played_last_are_listed_and_the_others_are_searched(
    desk: Client, club_game: ClubGame
) -> None:
    Member.objects.bulk_create(Member(first_name="Anna", surname=f"Aa{number}") for number in range(250))
    zoe = Member.objects.create(first_name="Zoë", surname="Zola")
    far, ticked = Member.objects.get(surname="Aa249"), Member.objects.get(surname="Aa9")
    act(desk, club_game, "add-players", lines="Zoë Zola")
    other = create_club_game(club_game.judge)
    address = f"/desk/{other.event.code}/players/members/"
    listed = [choice.pk for choice in desk.get(address).context["member_choices"]]
    assert len(listed) == 200
    assert (zoe.pk in listed, far.pk in listed) == (True, False)
    page = desk.post(address, {"member": ticked.pk, "member_search": "aa249", "find_members": "1"})
    assert [(each.pk, each.is_ticked) for each in page.context["member_choices"]] == [
        (ticked.pk, True),
        (far.pk, False),
    ]
    assert not PlayerMember.objects.filter(player__event=other.event).exists()
