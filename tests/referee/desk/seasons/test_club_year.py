"""A club year with an imported season before it: each ranking is the one that archives and spreadsheet give by a plain
computation, which shares no code with the program."""

from __future__ import annotations

import io
import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from openpyxl import Workbook
from pytest_django import Settings

from engine.seasons.ranking_rule import Grouping, RankingRule
from tests.engine.archive.played_game import WORDS
from tests.referee.desk.seasons.test_earlier import fields_of
from tournaments.enums import DrawMode
from tournaments.events.services.events import NewEvent
from tournaments.lexicons.list_import import import_list
from tournaments.models import Member, Season
from tournaments.now import utc_now
from tournaments.results.queries.archive import export_game
from tournaments.seasons.queries.rankings import view_ranking
from tournaments.seasons.services.seasons import SeasonFields, create_season
from tournaments.seasons.simulation import REGULAR_GUEST, SURNAMES, play_club_year
from tournaments.staff.services.login_links import first_judge

pytestmark = [pytest.mark.django_db, pytest.mark.endurance]
EVENINGS, MEMBERS, SEED = 5, 8, 9
FIRST_DAY, LAST_DAY = date(2025, 9, 1), date(2026, 8, 31)
TABLE = (10, 6, 3, 1)
EARLIER, REVIEW = "/desk/seasons/earlier/", "/desk/members/review/"
Row = tuple[str, str, int, int | str, int | str]
"""Name, licence, points, rank and sum of tops in the spreadsheet; the sum is empty where nobody noted it."""


@dataclass
class Played:
    """The results of a person, in the order of the evenings: evening, points, rank, sum of tops, solos."""

    results: list[tuple[int, int, int | None, int, int]] = field(default_factory=list)


@dataclass
class Year:
    """The archives, the rows of the spreadsheet, and the members of their names and licences."""

    archives: list[dict[str, Any]]
    sheets: dict[str, list[Row]]
    persons: dict[tuple[str, str], int]


@pytest.fixture
def year(settings: Settings, tmp_path: Path) -> Year:
    """The year, played and imported as at the desk."""
    settings.DATA_DIR = tmp_path
    (tmp_path / "lexicons").mkdir()
    words = tmp_path / "words.txt"
    words.write_text("\n".join(WORDS), encoding="utf-8")
    judge = first_judge()
    club_year = play_club_year(
        _new_event(import_list(words, edition="it", name="few", folder=tmp_path / "lexicons").entry.name),
        evenings=EVENINGS,
        members=MEMBERS,
        by=judge,
        rng=Random(SEED),  # noqa: S311  a simulation, reproducible by its seed
        seed=f"acceptance {SEED}",
        progress=lambda _game: None,
    )
    known = list(Member.objects.filter(merged_into=None).order_by("pk"))
    sheets = _earlier_sheets(known)
    desk = Client()
    desk.force_login(judge)
    _import(desk, _workbook(sheets))
    persons = {(member.name, member.licence): member.pk for member in known[:3]}
    persons |= _review(desk, near=known[5])
    for at, member in enumerate(known):
        Member.objects.filter(pk=member.pk).update(team=("Draghi", "Lupi", "")[at % 3])
    return Year([export_game(game, now=utc_now()) for game in club_year.games], sheets, persons)


def _new_event(lexicon: str) -> NewEvent:
    return NewEvent(
        name="Evening",
        date=date(2026, 1, 9),
        place="",
        language="it",
        edition="it",
        profile="it-box",
        draw_mode=DrawMode.SEEDED,
        lexicon=lexicon,
        variant="normal",
        turn_seconds=60,
    )


def _earlier_sheets(members: Sequence[Member]) -> dict[str, list[Row]]:
    """Two evenings of the spreadsheet: members by licence, a member misspelled, somebody who joins later, a guest."""
    wrong = f"{members[5].first_name} {members[5].surname[:-1]}"
    named = [(member.name, member.licence) for member in members[:3]]
    first = [*named, (wrong, ""), ("Franca Bo", ""), ("Lea Passante", "")]
    second = [*named[1:], (wrong, ""), ("Franca Bo", "")]
    points, other = (905, 870, 870, 640, 555, 910), (700, 650, 700, 410)
    return {
        "Serata 3.10.2025": [
            (*who, total, 1 + sum(more > total for more in points), 1000)
            for who, total in zip(first, points, strict=True)
        ],
        "Serata 10.10.2025": [
            (*who, total, "-" if total == 650 else 1 + sum(more > total for more in other if more != 650), "")
            for who, total in zip(second, other, strict=True)
        ],
    }


