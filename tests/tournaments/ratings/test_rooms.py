from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.contrib.auth.models import User

from tests.tournaments.ratings.printed_ratings import printed_ratings
from tests.tournaments.rooms_game import create_three_rooms
from tournaments.enums import EndReason
from tournaments.models import Member, PlayerMember
from tournaments.play.services import game_end

pytestmark = pytest.mark.django_db


def test_the_archives_of_several_rooms_are_one_game(judge: User, tmp_path: Path) -> None:
    three = create_three_rooms(judge)
    evening = three.club_game
    for table in (1, 2, 11, 12, 21):
        member = Member.objects.create(surname=f"Table {table}")
        PlayerMember.objects.create(player=evening.player(table), member=member)
    evening.begin_turn("ACEIRST")
    three.phone(1, "CARTE", "8H", 18)
    evening.close()
    evening.place()
    three.play("B", [(11, "CARTE", "8H", 18), (12, "CESTA", "8H", None)])
    three.play("C")
    game_end.end_game(game=evening.refresh(), why=EndReason.JUDGE, by=judge, now=evening.later())
    stored = printed_ratings()
    assert {line["games"] for line in stored["members"]} == {1}
    assert len(stored["members"]) == 5
    for name in "ABC":
        (tmp_path / f"{name}.json").write_text(json.dumps(three.archive(name)))
    (tmp_path / "A again.json").write_text(json.dumps(three.archive("A")))
    assert printed_ratings("--from-archives", str(tmp_path)) == stored
