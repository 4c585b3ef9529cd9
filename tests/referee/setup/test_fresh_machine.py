"""Set-up from an empty folder to the running command, with a real virtual environment and pip but small packages."""

from __future__ import annotations

import signal
import stat
import subprocess
from pathlib import Path

import pytest

from tests.examples import representative
from tests.referee.setup.conftest import BASE_PYTHON, SmallProject
from tests.waiting import PATIENCE_S, until


def installed(project: SmallProject) -> str:
    python = project.root / ".venv" / "bin" / "python"
    line = [str(python), "-c", "import tilebag; print(tilebag.version)"]
    return subprocess.run(line, capture_output=True, encoding="utf-8", check=True).stdout.strip()


@pytest.mark.endurance
def test_one_command_makes_what_the_first_page_needs_and_the_second_start_does_nothing_but_start(
    project: SmallProject,
) -> None:
    project.require("tilebag==1.0")
    first = project.manage("serve", "--port", "8123", python=BASE_PYTHON)
    data = project.root / "var"
    assert first.returncode == 0, first.stderr
    assert first.stdout == f"ran serve --port 8123 with {project.root / '.venv'} on {data}\n"
    assert installed(project) == "1.0"
    # The server prepares the engine and the list while it runs.
    assert project.steps() == ["static", "migrate", "require_start"]
    assert stat.S_IMODE((data / "secret_key").stat().st_mode) == 0o600
    assert "Making the Python environment" in first.stderr
    assert "Preparing the database" in first.stderr
    done = project.steps()
    second = project.manage("serve", python=BASE_PYTHON)
    assert (second.stdout.startswith("ran serve with"), second.stderr) == (True, "")
    assert project.steps() == [*done, "require_start"]


def test_a_simulation_with_its_own_words_needs_no_other_list(project: SmallProject) -> None:
    assert project.manage("simulate", "--words", "mine.txt").returncode == 0
    assert sorted(project.steps()) == ["warm"]
    assert project.manage("simulate").returncode == 0
    assert sorted(project.steps()) == ["graph", "warm", "words"]


@pytest.mark.parametrize("action", representative(["check", "build", "import"]))
def test_a_command_that_looks_into_the_games_prepares_and_checks_the_database(
    project: SmallProject, action: str
) -> None:
    assert project.manage("lexicon", "list").returncode == 0
    assert project.steps() == []
    assert project.manage("lexicon", action, "it").returncode == 0
    assert project.steps() == ["migrate", "require_data"]


@pytest.mark.endurance
def test_packages_alone_are_installed_where_nothing_else_is_needed_and_again_when_they_change(
    bare_project: SmallProject,
) -> None:
    told = bare_project.manage("makemigrations", "--check", python=BASE_PYTHON)
    assert told.stdout.startswith("ran makemigrations --check with")
    assert bare_project.steps() == []
    bare_project.require("tilebag==2.0")
    bare_project.manage("check", python=str(bare_project.root / ".venv" / "bin" / "python"))
    assert installed(bare_project) == "2.0"


@pytest.mark.endurance
def test_the_tests_get_their_tools_and_their_arguments(bare_project: SmallProject) -> None:
    told = bare_project.manage("test", "tests/engine", "-k", "corno", python=BASE_PYTHON)
    side_by_side = "-n logical --dist loadfile --no-loadscope-reorder"
    assert told.stdout == f"pytest {side_by_side} tests/engine -k corno\n", told.stderr
    assert "migrate" not in bare_project.steps()  # tests have a database of their own


def test_the_engine_gets_its_arguments(project: SmallProject) -> None:
    assert project.manage("engine", "solve", "--best").stdout == "engine solve --best\n"
    assert project.steps() == ["warm"]


def test_a_satisfying_environment_is_used_as_it_is(project: SmallProject) -> None:
    told = project.manage("serve")
    assert told.returncode == 0, told.stderr
    assert not (project.root / ".venv").exists()


@pytest.mark.endurance
def test_a_package_that_was_cut_off_in_the_middle_is_installed_again(bare_project: SmallProject) -> None:
    bare_project.manage("check", python=BASE_PYTHON)
    (packages,) = (bare_project.root / ".venv").glob("lib/python*/site-packages")
    (packages / "tilebag.py").unlink()
    (packages / "tilebag-1.0.dist-info" / "INSTALLER").unlink()
    (bare_project.root / ".venv" / "requirements.txt.installed").unlink()
    bare_project.manage("check", python=BASE_PYTHON)
    assert installed(bare_project) == "1.0"


