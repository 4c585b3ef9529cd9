"""The club's website: all its links lead somewhere, nobody is named who has not agreed, nothing is told early, and
publishing again writes only what has changed."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from datetime import UTC, date, datetime
from decimal import Decimal
from html.parser import HTMLParser
from io import StringIO
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.core.management import CommandError, call_command
from icalendar import Calendar

from referee.website.pages import Site, render_parts
from referee.website.publish import publish
from referee.website.styles import write_styles
from tests.leaks import leaked
from tests.referee.website.small_club import (
    AGREED,
    GUEST,
    HIDDEN_EVENT,
    NOT_AGREED,
    NOT_AGREED_CLUB,
    PSEUDONYM,
    SECRET_RACK,
    SECRET_WORD,
    TODAY,
    TURNS,
    SmallClub,
    make_small_club,
)
from tests.tournaments.conftest import KeptRows
from tournaments.models import Club, Event, Game, Member, PlayerMember, PublicPage
from tournaments.publishing.website_folder import MANIFEST
from tournaments.results.queries.public_game import PublicRow

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 3, 20, 21, 0, tzinfo=UTC)
LARGEST = 100_000
ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture(scope="module")
def club(kept_rows: KeptRows) -> SmallClub:
    played: SmallClub = kept_rows(make_small_club)
    return played


@pytest.fixture(scope="module")
def first_site(kept_rows: KeptRows, club: SmallClub, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The website of the club, which tests only read."""
    folder = tmp_path_factory.mktemp("website")
    kept_rows(lambda: publish(folder, NOW))
    return folder


