"""Commitments sent to wall and phones: head, acts on the draw, seeds that were public, and no secret."""

from __future__ import annotations

import json

import pytest
from django.contrib.auth.models import User

from engine.archive.ledger import format_short_hash
from referee.live.sockets import messages
from referee.views.hall import get_public_view
from tests.tournaments.club_game import NEXT_SEED, SEED, ClubGame, create_club_game
from tournaments.models import LedgerEntry
from tournaments.play.services import game_end
from tournaments.staff.services.login_links import first_judge

pytestmark = pytest.mark.django_db


@pytest.fixture
def judge(db: None) -> User:
    return first_judge()


@pytest.fixture
def club_game(judge: User) -> ClubGame:
    return create_club_game(judge, lexicon="it")


def test_phones_and_wall_are_sent_head_acts_and_seeds_that_were_public(club_game: ClubGame) -> None:
    club_game.begin_turn()
    club_game.close()
    club_game.place()
    drawn = club_game.draw()
    assert drawn is not None
    game_end.end_game(game=club_game.refresh(), by=club_game.judge, now=club_game.later())
    club_game.undo()
    seen = get_public_view(club_game.refresh(), None, club_game.now)
    for text in (messages.phone_view(seen), messages.wall_view(seen)):
        sent = json.loads(text)
        entry = LedgerEntry.objects.get(kind="undo")
        assert (sent["ledger_entry"], sent["ledger_head"]) == (entry.n, format_short_hash(entry.hash))
        assert [(act["kind"], act["turn"]) for act in sent["draw_acts"]] == [
            ("put_back", 2),
            ("reopened", 1),
            ("new_seed", 2),
        ]
        assert [draw["seed"] for draw in sent["earlier_draws"]] == [SEED.hex()]
        assert sent["seed"] is None
        assert NEXT_SEED.hex() not in text
        assert drawn.rack not in text
