"""Preparation of an ordered game in a thread of the process."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.conf import settings

from tests.referee.live.live_game import install_words
from tests.tournaments.prepared.sample_game import SECRET, make_order
from tests.waiting import until
from tournaments.models import PreparedGame
from tournaments.now import utc_now
from tournaments.prepared.scripts import script_of
from tournaments.prepared.services import prepared_games
from tournaments.staff.services.login_links import first_judge

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_game_is_prepared_in_the_background() -> None:
    install_words(Path(settings.DATA_DIR) / "lexicons")
    prepared = prepared_games.order_game(title="x", order=make_order(), by=first_judge(), now=utc_now(), secret=SECRET)
    until(lambda: PreparedGame.objects.get(pk=prepared.pk).state != "making")
    prepared.refresh_from_db()
    assert (prepared.state, len(script_of(prepared)["turns"])) == ("ready", 5)
