"""E-mails with results: who gets one, what it says, once each, and what the page tells about those that failed."""

from __future__ import annotations

from email import message_from_string, policy
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from referee.outgoing.delivery import send_waiting_messages
from tests.referee.outgoing.receiver import MailServer
from tests.tournaments.club_game import START_TIME, ClubGame, create_club_game
from tournaments.enums import EndReason
from tournaments.errors import Refused
from tournaments.models import Event, Game, Member, PlayerMember, PublicPage, ResultMail
from tournaments.play.services import game_end
from tournaments.players.services.players import NewPlayer
from tournaments.publishing.queries.result_mails import CLAIM, get_summary, list_receivers
from tournaments.publishing.services import result_mails
from tournaments.seasons.services.summaries import refresh_summaries
from tournaments.staff.services.login_links import first_judge

pytestmark = pytest.mark.django_db
HALL = "https://club.example"
PLAYERS = [NewPlayer(table, name) for table, name in enumerate(("Anna", "Bruno", "Carla", "Dario", "Elena"), start=1)]


@pytest.fixture(autouse=True)
def _mail_server(settings: Settings, sink: MailServer) -> None:
    settings.MAIL_IS_CONFIGURED = True
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", sink.port
    settings.DEFAULT_FROM_EMAIL = "Club <club@example.org>"
    settings.PUBLIC_URL = HALL


@pytest.fixture
def club_game() -> ClubGame:
    """An evening that is over and settled. Anna and Bruno want e-mail; the other members do not, or have no address."""
    club_game = create_club_game(first_judge(), players=PLAYERS, language="it")
    club_game.begin_turn("CORNOAT")
    club_game.phone(1, "CORNO", "8D", 22)
    club_game.close()
    club_game.place()
    game_end.end_game(game=club_game.refresh(), why=EndReason.JUDGE, by=club_game.judge, now=club_game.later())
    for player in PLAYERS:
        member = Member.objects.create(
            first_name=player.name,
            surname="Rossi",
            email="" if player.name == "Carla" else f"{player.name.lower()}@example.org",
            wants_mail=player.name != "Dario",
        )
        if player.name != "Elena":
            PlayerMember.objects.create(player=club_game.player(player.table or 0), member=member)
    refresh_summaries()
    return club_game


def request(club_game: ClubGame) -> int:
    return result_mails.request_mails(event=club_game.event, now=club_game.later(3600))


def mails(sink: MailServer) -> dict[str, Any]:
    return {receiver: message_from_string(text, policy=policy.default) for receiver, text in sink.mails}


def test_members_who_asked_get_their_own_result_once(club_game: ClubGame, sink: MailServer) -> None:
    page = PublicPage.objects.create(event=club_game.event, token="t" * 22, is_on=True)
    assert request(club_game) == 2
    with pytest.raises(Refused):
        request(club_game)
    for _time in range(2):
        send_waiting_messages()
    assert set(mails(sink)) == {"anna@example.org", "bruno@example.org"}
    assert len(sink.mails) == 2
    mail = mails(sink)["anna@example.org"]
    assert (mail["From"], mail["To"]) == ("Club <club@example.org>", "anna@example.org")
    assert "Club night" in mail["Subject"]
    text = mail.get_content()
    anna, bruno = (Member.objects.get(first_name=name) for name in ("Anna", "Bruno"))
    assert "Anna Rossi" in text
    assert "22" in text
    assert f"{HALL}/m/{anna.page_token}/" in text
    assert f"{HALL}/p/{page.token}/" in text
    assert bruno.page_token not in text
    assert "Bruno" not in text
    assert not ResultMail.objects.filter(sent_at=None).exists()


def test_without_a_public_address_there_is_no_link(club_game: ClubGame, sink: MailServer, settings: Settings) -> None:
    settings.PUBLIC_URL = ""
    request(club_game)
    send_waiting_messages()
    assert "/m/" not in mails(sink)["anna@example.org"].get_content()


