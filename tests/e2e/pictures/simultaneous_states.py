"""Pictures of the pages of a simultaneous game and of its booklet, on a phone and at the desk, also dark."""

from __future__ import annotations

from pathlib import Path

from tests.e2e.accessibility.test_simultaneous_pages import publish
from tests.e2e.judge import JudgePage
from tests.e2e.pictures.studio import PageCamera, open_studio

HUB, PUBLIC = {"hub": "", "club": "club/1/"}, {"players": "", "clubs": "clubs/", "one-club": "clubs/1/"}


def take_states(folder: Path, wanted: set[str]) -> None:
    """Play the game by the services and take the pictures."""
    with open_studio(_play) as (people, served, token):
        judge = JudgePage(people.at_desk(), served)
        desk, reader = judge.page, people.with_phone(width=360)
        games, public = f"{judge.base}/desk/simultaneous/", f"{judge.base}/simultaneous/{token}/"
        camera = PageCamera(folder, wanted)
        camera.take("new", desk, f"{games}new/")
        camera.take("open", desk, f"{games}open/")
        camera.take("games", desk, games)
        desk.get_by_role("link", name="Open of the regions").first.click()
        camera.take("played", desk, desk.url)
        desk.goto(games)
        desk.locator("[aria-labelledby=organised-title] li a").click()
        hub = desk.url
        for name, path in HUB.items():
            camera.take(f"{name}-open", desk, hub + path)
        camera.take("waiting", reader, public)
        camera.take("return", reader, f"{public}return/")
        publish(desk, hub)
        for name, path in {**HUB, "comments": "comments/1/"}.items():
            camera.take(name, desk, hub + path)
        for name, path in PUBLIC.items():
            camera.take(name, reader, public + path)
        if not wanted or "booklet" in wanted:
            (folder / "booklet.pdf").write_bytes(reader.request.get(f"{public}booklet/?language=it").body())


def _play() -> str:
    from tests.e2e.simultaneous_clubs import play_at_clubs
    from tournaments.simultaneous.services import hub

    simultaneous = play_at_clubs(games=2, turns=20)
    game = simultaneous.prepared_games.all()[0]
    hub.write_comments(game=game, comments={2: "Few saw the hook.", 3: " ".join(["A long comment."] * 60)})
    return simultaneous.token