@pytest.mark.endurance
def test_an_environment_whose_python_is_now_another_version_is_made_anew(bare_project: SmallProject) -> None:
    bare_project.manage("check", python=BASE_PYTHON)
    (library,) = (bare_project.root / ".venv").glob("lib/python*")
    library.rename(library.with_name("python3.10"))
    told = bare_project.manage("check", python=BASE_PYTHON)
    assert told.stdout.startswith("ran check with"), told.stderr
    assert not library.with_name("python3.10").exists()
    assert installed(bare_project) == "1.0"


@pytest.mark.endurance
def test_a_killed_set_up_continues_where_it_stopped(bare_project: SmallProject) -> None:
    # The orphan keeps the lock and outlives the set-up by a moment: the next one has to wait for it.
    waiting = (
        "import time; parent = os.getppid(); (pathlib.Path(__file__).parent / 'slow').touch()\n"
        "while os.getppid() == parent: time.sleep(0.05)\n"
        "time.sleep(0.5); note('orphan'); sys.exit(1)"
    )
    killed = subprocess.Popen(
        bare_project.line("setup", python=BASE_PYTHON),
        env=bare_project.variables(DURING_WARM=waiting),
        stderr=subprocess.DEVNULL,
    )
    _wait_for(bare_project.root / "slow")
    before = bare_project.steps()
    killed.kill()
    killed.wait()
    again = bare_project.manage("setup", python=BASE_PYTHON)
    assert again.returncode == 0, again.stderr
    assert "packages" not in again.stderr
    assert before == ["static", "migrate", "warm"]
    assert bare_project.steps()[len(before) :] == ["orphan", "warm", "words", "graph"]


def test_a_politely_ended_set_up_ends_its_programs_and_says_that_it_continues(project: SmallProject) -> None:
    # The program starts another one, which must end too and whose pipe must not keep the set-up waiting.
    waiting = (
        "import subprocess\n"
        "subprocess.run(['sh', '-c', 'trap \"touch ended; exit\" TERM; touch begun; sleep 60 & wait'])"
    )
    with subprocess.Popen(
        project.line("setup"),
        env=project.variables(DURING_WARM=waiting),
        stderr=subprocess.PIPE,
        encoding="utf-8",
    ) as ended:
        _wait_for(project.root / "begun")
        ended.send_signal(signal.SIGTERM)
        _out, told = ended.communicate(timeout=PATIENCE_S)
    assert ended.returncode == 130
    assert told.endswith("\nStopped. The same command continues where this one was.\n")
    assert "Traceback" not in told
    _wait_for(project.root / "ended")


@pytest.mark.endurance
def test_two_set_ups_at_once_do_each_step_once(project: SmallProject, tmp_path: Path) -> None:
    # The one that comes first does not end before the other one has met it.
    until_met = "import time\nwhile not pathlib.Path(__file__).with_name('met').exists(): time.sleep(0.05)"
    logs, both = [tmp_path / "first.log", tmp_path / "second.log"], list[subprocess.Popen[bytes]]()
    for path in logs:
        with path.open("w") as log:
            environment = project.variables(DURING_WORDS=until_met)
            both.append(subprocess.Popen(project.line("setup"), env=environment, stdout=log, stderr=log))
    try:
        until(lambda: any("Another set-up is at work" in path.read_text() for path in logs), "the second set-up")
    finally:
        (project.root / "met").touch()
    assert [one.wait(PATIENCE_S) for one in both] == [0, 0]
    assert project.steps() == ["static", "migrate", "warm", "words", "graph"]
    assert sum("Another set-up is at work" in path.read_text() for path in logs) == 1


def test_an_older_database_put_back_is_brought_up_to_date(project: SmallProject) -> None:
    database = project.root / "var" / "multiplo.sqlite3"
    project.manage("serve")
    older = database.read_bytes()
    (project.root / "tournaments" / "migrations" / "0002_more.py").write_text("")
    project.manage("serve")
    newer = database.read_bytes()
    assert project.steps().count("migrate") == 2
    database.write_bytes(older)
    project.manage("serve")
    assert project.steps().count("migrate") == 3
    database.write_bytes(newer)
    project.manage("serve")
    assert project.steps().count("migrate") == 3
    database.unlink()
    project.manage("serve")
    assert project.steps().count("migrate") == 4


@pytest.mark.endurance
def test_the_overview_needs_no_set_up(project: SmallProject) -> None:
    project.require("tilebag==1.0")
    for arguments in ([], ["help"], ["--help"], ["help", "test"]):
        told = project.manage(*arguments, python=BASE_PYTHON)
        assert told.returncode == 0
        assert "manage.py serve" in told.stdout
    assert not (project.root / ".venv").exists()


def test_set_up_alone_says_when_it_is_done(project: SmallProject) -> None:
    told = project.manage("setup")
    assert told.stdout == "Everything is set up.\n"
    assert len(project.steps()) == 5


def _wait_for(path: Path) -> None:
    until(path.exists, path.name)
