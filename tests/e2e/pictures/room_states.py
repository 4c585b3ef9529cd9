"""Pictures of an event in three rooms: its rooms, turns and ledger, the check of its ledger and its seating list."""

from __future__ import annotations

from pathlib import Path

from tests.e2e.judge import JudgePage
from tests.e2e.pictures.studio import PageCamera, open_studio

PAGES = {"rooms": "rooms/", "turns": "log/", "ledger": "log/?ledger=1", "tables": "tables/"}
SEATING = ("table-plan", "hall-plan")


def take_states(folder: Path, wanted: set[str]) -> None:
    """Play two turns by the services, and take the pictures and print the sheets."""
    with open_studio(_play) as (people, served, (code, sheets)):
        judge, camera = JudgePage(people.at_desk(), served), PageCamera(folder, wanted)
        for name, path in PAGES.items():
            camera.take(name, judge.page, f"{judge.base}/desk/{code}/{path}")
        for name, content in sheets.items():
            (folder / f"{name}.pdf").write_bytes(content)


def _play() -> tuple[str, dict[str, bytes]]:
    from django.utils import translation

    from referee.pdf.catalogue import DOCUMENTS
    from tests.tournaments.rooms_game import create_three_rooms
    from tournaments.models import Player
    from tournaments.staff.services.login_links import first_judge

    rooms = create_three_rooms(first_judge(), profile="club")
    game = rooms.club_game
    for _turn in range(2):
        turn = game.begin_turn()
        top = (turn.tops or [])[0]
        for table in (1, 2):
            game.phone(table, top["word"], top["ref"], top["score"])
        game.close()
        game.place()
        rooms.play("B", [(11, top["word"], top["ref"], top["score"])])
        rooms.play("C", [(21, top["word"], top["ref"], top["score"] - 1)])
    with translation.override("en"):
        sheets = {"verification": DOCUMENTS["verification"].make(game.game, game.room, "", language="en")}
        Player.objects.filter(event=game.event).update(club="")  # without clubs; the sheets before this one verify them
        for name in SEATING:
            sheets[name] = DOCUMENTS[name].make(game.game, game.room, "", language="en")
    return game.event.code, sheets
