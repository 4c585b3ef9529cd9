"""The judge warns a player at the desk: beside the slips or in a group of them, with and without scripts."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.test import Client

from tests.tournaments.night import Night, begin
from tournaments.models import GivenWarning
from tournaments.services.access import first_judge

pytestmark = pytest.mark.django_db


@pytest.fixture
def night(client: Client) -> Night:
    judge = first_judge()
    client.force_login(judge, backend="django.contrib.auth.backends.ModelBackend")
    night = begin(judge, profile="fisf")
    night.begin_turn("ACEIRST")
    for table in (1, 2):
        night.phone(table, "CESTAI", "H3", 20)
    night.phone(3, "ZZZ", "H8", 9)
    return night


def desk(client: Client, night: Night) -> str:
    return unescape(client.get(f"/desk/{night.event.code}/").content.decode())


def act(client: Client, night: Night, action: str, *, htmx: bool = True, **fields: object) -> str:
    headers = {"HX-Request": "true"} if htmx else {}
    answer = client.post(f"/desk/{night.event.code}/do/{action}/", fields, headers=headers, follow=True)
    assert answer.status_code == 200
    return unescape(answer.content.decode())


def forms(page: str, action: str) -> list[str]:
    return re.findall(rf'<form[^>]*action="[^"]*/do/{action}/".*?</form>', page, re.DOTALL)


@pytest.mark.parametrize("htmx", [True, False])
def test_a_warning_is_given_shown_and_taken_back(client: Client, night: Night, htmx: bool) -> None:
    [form] = forms(desk(client, night), "give-warning")
    assert re.findall(r'name="([a-z]+)"', form) == ["csrfmiddlewaretoken", "table", "code", "reason"]
    page = act(client, night, "give-warning", htmx=htmx, table="17", code="discipline", reason="talked aloud")
    assert re.search(r"<b>17</b> Dario Bianchi: discipline\s+<span class=\"quiet\">talked aloud</span>", page)
    [button] = forms(page, "take-warning-back")
    sent = dict(re.findall(r'name="(table|code)" value="([^"]*)"', button))
    assert sent == {"table": "17", "code": "discipline"}
    page = act(client, night, "take-warning-back", htmx=htmx, **sent)
    assert "Dario Bianchi: discipline" not in page
    assert GivenWarning.objects.get().revoked_at


def test_a_group_offers_the_warning_with_its_table_and_shows_it(client: Client, night: Night) -> None:
    night.close()
    [beside] = forms(desk(client, night), "give-warning")
    assert 'name="table"' in beside
    opened = [client.get(path).content.decode() for path in re.findall(r'data-source="([^"]*)"', desk(client, night))]
    in_groups = sorted((form for page in opened for form in forms(page, "give-warning")), key=lambda one: '"3"' in one)
    assert [re.findall(r'name="table".*?value="([0-9]*)"', form) for form in in_groups] == [[""], ["3"]]
    page = act(client, night, "give-warning", table="2", code="unreadable", reason="")
    [group] = re.findall(r'<li class="group[^>]*>(?:(?!</li>).)*CESTAI.*?</li>', page, re.DOTALL)
    assert re.search(r'<p class="warned">Warned: <b>2</b> Bruno Verdi: unclear slip</p>', group)


def test_a_zero_shows_that_the_warning_is_not_counted(client: Client, night: Night) -> None:
    night.close()
    page = act(client, night, "give-warning", table="3", code="unreadable", reason="")
    assert "Not counted, because the slip is a zero." in page


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"table": "99", "code": "discipline"}, "There is no table 99."),
        ({"table": "x", "code": "discipline"}, "“x” is not a whole number."),
        ({"table": "1", "code": "score_wrong"}, "Say what the warning is for: an unclear slip, or discipline."),
        ({"table": "1"}, "Say what the warning is for: an unclear slip, or discipline."),
    ],
)
def test_what_is_no_warning_is_refused_in_one_sentence(
    client: Client, night: Night, fields: dict[str, str], sentence: str
) -> None:
    assert sentence in act(client, night, "give-warning", htmx=False, **fields)
    assert not GivenWarning.objects.exists()


def test_once_the_move_is_placed_warnings_stay_and_none_is_offered(client: Client, night: Night) -> None:
    act(client, night, "give-warning", table="1", code="unreadable", reason="blots")
    night.close()
    night.place()
    page = desk(client, night)
    assert "Anna Rossi: unclear slip" in page
    assert forms(page, "give-warning") + forms(page, "take-warning-back") == []