class Links(HTMLParser):
    """The addresses in a page."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag != "script"
        self.found += [value or "" for name, value in attrs if name in ("href", "src")]


def pages_of(site: Path) -> list[Path]:
    return sorted(site.rglob("*.html"))


def stamps(site: Path) -> dict[str, tuple[int, bytes]]:
    files = (path for path in site.rglob("*") if path.is_file())
    return {str(path.relative_to(site)): (path.stat().st_mtime_ns, path.read_bytes()) for path in files}


def text_of(site: Path) -> str:
    files = sorted(path for path in site.rglob("*") if path.is_file() and path.suffix != ".png")
    return "\n".join(path.read_text(encoding="utf-8") for path in files)


def test_every_link_is_relative_and_leads_to_a_file_and_every_page_is_linked(first_site: Path) -> None:
    linked = {first_site / "index.html"}
    for page in pages_of(first_site):
        for link in Links(page).found:
            parts = urlsplit(link)
            assert not parts.scheme, (page, link)
            assert not parts.netloc, (page, link)
            assert not parts.path.startswith("/"), (page, link)
            target = (page.parent / parts.path).resolve() if parts.path else page
            assert target.is_file(), (page, link)
            linked.add(target)
    assert {*pages_of(first_site), first_site / "logo.png"} <= linked


def test_every_turn_of_every_published_game_has_its_page(club: SmallClub, first_site: Path) -> None:
    for event in (club.evenings[0], club.evenings[2]):
        folder = first_site / "events" / str(event.pk)
        assert len(list(folder.glob("game-1-turn-*.html"))) == TURNS
        game = Game.objects.get(event=event)
        for turn in game.turns.all():
            page = (folder / f"game-1-turn-{turn.number}.html").read_text()
            assert f'aria-label="Rack: {turn.rack}"' in page
            assert f"<b>{turn.master_word} {turn.master_ref}</b>" in page
            assert f"Standings after turn {turn.number}" in page
            assert f"The top is {turn.top} points" in page


def test_a_page_with_its_style_sheet_is_less_than_100_kb(first_site: Path) -> None:
    styles = (first_site / "site.css").stat().st_size
    sizes = {str(page): page.stat().st_size + styles for page in pages_of(first_site)}
    assert max(sizes.values()) < LARGEST
    assert sorted(sizes.values())[len(sizes) // 2] < LARGEST / 2


def test_a_long_table_goes_on_in_further_files_that_are_linked_and_small() -> None:
    site = Site(Club(language="en"), "Club", "", frozenset(), "", NOW)
    row = PublicRow(rank=1, table=1, name="Ł" * 200, club="Ł" * 100, total=1000, negative=-1, percent=Decimal(99))
    context = {"event": Event(name="Large", date=TODAY), "game": None, "state": None, "back": "index.html"}
    parts = list(render_parts(site, "events/1/standings.html", "standings.html", [row] * 250, context))
    assert [each.path.rpartition("/")[2] for each in parts] == [
        "standings.html",
        "standings-2.html",
        "standings-3.html",
    ]
    assert [each.content.count(b'scope="row"') for each in parts] == [100, 100, 50]
    assert all(f'href="{name}"'.encode() in parts[0].content for name in ("standings-2.html", "standings-3.html"))
    assert max(len(each.content) for each in parts) + len(write_styles()) < LARGEST


def test_nobody_is_named_who_has_not_agreed_and_ranks_stay_true(first_site: Path) -> None:
    everything = text_of(first_site)
    assert not leaked(everything, [NOT_AGREED, "Segretissimo", NOT_AGREED_CLUB, "Carla Neri", "Milano"])
    for name in (AGREED, GUEST, PSEUDONYM):
        assert name in everything
    [ranking] = first_site.glob("seasons/*/index.html")
    assert ranking.read_text().count('scope="row"') == 3
    assert '<th scope="row" class="text">–</th>' in ranking.read_text()
    assert [AGREED in page.read_text() for page in first_site.glob("members/[0-9]*.html")] == [True]


def test_an_event_without_a_public_page_and_a_game_that_is_played_are_not_told(first_site: Path) -> None:
    everything = text_of(first_site)
    seeds = [bytes(game.seed).hex() for game in Game.objects.all()]
    tokens = [event.wall_token for event in Event.objects.all()]
    assert not leaked(everything, [SECRET_RACK, SECRET_WORD, "777", *seeds, *tokens])
    codes = Event.objects.values_list("code", flat=True)
    assert not leaked(everything, codes)
    hidden = Event.objects.get(name=HIDDEN_EVENT)
    assert not (first_site / "events" / str(hidden.pk)).exists()
    tonight = Event.objects.get(name="Tonight")
    assert "Tonight" in (first_site / "index.html").read_text()
    assert not (first_site / "events" / str(tonight.pk)).exists()


def test_with_all_events_guests_of_an_event_without_a_public_page_stay_unnamed(club: SmallClub, tmp_path: Path) -> None:
    Club.objects.update(publishes_all_events=True)
    publish(tmp_path, NOW)
    folder = tmp_path / "events" / str(club.evenings[1].pk)
    page = (folder / "index.html").read_text()
    assert HIDDEN_EVENT in page
    assert AGREED in page
    assert not leaked(text_of(folder), [GUEST, NOT_AGREED])


def test_publishing_again_changes_nothing_and_after_an_evening_only_what_it_concerns(
    club: SmallClub, tmp_path: Path
) -> None:
    folder = tmp_path / "site"
    first = publish(folder, NOW)
    before = stamps(folder)
    assert (first.files, first.changed, first.removed) == (len(before) - 1, len(before) - 1, 0)
    again = publish(folder, NOW)
    assert (again.files, again.changed, again.removed) == (first.files, 0, 0)
    assert stamps(folder) == before
    event = club.play_evening("Third evening", date(2026, 3, 19), 4).event
    added = publish(folder, NOW)
    after = stamps(folder)
    written = {name for name, stamp in after.items() if before.get(name) != stamp}
    own = {name for name in after if name.startswith(f"events/{event.pk}/")}
    assert own <= written
    assert added.changed == len(written) - 1
    untouched = {f"events/{each.pk}" for each in club.evenings[:3]}
    assert not [name for name in written if name.rpartition("/")[0] in untouched]
    assert "site.css" not in written
    PublicPage.objects.filter(event=event).update(is_on=False)
    removed = publish(folder, NOW)
    assert removed.removed == len(own)
    assert not (folder / "events" / str(event.pk)).exists()


def test_a_member_who_no_longer_agrees_disappears_from_the_events_of_the_past(club: SmallClub, tmp_path: Path) -> None:
    publish(tmp_path, NOW)
    Member.objects.filter(surname="Rossi").update(may_be_published=False)
    publish(tmp_path, NOW)
    assert not leaked(text_of(tmp_path), [AGREED])
    assert not list(tmp_path.glob("members/*"))


def test_a_player_with_the_name_of_a_member_who_has_not_agreed_is_not_named_without_a_link(
    club: SmallClub, tmp_path: Path
) -> None:
    PlayerMember.objects.all().delete()
    publish(tmp_path, NOW)
    assert not leaked(text_of(tmp_path), [NOT_AGREED, "Segretissimo"])
    assert GUEST in text_of(tmp_path)


def test_the_feed_has_what_atom_requires(first_site: Path) -> None:
    feed = ET.parse(first_site / "events.atom").getroot()  # noqa: S314  our own file
    assert feed.tag == f"{ATOM}feed"
    for element in ("id", "title", "updated", "author"):
        assert feed.find(f"{ATOM}{element}") is not None
    entries = feed.findall(f"{ATOM}entry")
    assert [entry.findtext(f"{ATOM}title") for entry in entries] == ["Second evening", "First evening"]
    ids = [entry.findtext(f"{ATOM}id") or "" for entry in entries]
    assert len(set(ids)) == 2
    assert all(each.startswith("urn:uuid:") for each in ids)
    for entry in entries:
        link = entry.find(f"{ATOM}link")
        assert link is not None
        assert (first_site / link.attrib["href"]).is_file()
        datetime.fromisoformat(entry.findtext(f"{ATOM}updated") or "")


def test_the_calendar_has_past_and_coming_events(first_site: Path) -> None:
    calendar = Calendar.from_ical((first_site / "events.ics").read_bytes())
    entries = {str(entry["summary"]): entry for entry in calendar.walk("VEVENT")}
    assert set(entries) == {"First evening", "Second evening", HIDDEN_EVENT, "Tonight", "Next week"} - {HIDDEN_EVENT}
    assert entries["Tonight"].decoded("dtstart") == TODAY
    assert len({str(entry["uid"]) for entry in entries.values()}) == 4
    assert {str(entry["location"]) for entry in entries.values()} == {"Torino"}


def run(*arguments: Any) -> str:
    out = StringIO()
    call_command("publish", *arguments, stdout=out)
    return out.getvalue()


def test_the_command_writes_the_website_and_refuses_the_folder_of_others(club: SmallClub, tmp_path: Path) -> None:
    assert "files have changed" in run(tmp_path / "site")
    assert "is up to date" in run(tmp_path / "site")
    other = tmp_path / "photos"
    other.mkdir()
    (other / "holiday.jpg").write_bytes(b"sea")
    with pytest.raises(CommandError, match=r"not of the website, such as holiday.jpg"):
        run(other)
    assert [path.name for path in other.iterdir()] == ["holiday.jpg"]


def test_the_language_is_that_of_the_club(club: SmallClub, tmp_path: Path) -> None:
    Club.objects.update(language="it")
    publish(tmp_path, NOW)
    page = (tmp_path / "index.html").read_text()
    assert '<html lang="it">' in page
    assert "13 marzo 2026" in page
    assert (tmp_path / MANIFEST).exists()
