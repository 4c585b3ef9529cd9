"""A small club with rows in nearly all tables: a season, a team match in two rooms, a night with appeals, own files."""

from __future__ import annotations

import json
import zipfile
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import call_command

from tests.tournaments.club_game import ClubGame, create_club_game
from tests.tournaments.rooms_game import create_three_rooms
from tests.tournaments.word_list import WORDS
from tournaments.backups.backup_file import write_backup
from tournaments.backups.services import heartbeats
from tournaments.documents.services import documents
from tournaments.documents.services.letterheads import set_letterhead
from tournaments.enums import DrawMode, Role, Ruling
from tournaments.events.services import options, rounds
from tournaments.events.services.events import NewEvent
from tournaments.judging.services import appeals, reviews, rulings, warnings
from tournaments.judging.services.ruling_request import RulingRequest
from tournaments.lexicons import own_editions
from tournaments.members.services import event_players, merging, private_pages
from tournaments.models import (
    ColumnChoice,
    EventSummary,
    ExportTemplate,
    KnownGuest,
    Member,
    Membership,
    PlayerMember,
    PlayerResult,
    ResultMail,
    Season,
    Turn,
    Webhook,
    WebhookDelivery,
    WebsiteRun,
)
from tournaments.play.services import double_entry, playing_judge, slips
from tournaments.players.services import players
from tournaments.players.services.players import NewPlayer
from tournaments.prepared.services import prepared_games, solo_practice
from tournaments.publishing.services import api_tokens, club
from tournaments.ratings.services.refresh import refresh_ratings
from tournaments.results.queries.archive import export_game
from tournaments.results.services import public_page
from tournaments.seasons.services.seasons import choose_events
from tournaments.seasons.services.summaries import refresh_summaries
from tournaments.seasons.simulation import play_club_year
from tournaments.staff.services import login_links, staff
from tournaments.training.queries.lost_turns import list_lost_turns
from tournaments.training.services import exercises

LIST = "club"
NOW = datetime(2026, 4, 1, 20, 0, tzinfo=UTC)


def install_list(data: Path) -> None:
    """Write the word list of the club, as somebody's own list, and an edition of its own."""
    folder = data / "lexicons"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{LIST}.txt").write_text("".join(f"{word}\n" for word in sorted(set(WORDS.split()))), encoding="utf-8")
    (folder / f"{LIST}.txt.json").write_text(json.dumps({"edition": "it"}), encoding="utf-8")


def make_club(judge: User) -> None:
    """Make the rows, with the services of the program."""
    own_editions.copy_to_edit("it", "club")
    season = _play_season(judge)
    night = _play_night(judge)
    _play_rooms(judge)
    _plan_next_evening(judge)
    _set_up_club(judge)
    refresh_summaries()
    refresh_ratings()
    _add_members_data(judge, season)
    _prepare_games(judge, night)
    _publish(judge, night)
    heartbeats.record_heartbeat(now=NOW)


def _play_season(judge: User) -> Season:
    request = NewEvent(
        name="Evening",
        date=date(2026, 1, 9),
        place="Torino",
        language="it",
        edition="it",
        profile="it-box",
        draw_mode=DrawMode.SEEDED,
        lexicon=LIST,
    )
    rng = Random(20)  # noqa: S311  the same club each time
    year = play_club_year(
        request, evenings=1, members=8, by=judge, rng=rng, seed="upgrades", progress=lambda game: None
    )
    return year.season


