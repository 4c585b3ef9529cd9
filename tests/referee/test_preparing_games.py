"""A game that is ordered is made by a thread of this process while nobody waits."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.conf import settings

from tests.patience import until
from tests.referee.live.evening import install_words
from tests.tournaments.prepared import SECRET, order
from tournaments.models import PreparedGame
from tournaments.now import utc_now
from tournaments.scripts import script_of
from tournaments.services import preparing
from tournaments.services.access import first_judge

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_game_is_prepared_while_nobody_waits() -> None:
    install_words(Path(settings.DATA_DIR) / "lexicons")
    prepared = preparing.ask(title="x", order=order(), by=first_judge(), now=utc_now(), secret=SECRET)
    until(lambda: PreparedGame.objects.get(pk=prepared.pk).state != "making")
    prepared.refresh_from_db()
    assert (prepared.state, len(script_of(prepared)["turns"])) == ("ready", 5)
