"""Command that prints a link to the judge's desk."""

from __future__ import annotations

from io import StringIO
from urllib.parse import urlsplit

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from pytest_django import Settings

pytestmark = pytest.mark.django_db


def test_the_link_has_the_public_address_and_opens_the_desk_once(settings: Settings, client: Client) -> None:
    settings.PUBLIC_URL = "https://game.example.org"
    out = StringIO()
    call_command("judge_link", stdout=out)
    link = urlsplit(out.getvalue().strip())
    assert (link.scheme, link.netloc) == ("https", "game.example.org")
    assert client.post(link.path)["Location"] == "/desk/"
    assert Client().post(link.path)["Location"] != "/desk/"


def test_without_an_address_the_remedy_is_named(settings: Settings) -> None:
    settings.PUBLIC_URL = ""
    with pytest.raises(CommandError, match="Set PUBLIC_URL"):
        call_command("judge_link")