def _workbook(sheets: dict[str, list[Row]]) -> bytes:
    book, written = Workbook(), io.BytesIO()
    book.remove(cast(Any, book.active))
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in [("Nome", "Tessera", "Punti", "Posto", "Somma dei top"), *rows]:
            sheet.append(row)
    book.save(written)
    return written.getvalue()


def _import(desk: Client, workbook: bytes) -> None:
    shown = desk.post(EARLIER, {"files": [SimpleUploadedFile("2025.xlsx", workbook)]})
    stored = desk.post(EARLIER, fields_of(shown) | {"import": "1"}, follow=True).content.decode()
    assert "2 evenings imported." in stored
    assert "5 results belong to no member yet" in stored


def _review(desk: Client, near: Member) -> dict[tuple[str, str], int]:
    """Link the one who has become a member by the certain match, and answer that a misspelled name is a member."""
    Member.objects.create(first_name="Franca", surname="Bo")
    page = desk.get(REVIEW)
    shown = re.search(r'name="shown" value="(\w+)"', page.content.decode())
    assert shown
    linked = desk.post(REVIEW, {"do": "link", "shown": shown[1]}, follow=True).content.decode()
    assert "1 person is linked." in linked
    [question] = [each for each in desk.get(REVIEW).context["questions"] if str(near.pk) in dict(each.choices)]
    answered = desk.post(REVIEW, {"do": "answer", question.field: near.pk}, follow=True).content.decode()
    assert "1 person is linked." in answered
    return {("Franca Bo", ""): Member.objects.get(surname="Bo").pk, (question.person.name, ""): near.pk}


def _read_results(year: Year) -> dict[int, Played]:
    """The results of each member: those of the spreadsheet are the first two evenings."""
    found: dict[int, Played] = defaultdict(Played)
    for number, rows in enumerate(year.sheets.values()):
        for name, licence, points, rank, tops in rows:
            if (name, licence) in year.persons:
                place = rank if isinstance(rank, int) else None
                found[year.persons[name, licence]].results.append((number, points, place, int(tops or 0), 0))
    for number, archive in enumerate(year.archives, len(year.sheets)):
        lines = {line["table"]: line for line in archive["standings"]}
        tops = sum(turn["top"] for turn in archive["turns"])
        for player in archive["players"]:
            if "member" in player:
                line = lines[player["table"]]
                found[player["member"]].results.append((number, line["total"], line["rank"], tops, line["solos"]))
    return found


def _values(played: Played, measure: str) -> list[Fraction]:
    """The values of the evenings of a member; an evening without a sum of tops has no percent."""
    if measure == "percent":
        return [
            Fraction(100 * points, tops) if rank else Fraction(0) for _, points, rank, tops, _ in played.results if tops
        ]
    if measure == "points":
        return [Fraction(points if rank else 0) for _, points, rank, _, _ in played.results]
    padded = (*TABLE, *[0] * 100)
    return [Fraction(padded[rank - 1] if rank else 0) for _, _, rank, _, _ in played.results]


def _sum(values: Sequence[Fraction]) -> Fraction:
    return sum(values, Fraction(0))


def _best(values: Sequence[Fraction], number: int) -> list[Fraction]:
    return sorted(values, reverse=True)[:number]


def _mean(values: Sequence[Fraction]) -> Fraction:
    return _sum(values) / len(values) if values else Fraction(0)


def _last_evening(played: Played) -> Fraction:
    """The points by place of the last evening; less than any other for somebody who missed it."""
    last = EVENINGS + 1
    return _values(played, "place")[-1] if played.results[-1][0] == last else Fraction(-1)


def _ties(played: Played) -> tuple[Fraction | int, ...]:
    known = [(points, rank, tops) for _, points, rank, tops, _ in played.results if tops]
    percent = Fraction(100 * sum(points for points, rank, _ in known if rank), sum(tops for *_, tops in known) or 1)
    return (
        sum(rank == 1 for _, _, rank, _, _ in played.results),
        sum(solos for *_, solos in played.results),
        _last_evening(played),
        percent,
    )