def test_a_refused_address_has_its_reason_and_can_be_tried_again(club_game: ClubGame, sink: MailServer) -> None:
    sink.refuses = {"anna@example.org"}
    request(club_game)
    send_waiting_messages()
    assert set(mails(sink)) == {"bruno@example.org"}
    client = Client()
    client.force_login(club_game.judge)
    address = f"/desk/{club_game.event.code}/results/players/"
    page = client.get(address).content.decode()
    assert "refused the address" in page
    assert "Send 1 e-mail again" in page
    sink.refuses = set()
    client.post(address, {"retry": "yes"})
    send_waiting_messages()
    assert set(mails(sink)) == {"anna@example.org", "bruno@example.org"}
    assert len(sink.mails) == 2


def test_a_mail_server_that_does_not_answer_loses_no_mail(
    club_game: ClubGame, sink: MailServer, settings: Settings
) -> None:
    settings.EMAIL_PORT = 1
    request(club_game)
    send_waiting_messages()
    assert set(ResultMail.objects.values_list("error", flat=True)) == {"no_server"}
    settings.EMAIL_PORT = sink.port
    assert result_mails.retry_mails(event=club_game.event, now=club_game.later()) == 2
    send_waiting_messages()
    assert len(sink.mails) == 2


def test_a_mail_is_never_sent_twice_by_itself(club_game: ClubGame, sink: MailServer) -> None:
    """The program dies between handing it over and noting that: nobody knows if it arrived."""
    request(club_game)
    claimed = result_mails.claim_mail(now=club_game.later())
    assert claimed is not None
    send_waiting_messages(clock=lambda: START_TIME + 10 * CLAIM)
    assert len(sink.mails) == 1
    client = Client()
    client.force_login(club_game.judge)
    page = client.get(f"/desk/{club_game.event.code}/results/players/").content.decode()
    assert "it may have arrived" in page


def test_who_changes_their_mind_before_it_is_sent_gets_none(club_game: ClubGame, sink: MailServer) -> None:
    request(club_game)
    Member.objects.filter(first_name="Anna").update(wants_mail=False)
    send_waiting_messages()
    assert set(mails(sink)) == {"bruno@example.org"}
    assert ResultMail.objects.get(member__first_name="Anna").error == "not_wanted"


def test_a_merged_member_gets_one_mail(club_game: ClubGame, sink: MailServer) -> None:
    anna = Member.objects.get(first_name="Anna")
    Member.objects.filter(first_name="Bruno").update(merged_into=anna)
    assert request(club_game) == 1


def test_results_are_sent_once_they_are_final(club_game: ClubGame) -> None:
    with pytest.raises(Refused, match="provisional"):
        result_mails.request_mails(event=club_game.event, now=club_game.later(1))
    open_event = create_club_game(club_game.judge).event
    with pytest.raises(Refused, match="not over"):
        result_mails.request_mails(event=open_event, now=club_game.later())


def test_the_page_counts_the_receivers_and_shows_the_code(club_game: ClubGame, settings: Settings) -> None:
    client = Client()
    client.force_login(club_game.judge)
    address = f"/desk/{club_game.event.code}/results/players/"
    Game.objects.update(appeal_minutes=0)
    assert "Send results by e-mail (2 members)" in client.get(address).content.decode()
    page = PublicPage.objects.create(event=club_game.event, token="t" * 22, is_on=True)
    shown = client.get(address + "?show=code").content.decode()
    assert "<svg" in shown
    assert f"/p/{page.token}/" in shown
    assert "e-mail" not in shown
    settings.MAIL_IS_CONFIGURED = False
    assert "No mail server is set up" in client.get(address).content.decode()
    assert "No mail server is set up" in client.post(address, follow=True).content.decode()
    assert not ResultMail.objects.exists()


def test_a_name_with_a_line_break_makes_no_header(club_game: ClubGame, sink: MailServer) -> None:
    Event.objects.filter(pk=club_game.event.pk).update(name="Night\r\nBcc: all@example.org")
    refresh_summaries()
    Member.objects.filter(first_name="Bruno").update(email="b@example.org\r\nBcc: all@example.org")
    assert [member.first_name for member in list_receivers(summary_of(club_game))] == ["Anna", "Bruno"]
    request(club_game)
    send_waiting_messages()
    assert set(mails(sink)) == {"anna@example.org"}
    assert mails(sink)["anna@example.org"]["Bcc"] is None
    assert ResultMail.objects.get(member__first_name="Bruno").error == "address"


def summary_of(club_game: ClubGame) -> Any:
    return get_summary(club_game.event)