def _play_night(judge: User) -> ClubGame:
    """A night with rulings, warnings, appeals, a paper slip, a pair, a departure and a second game."""
    night = create_club_game(judge, lexicon=LIST)
    event = night.event
    options.set_teams(event=event, best=2, of_each_game=True, by=judge, now=night.later())
    options.set_handicap(event=event, unit="percent", series={"A": 10}, by=judge, now=night.later())
    event_players.play_as_pair(player=night.player(3), partner="Olga Neri", by=judge, now=night.later())
    players.add_players(event=event, players=[NewPlayer(30, "Zeno Tosi")], now=night.later(), by=judge)
    players.join_event(event=event, name="Ida Poli", table=31, now=night.later(), token="a token of a phone 01")
    _play_disputed_turn(night, judge)
    clerk = staff.invite_colleague(event=event, name="Clerk", role=Role.TYPIST, by=judge, now=night.later()).user
    double_entry.set_double_typing(event=event, wanted=True, by=judge, now=night.later())
    place = Membership.objects.get(event=event, user=judge)
    playing_judge.start_playing(place=place, table=17, by=judge, now=night.later())
    players.leave_game(player=night.player(30), now=night.later(), by=judge)
    turn = night.begin_turn()
    top = _top_of(turn)
    night.phone(1, top["word"], top["ref"], top["score"])
    night.paper("17 8H ORO 6")
    place.refresh_from_db()
    playing_judge.mark_slip_final(place=place, by=judge, now=night.later())
    line = f"2 {top['ref']} {top['word']} {top['score']}"
    night.paper(line)
    slips.submit_paper_line(game=night.refresh(), line=line, now=night.later(), by=clerk)
    night.close()
    reviews.accept_clear_groups(turn=night.turn, by=judge, now=night.later())
    night.place()
    night.end()
    set_letterhead(event=event, venue="Sala civica", sponsor="Bar Sport", certificate_text="Bravissimi")
    documents.request_document(game=night.refresh(), kind="standings", language="it", now=night.later())
    public_page.set_page(
        event=event, is_on=True, delay=0, own_sheets=True, may_be_found=False, by=judge, now=night.later()
    )
    login_links.make_login_link(user=judge, now=night.later(), token="of a link that is never used")
    return night


def _top_of(turn: Turn) -> dict[str, Any]:
    assert turn.tops
    return dict(turn.tops[0])


def _play_disputed_turn(night: ClubGame, judge: User) -> None:
    top = _top_of(night.begin_turn())
    unknown = top["word"][::-1]
    night.phone(1, top["word"], top["ref"], top["score"])
    night.phone(2, "CARTE", top["ref"], 20)
    night.phone(3, top["word"], top["ref"], top["score"] + 1)
    night.paper(f"17 {top['ref']} {unknown} 30")
    warnings.set_warning(
        turn=night.turn,
        player=night.player(1),
        code="discipline",
        given=True,
        request=RulingRequest(by=judge, now=night.later()),
    )
    night.close()
    night.rule(unknown, Ruling.ACCEPTED, "an example of a ruling")
    rulings.decide_groups(
        turn=night.turn,
        groups=[night.verdict(2).group],
        points=0,
        request=RulingRequest(reason="an example of a decision", by=judge, now=night.later()),
    )
    night.place()
    made = appeals.submit_appeal(
        player=night.player(2), turn=night.turn, client_id=UUID(int=1), sentence="It is a word.", now=night.later()
    )
    appeals.reject_appeal(appeal=made, reason="The letter is missing.", by=judge, now=night.later())
    appeals.submit_paper_appeal(player=night.player(1), turn=night.turn, sentence="", by=judge, now=night.later())


def _play_rooms(judge: User) -> None:
    match = create_three_rooms(judge, lexicon=LIST, name="Match of three rooms")
    top = _top_of(match.club_game.begin_turn())
    match.club_game.phone(1, top["word"], top["ref"], top["score"])
    match.club_game.close()
    match.club_game.place()
    for name, table in (("B", 11), ("C", 21)):
        match.play(name, [(table, top["word"], top["ref"], top["score"] + 1)])
    match.club_game.end()


def _plan_next_evening(judge: User) -> None:
    """An evening to come, with a planned round and an act that may be undone."""
    ahead = create_club_game(judge, lexicon=LIST, name="Evening to come", date=date(2026, 5, 1))
    rounds.plan_round(event=ahead.event, number=2, name="Final", starts_at=NOW, by=judge, now=ahead.later())
    players.remove_player(player=ahead.player(17), now=ahead.later(), by=judge)


