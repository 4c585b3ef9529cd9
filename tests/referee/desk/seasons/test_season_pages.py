"""Pages of seasons: the ranking, the events behind a value, and forms that show who moves before they store it."""

from __future__ import annotations

import re
from datetime import date
from html import unescape
from random import Random
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from engine.seasons.presets import PRESET_BY_CODE, PRESETS
from engine.seasons.ranking_rule import rule_as_json
from engine.seasons.rule_text import describe_rule
from referee.results.season_table import paper_table
from tests.referee.desk.controls import ambiguous_keys, read_page
from tests.tournaments.club_game import create_club_game
from tests.tournaments.conftest import KeptRows
from tests.tournaments.rejudged_game import place_first_turn
from tests.tournaments.seasons.club_years import create_evenings, create_members, list_days, store_states
from tournaments.enums import Role
from tournaments.models import Club, Event, EventSummary, Member, Membership, PlayerMember, Ranking, Season
from tournaments.now import utc_now
from tournaments.play.services.game_end import end_game
from tournaments.seasons.queries.rankings import view_ranking
from tournaments.seasons.queries.results import list_counting_events
from tournaments.seasons.services import seasons
from tournaments.staff.services.login_links import first_judge

pytestmark = pytest.mark.django_db
CODES = [preset.code for preset in PRESETS]


def make_year() -> Season:
    """Fourteen evenings of 60 members, 40 of them present, and a ranking by each preset."""
    rng = Random(9)  # noqa: S311  the same rows in each run
    create_evenings(rng, create_members(rng, 60), list_days(2026, 14), 40)
    store_states()
    fields = seasons.SeasonFields("Season 2026–27", date(2026, 9, 1), date(2027, 8, 31))
    return seasons.create_season(fields, [(preset.title, preset.rule) for preset in PRESETS])


@pytest.fixture(scope="module")
def year(kept_rows: KeptRows) -> Any:
    return kept_rows(make_year)


@pytest.fixture
def season(year: Season) -> Season:
    """The season as it is stored, whatever another test did with its copy."""
    return Season.objects.get(pk=year.pk)


@pytest.fixture
def judge(client: Client, db: None) -> Client:
    client.force_login(first_judge(), backend="django.contrib.auth.backends.ModelBackend")
    return client


def ranking_of(season: Season, code: str) -> Ranking:
    return season.rankings.get(position=CODES.index(code))


def text_of(answer: Any) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", answer.content.decode())).split())


def values_of(answer: Any) -> dict[str, Any]:
    """Return the values that the form of a page would send."""
    form = answer.context["form"]
    sent = {field.html_name: "" if field.value() is None else field.value() for field in form}
    return sent | {"previewed": answer.context["previewed"]}


def test_a_club_without_a_season_creates_one_with_one_button(judge: Client) -> None:
    page = judge.get("/desk/seasons/")
    starts = page.context["season"].starts
    assert (starts.month, starts.day) == (9, 1)
    assert f"Create Season {starts.year}–{(starts.year + 1) % 100:02}" in text_of(page)
    assert describe_rule(PRESETS[0].rule) in text_of(page)
    season_page = judge.post("/desk/seasons/", follow=True)
    assert "No member has a result in this season yet." in text_of(season_page)
    assert Season.objects.get().rankings.get().name == PRESETS[0].title


@pytest.mark.parametrize("code", CODES)
def test_a_ranking_shows_ranks_values_and_its_rule_in_words(judge: Client, season: Season, code: str) -> None:
    ranking = ranking_of(season, code)
    page = judge.get(reverse("desk:season", args=[season.pk]), {"ranking": ranking.pk})
    text, view = text_of(page), view_ranking(ranking)
    assert describe_rule(view.rule) in text
    assert "14 events so far" in text
    rows = [row for group in page.context["groups"] for row in group.rows]
    assert [(row.rank, row.member) for row in rows] == [(each.line.rank, each.member) for each in view.lines[:50]]
    assert page.content.decode().count('class="leader"') == sum(row.rank == 1 for row in rows)
    assert all(row.member.name in text and row.value in text for row in rows)


def test_namesakes_are_told_apart_by_club_or_licence_in_pages_and_files(judge: Client, season: Season) -> None:
    ranking = ranking_of(season, CODES[0])
    members = [line.member.pk for line in view_ranking(ranking).lines[:3]]
    Member.objects.filter(pk__in=members).update(surname="Rossi", first_name="Anna", may_be_published=True)
    for pk, club, licence in zip(members, ("Torino", "Ivrea", "Ivrea"), ("", "I-1", "I-2"), strict=True):
        Member.objects.filter(pk=pk).update(club=club, licence=licence)
    expected = ["Torino", "I-1", "I-2"]
    assert [line.apart for line in view_ranking(ranking).lines[:4]] == [*expected, ""]
    page = judge.get(reverse("desk:season", args=[season.pk]), {"ranking": ranking.pk}).content.decode()
    assert re.findall(r"Anna Rossi</a> <small class=\"quiet\">([^<]+)</small>", page) == expected
    names = [
        row[1].text for section in paper_table(view_ranking(ranking), most_events=1).sections for row in section.rows
    ][:3]
    assert names == ["Anna Rossi", "Anna Rossi (I-1)", "Anna Rossi (I-2)"], "the first has another club in its column"