Value = Callable[[Played], tuple[Fraction | int, ...]]
RULES: dict[str, tuple[RankingRule, Value]] = {
    "points": (RankingRule(ties=()), lambda p: (_sum(_values(p, "points")),)),
    "percent of the best 3": (
        RankingRule(measure="percent", combination="mean", best=3, ties=()),
        lambda p: (_mean(_best(_values(p, "percent"), 3)),),
    ),
    "points by place": (
        RankingRule(measure="place", table=TABLE, ties=("first_places", "solos", "last_event", "percent")),
        lambda p: (_sum(_values(p, "place")), *_ties(p)),
    ),
    "attendance": (
        RankingRule(measure="place", table=TABLE, best=2, bonus=2, minimum=3, ties=("events",)),
        lambda p: (_sum(_best(_values(p, "place"), 2)) + 2 * len(p.results), len(p.results)),
    ),
    "by category": (
        RankingRule(ties=("best_event",), grouping="category"),
        lambda p: (_sum(_values(p, "points")), max(_values(p, "points"))),
    ),
    "by team": (
        RankingRule(measure="percent", combination="mean", minimum=2, ties=(), grouping="team"),
        lambda p: (_mean(_values(p, "percent")),),
    ),
}


def _rank(results: dict[int, Played], value: Value, least: int, groups: dict[int, str]) -> list[tuple[Any, ...]]:
    """Group, rank, member and value of each line: the groups by name, those without a rank last in each."""
    lines: list[tuple[Any, ...]] = []
    for group in sorted(set(groups.values())):
        keys = {member: value(results[member]) for member in results if groups.get(member) == group}
        ranked = [member for member in keys if len(results[member].results) >= least]
        for is_ranked in (True, False):
            members = [member for member in sorted(keys) if (member in ranked) == is_ranked]
            for member in sorted(members, key=lambda each: keys[each], reverse=True):
                rank = 1 + sum(keys[other] > keys[member] for other in ranked) if is_ranked else None
                lines.append((group, rank, member, keys[member][0]))
    return lines


def _groups(results: dict[int, Played], grouping: Grouping) -> dict[int, str]:
    if not grouping:
        return dict.fromkeys(results, "")
    members = Member.objects.filter(pk__in=results).exclude(**{grouping: ""})
    return {member.pk: getattr(member, grouping) for member in members}


def test_the_rankings_of_a_club_year_equal_an_independent_computation(year: Year) -> None:
    results = _read_results(year)
    _require_all_changes_of_a_year(year)
    season: Season = create_season(
        SeasonFields("2025/26", FIRST_DAY, LAST_DAY), [(name, rule) for name, (rule, _) in RULES.items()]
    )
    for ranking in season.rankings.all():
        rule, value = RULES[ranking.name]
        expected = _rank(results, value, rule.minimum, _groups(results, rule.grouping))
        lines = view_ranking(ranking).lines
        shown = [(line.group, line.line.rank, line.member.pk, line.line.value) for line in lines]
        assert shown == expected, ranking.name
    by_minimum = view_ranking(season.rankings.get(name="attendance")).lines
    assert {line.line.rank is None for line in by_minimum} == {True, False}, "some are below the minimum"


def _require_all_changes_of_a_year(year: Year) -> None:
    """Everything that changes in a club has an effect on these rankings."""
    evenings = [{player.get("member"): player["name"] for player in each["players"]} for each in year.archives]
    assert len({len(each["players"]) for each in year.archives}) > 1, "attendance changes"
    names = [member.name for member in Member.objects.filter(merged_into=None)]
    assert len(names) == len(set(names)) + 1, "two are namesakes"
    regular = Member.objects.get(surname=REGULAR_GUEST.split()[1])
    assert any(regular.pk in evening for evening in evenings[:1]), "the guest of the first evening is a member now"
    merged = Member.objects.exclude(merged_into=None).get()
    assert merged.player_links.exists(), "evenings of the merged record count for the other one"
    gone = Member.objects.exclude(anonymised_at=None).get()
    assert any(gone.pk in evening for evening in evenings), "evenings of the anonymised member count"
    assert not any(surname in name for surname in SURNAMES for name in (gone.name, *_names_of(evenings, gone)))


def _names_of(evenings: Sequence[dict[int, str]], member: Member) -> list[str]:
    return [evening[member.pk] for evening in evenings if member.pk in evening]