def _set_up_club(judge: User) -> None:
    club.set_club(
        name="Circolo", language="it", about="An invented club.", lists_events=True, publishes_all_events=True
    )
    api_tokens.create_token(name="Reader", token="a token of no use", by=judge, now=NOW)
    hook = Webhook.objects.create(
        url="http://127.0.0.1:9/", secret="made for the tests", created_at=NOW, on_since=NOW, created_by=judge
    )
    WebhookDelivery.objects.create(
        webhook=hook, kind="test", key="test", body={"text": "Salut"}, created_at=NOW, delivered_at=NOW
    )
    WebsiteRun.objects.create(folder="/nowhere", requested_at=NOW, changed_at=NOW, state="done", files=3)
    ExportTemplate.objects.create(name="Federation", columns=[["name", "Name"], ["total", "Points"]])
    ColumnChoice.objects.create(heading="cognome", field="surname")


def _add_members_data(judge: User, season: Season) -> None:
    first, second = Member.objects.filter(merged_into=None, anonymised_at=None).order_by("pk")[:2]
    twice = Member.objects.create(first_name=first.first_name, surname=f"{first.surname}i")
    merging.merge_members(kept=first, duplicate=twice, by=judge, now=NOW)
    merging.mark_distinct(first=first, second=second, by=judge, now=NOW)
    private_pages.renew_page_token(member=first, by=judge, now=NOW)
    earlier = EventSummary.objects.create(
        name="Evening of a file", date=date(2025, 12, 5), tops=300, turns=9, source="a"
    )
    guest = PlayerResult.objects.create(summary=earlier, name="Gast Unknown", rank=2, points=100)
    PlayerResult.objects.create(summary=earlier, member=first, name=first.name, rank=1, points=200)
    KnownGuest.objects.create(result=guest)
    choose_events(season, {earlier.pk: True})
    summary = EventSummary.objects.exclude(event=None).order_by("pk")[0]
    ResultMail.objects.create(summary=summary, member=first, requested_at=NOW, claimed_at=NOW, sent_at=NOW)
    for link in PlayerMember.objects.order_by("pk"):
        lost = list_lost_turns(link.member)
        if lost:
            tried = exercises.start_try(
                member=link.member, lost=lost[0], seconds=lost[0].turn.game.turn_seconds, now=NOW
            )
            exercises.submit_try(exercise=tried, word="ZZ", ref="8H", now=NOW + timedelta(seconds=5))
            break


def _prepare_games(judge: User, night: ClubGame) -> None:
    text = json.dumps(export_game(night.refresh(), for_hall=True))
    prepared = prepared_games.import_game(text=text, title="Cup", lexicon=LIST, by=judge, now=NOW)
    link = solo_practice.make_link(prepared=prepared, by=judge, now=NOW)
    practice = solo_practice.begin_practice(link=link, name="Ugo", key="a key of a browser", now=NOW)
    practice = solo_practice.start_next_turn(practice=practice, seen=0, now=NOW)
    solo_practice.submit_practice_slip(practice=practice, turn=1, word="ORO", ref="8H", declared=6, now=NOW)


def _publish(judge: User, night: ClubGame) -> None:
    """Let the first evening of the season have a page."""
    evening = EventSummary.objects.exclude(event=None).order_by("pk")[0].event
    assert evening is not None
    public_page.set_page(
        event=evening, is_on=True, delay=1, own_sheets=False, may_be_found=True, by=judge, now=night.later()
    )


def fill() -> None:
    """Migrate the data folder of the settings and make the club in it."""
    install_list(Path(settings.DATA_DIR))
    call_command("migrate", verbosity=0)
    make_club(login_links.first_judge())


def back_up_to(folder: str) -> None:
    """Write a backup of the data folder as `data.zip`, as the program writes its own, but packed more tightly."""
    path = write_backup(
        Path(folder),
        database=Path(settings.DATA_DIR) / "multiplo.sqlite3",
        data=Path(settings.DATA_DIR),
        secret_key=settings.SECRET_KEY,
        now=NOW,
        name="data.zip",
    )
    with zipfile.ZipFile(path) as packed:
        parts = {part: packed.read(part) for part in packed.infolist()}
    with zipfile.ZipFile(path, "w") as packed:
        for part, content in parts.items():
            packed.writestr(part, content, zipfile.ZIP_DEFLATED, compresslevel=9)