def test_members_after_the_fiftieth_are_on_the_second_page(judge: Client, season: Season) -> None:
    page = judge.get(reverse("desk:season", args=[season.pk]), {"page": "2"})
    view = view_ranking(season.rankings.all()[0])
    assert len(view.lines) > 50
    assert [row.member for row in page.context["groups"][0].rows] == [line.member for line in view.lines[50:]]
    assert f"Members 51 to {len(view.lines)} of {len(view.lines)}" in text_of(page)
    assert judge.get(reverse("desk:season", args=[season.pk]), {"page": "77"}).context["pages"].number == 1


@pytest.mark.parametrize("code", CODES)
def test_the_events_behind_a_value_add_up_to_it(judge: Client, season: Season, code: str) -> None:
    ranking = ranking_of(season, code)
    lines = view_ranking(ranking).lines
    if not lines:
        return  # nobody has a team
    line = lines[0]
    page = judge.get(reverse("desk:season-member", args=[season.pk, ranking.pk, line.member.pk]))
    rows = page.context["events"]
    assert [row.summary for row in rows] == [each.summary for each in line.results]
    assert [row.counts for row in rows] == [each.counts for each in line.line.events]
    text = text_of(page)
    if ranking.rule["measure"] != "percent":
        counted = sum(int(row.value.replace(",", "")) for row in rows if row.counts)
        assert counted + line.line.bonus == int(line.line.value)
    assert page.context["value"] in text
    assert f"{len(rows)} / 14" in text
    assert f"Absent from {14 - len(rows)}" in text or len(rows) == 14


def test_an_event_behind_a_value_leads_to_its_standings_for_its_staff_only(judge: Client, season: Season) -> None:
    line = view_ranking(season.rankings.all()[0]).lines[0]
    event = line.results[0].summary.event
    assert event is not None
    address = reverse("desk:season-member", args=[season.pk, season.rankings.all()[0].pk, line.member.pk])
    standings = reverse("desk:standings", args=[event.code])
    assert standings not in judge.get(address).content.decode()
    Membership.objects.create(event=event, user=first_judge(), role=Role.JUDGE)
    assert standings in judge.get(address).content.decode()


def test_a_member_who_is_not_in_the_ranking_has_no_page(judge: Client, season: Season) -> None:
    member = Member.objects.create(surname="Absent")
    address = reverse("desk:season-member", args=[season.pk, season.rankings.all()[0].pk, member.pk])
    assert judge.get(address).status_code == 404


def test_a_changed_rule_shows_who_moves_before_it_is_stored(judge: Client, season: Season) -> None:
    ranking = season.rankings.all()[0]
    address = reverse("desk:ranking-edit", args=[season.pk, ranking.pk])
    sent = values_of(judge.get(address)) | {"best": "3"}
    preview = judge.post(address, sent)
    assert "Nothing is stored yet." in text_of(preview)
    [shown] = preview.context["previews"]
    assert shown.moved == len([row for row in shown.rows if row.rank_before != row.rank_after]) > 0
    ranking.refresh_from_db()
    assert ranking.rule["best"] == 8
    # Another value than the previewed one is previewed again.
    again = judge.post(address, values_of(preview) | {"best": "4"})
    assert again.context["previews"] is not None
    saved = judge.post(address, values_of(again), follow=True)
    assert "The ranking is saved." in text_of(saved)
    ranking.refresh_from_db()
    assert ranking.rule["best"] == 4
    ranks = {line.member.name: line.line.rank for line in view_ranking(ranking).lines}
    assert all(ranks[row.name] == row.rank_after for row in again.context["previews"][0].rows)


def test_a_new_name_of_a_ranking_is_stored_at_once(judge: Client, season: Season) -> None:
    ranking = season.rankings.all()[0]
    address = reverse("desk:ranking-edit", args=[season.pk, ranking.pk])
    judge.post(address, values_of(judge.get(address)) | {"name": "Trophy"})
    ranking.refresh_from_db()
    assert ranking.name == "Trophy"


def test_a_bad_rule_is_explained_and_the_form_keeps_its_values(judge: Client, season: Season) -> None:
    address = reverse("desk:ranking-new", args=[season.pk])
    sent = values_of(judge.get(address)) | {"name": "Own points", "table": "25, 2x, 16"}
    answer = judge.post(address, sent)
    assert answer.status_code == 422
    assert "“2x” is no whole number" in text_of(answer)
    assert 'value="25, 2x, 16"' in answer.content.decode()
    assert "must not be more than" in text_of(judge.post(address, sent | {"table": "1, 2"}))
    assert "need a table" in text_of(judge.post(address, sent | {"table": ""}))
    assert "There is a ranking" not in text_of(judge.post(address, sent | {"table": "9 6;4,2"}, follow=True))
    assert season.rankings.get(name="Own points").rule["table"] == [9, 6, 4, 2]


