"""A simulated club year: its rankings follow from the archives of its evenings alone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, cast

import pytest

from engine.archive.replay import verify
from engine.archive.schema import Archive
from tests.engine.archive.played_game import WORDS, lexicon
from tournaments.seasons.simulation import SURNAMES

pytestmark = pytest.mark.sqlite_file

ROOT = Path(__file__).parents[3]
OPTIONS = ["--evenings", "8", "--members", "8", "--seed", "5", "--rhythm", "60"]
Values = dict[int, list[float]]


@pytest.fixture(scope="module")
def year(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a simulated year."""
    return simulate(tmp_path_factory.mktemp("year"))


def simulate(folder: Path) -> Path:
    words = folder / "words.txt"
    words.write_text("\n".join(WORDS), encoding="utf-8")
    command = [sys.executable, "-m", "django", "simulate", *OPTIONS, "--words", str(words), "--out", str(folder)]
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "referee.settings", "DATA_DIR": str(folder)}
    ran = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return folder


def archives(year: Path) -> list[dict[str, Any]]:
    return [json.loads(path.read_text(encoding="utf-8")) for path in sorted((year / "evenings").glob("*.json"))]


def values_by_member(year: Path, value: Callable[[dict[str, Any], int], float]) -> Values:
    """The values of each member, one for each evening; `value` takes the line of the standings and the sum of tops."""
    found: Values = defaultdict(list)
    for archive in archives(year):
        lines = {line["table"]: line for line in archive["standings"]}
        tops = sum(turn["top"] for turn in archive["turns"])
        for player in archive["players"]:
            if "member" in player:
                found[player["member"]].append(value(lines[player["table"]], tops))
    return found


def ranked(values: Iterable[tuple[int, float]]) -> list[tuple[int, int, float]]:
    """Rank, member and value; equal values share a rank, and the next one is left out."""
    listed = sorted(values, key=lambda pair: (-pair[1], pair[0]))
    return [(1 + sum(other > value for _, other in listed), member, value) for member, value in listed]


@pytest.mark.endurance
def test_the_rankings_are_those_that_the_archives_give(year: Path) -> None:
    season = json.loads((year / "season.json").read_text(encoding="utf-8"))
    points, percent, places = season["rankings"]
    table, best = places["table"], percent["n"]
    assert (points["code"], percent["code"], places["code"]) == ("points_sum", "percent_best_n", "place_points")
    assert best == 2
    totals = values_by_member(year, lambda line, tops: line["total"])
    percents = values_by_member(year, lambda line, tops: 100 * line["total"] / tops)
    given = values_by_member(year, lambda line, tops: table[line["rank"] - 1] if line["rank"] <= len(table) else 0)
    expected = [
        ranked((member, sum(all_of)) for member, all_of in totals.items()),
        ranked((member, sum(sorted(all_of)[-best:]) / len(all_of[:best])) for member, all_of in percents.items()),
        ranked((member, sum(all_of)) for member, all_of in given.items()),
    ]
    for ranking, lines in zip(season["rankings"], expected, strict=True):
        assert [(line["rank"], line["member"]) for line in ranking["lines"]] == [line[:2] for line in lines]
        assert [line["value"] for line in ranking["lines"]] == pytest.approx([line[2] for line in lines])


@pytest.mark.endurance
def test_the_year_has_all_that_changes_in_a_club(year: Path) -> None:
    season = json.loads((year / "season.json").read_text(encoding="utf-8"))
    names = {member["id"]: member["name"] for member in season["members"]}
    evenings = archives(year)
    assert [path.name for path in sorted((year / "evenings").iterdir())] == [f"{n:02}.json" for n in range(1, 9)]
    assert len({len(archive["players"]) for archive in evenings}) > 1, "attendance changes"
    assert len(set(names.values())) == len(names) - 1, "two are namesakes"
    became = next(member for member, name in names.items() if name == "Beatrice Novelli")
    assert any(player.get("member") == became for player in evenings[0]["players"]), "the guest of that evening"
    assert any("member" not in player for archive in evenings for player in archive["players"]), "guests stay guests"
    assert not {player.get("member") for archive in evenings for player in archive["players"]} - {None, *names}
    fourth = sorted(names)[3]
    pseudonyms = {player["name"] for each in evenings for player in each["players"] if player.get("member") == fourth}
    assert not any(name.split()[-1] in SURNAMES for name in (names[fourth], *pseudonyms))


@pytest.mark.endurance
def test_every_evening_is_verified_without_a_difference_and_the_same_seed_gives_the_same_year(
    year: Path, tmp_path: Path
) -> None:
    for archive in archives(year):
        assert verify(cast(Archive, archive), lexicon()) == []
    again = simulate(tmp_path)
    assert (again / "season.json").read_bytes() == (year / "season.json").read_bytes()
    assert [each["standings"] for each in archives(again)] == [each["standings"] for each in archives(year)]
