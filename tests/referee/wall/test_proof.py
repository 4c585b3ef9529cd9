"""What wall and phones are sent of the proof: head, acts on the draw, seeds that were public, and no secret."""

from __future__ import annotations

import json

import pytest
from django.contrib.auth.models import User

from engine.ledger import short
from referee.live import messages
from tests.tournaments.night import NEXT_SEED, SEED, Night, begin
from tournaments.models import LedgerEntry
from tournaments.selectors.hall import hall_view
from tournaments.services import ending
from tournaments.services.access import first_judge

pytestmark = pytest.mark.django_db


@pytest.fixture
def judge(db: None) -> User:
    return first_judge()


@pytest.fixture
def night(judge: User) -> Night:
    return begin(judge, lexicon="it")


def test_phones_and_wall_are_sent_head_acts_and_seeds_that_were_public(night: Night) -> None:
    night.begin_turn()
    night.close()
    night.place()
    drawn = night.draw()
    assert drawn is not None
    ending.end_game(game=night.refresh(), by=night.judge, now=night.later())
    night.undo()
    seen = hall_view(night.refresh(), None, night.now)
    for text in (messages.phone_view(seen), messages.wall_view(seen)):
        sent = json.loads(text)
        entry = LedgerEntry.objects.get(kind="undo")
        assert (sent["ledger_entry"], sent["ledger_head"]) == (entry.n, short(entry.hash))
        assert [(act["kind"], act["turn"]) for act in sent["draw_acts"]] == [
            ("put_back", 2),
            ("reopened", 1),
            ("new_seed", 2),
        ]
        assert [draw["seed"] for draw in sent["earlier_draws"]] == [SEED.hex()]
        assert sent["seed"] is None
        assert NEXT_SEED.hex() not in text
        assert drawn.rack not in text