@pytest.mark.parametrize("code", CODES)
def test_a_preset_fills_the_form_of_a_ranking(judge: Client, season: Season, code: str) -> None:
    season.rankings.all().delete()
    address = reverse("desk:ranking-new", args=[season.pk])
    judge.post(address, values_of(judge.get(address, {"preset": code})))
    assert season.rankings.get().rule == rule_as_json(PRESET_BY_CODE[code].rule)


def test_an_event_is_left_out_after_a_preview(judge: Client, season: Season) -> None:
    address = reverse("desk:season-events", args=[season.pk])
    counting = [event.pk for event in list_counting_events(season)]
    other = EventSummary.objects.create(name="Old evening", date=date(2020, 1, 1), source="old.xlsx").pk
    sent: dict[str, Any] = {"shown": counting, "counts": counting[1:], "other": other}
    preview = judge.post(address, sent)
    assert preview.context["previews"][0].moved
    assert "left out by hand" in text_of(preview)
    assert not season.exceptions.exists()
    judge.post(address, sent | {"previewed": preview.context["previewed"]})
    assert [event.pk for event in list_counting_events(season)] == [other, *counting[1:]]


def test_other_dates_of_a_season_are_previewed_and_bad_ones_refused(judge: Client, season: Season) -> None:
    address = reverse("desk:season-edit", args=[season.pk])
    sent = values_of(judge.get(address)) | {"starts": "2026-09-01", "ends": "2026-10-31"}
    preview = judge.post(address, sent)
    assert preview.context["previews"][0].moved
    assert "ends before it starts" in text_of(judge.post(address, sent | {"ends": "2026-08-01"}))
    judge.post(address, sent | {"previewed": preview.context["previewed"]})
    season.refresh_from_db()
    assert season.ends == date(2026, 10, 31)


def test_a_season_and_a_ranking_are_deleted_after_a_question(judge: Client, season: Season) -> None:
    page = judge.get(reverse("desk:season-edit", args=[season.pk])).content.decode()
    forms = re.findall(r'<form[^>]*action="[^"]*/delete/"[^>]*>', page)
    assert len(forms) == len(PRESETS) + 1
    assert all(word in form for form in forms for word in ("data-confirm", "data-title", "data-verb", "data-leave"))
    ranking = season.rankings.all()[1]
    judge.post(reverse("desk:ranking-move", args=[season.pk, ranking.pk]), {"position": "0"})
    assert season.rankings.all()[0] == ranking
    judge.post(reverse("desk:ranking-delete", args=[season.pk, ranking.pk]))
    assert season.rankings.count() == len(PRESETS) - 1
    answer = judge.post(reverse("desk:season-delete", args=[season.pk]), follow=True)
    assert "its events and their results are still there" in text_of(answer)
    assert Event.objects.count() == 14


def test_pages_of_a_season_have_no_key_twice(judge: Client, season: Season) -> None:
    ranking = season.rankings.all()[0].pk
    member = view_ranking(season.rankings.all()[0]).lines[0].member.pk
    for name, arguments in {
        "season": [season.pk],
        "season-edit": [season.pk],
        "season-events": [season.pk],
        "season-new": [],
        "ranking-new": [season.pk],
        "ranking-edit": [season.pk, ranking],
        "season-member": [season.pk, ranking, member],
        "events": [],
    }.items():
        assert not ambiguous_keys(read_page(judge.get(reverse(f"desk:{name}", args=arguments)).content.decode())), name


def test_the_start_page_has_the_first_three_and_the_name_of_the_club(judge: Client, season: Season) -> None:
    Club.objects.create(name="Circolo Scrabble Torino")
    text = text_of(judge.get("/desk/"))
    names = [line.member.name for line in view_ranking(season.rankings.all()[0], part=slice(3)).lines]
    assert all(name in text for name in names)
    assert "See the season" in text
    assert "Circolo Scrabble Torino" in text


def test_a_colleague_who_organises_nothing_sees_no_season(client: Client, season: Season) -> None:
    colleague = User.objects.create(username="colleague")
    client.force_login(colleague, backend="django.contrib.auth.backends.ModelBackend")
    assert "Season" not in text_of(client.get("/desk/"))
    assert client.get(reverse("desk:season", args=[season.pk])).status_code == 403


def test_a_ranking_has_an_evening_as_soon_as_it_is_over(judge: Client) -> None:
    season = seasons.create_season(
        seasons.SeasonFields("Spring", date(2026, 1, 1), date(2026, 6, 30)), [("Points", PRESETS[3].rule)]
    )
    club_game = create_club_game(first_judge())
    member = Member.objects.create(surname="Rossi", first_name="Anna")
    PlayerMember.objects.create(player=club_game.player(1), member=member)
    place_first_turn(club_game)
    address = reverse("desk:season", args=[season.pk])
    assert "Anna Rossi" not in text_of(judge.get(address))
    end_game(game=club_game.refresh(), by=club_game.judge, now=utc_now())
    page = judge.get(address)
    assert [(row.value, row.best_word) for row in page.context["groups"][0].rows] == [("20", "CESTAI")]
