from __future__ import annotations

import os
import stat
import subprocess
from pathlib import Path

import pytest

from referee.setup import faults
from referee.setup.folders import find_project, split_data_option
from tests.referee.setup.conftest import SmallProject


@pytest.mark.parametrize(
    ("line", "rest", "folder"),
    [
        (["serve"], ["serve"], None),
        (["serve", "--data", "/srv/club", "--port", "1"], ["serve", "--port", "1"], "/srv/club"),
        (["--data=/srv/club", "serve"], ["serve"], "/srv/club"),
        (["test", "--", "--data", "x"], ["test", "--", "--data", "x"], None),
    ],
)
def test_the_data_option_is_known_to_every_command(line: list[str], rest: list[str], folder: str | None) -> None:
    assert split_data_option(line) == (rest, folder)


def test_the_data_option_without_a_folder_is_a_fault() -> None:
    with pytest.raises(faults.SetupFault, match="needs the name of a folder"):
        split_data_option(["serve", "--data"])


def test_the_option_goes_before_the_variable_and_the_variable_before_var(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DATA_DIR", raising=False)
    assert find_project(tmp_path, None).data == tmp_path / "var"
    monkeypatch.setenv("DATA_DIR", "from-variable")
    assert find_project(tmp_path, None).data == tmp_path / "from-variable"
    assert find_project(tmp_path, "from-option").data == tmp_path / "from-option"


def test_the_secret_key_is_made_once_and_is_long_enough(project: SmallProject) -> None:
    project.manage("check")
    key = (project.root / "var" / "secret_key").read_text()
    assert len(key) >= 50
    project.manage("check")
    assert (project.root / "var" / "secret_key").read_text() == key


def test_a_torn_secret_key_is_made_anew(project: SmallProject) -> None:
    (project.root / "var").mkdir()
    (project.root / "var" / "secret_key").write_text("torn")
    project.manage("check")
    assert len((project.root / "var" / "secret_key").read_text()) >= 50


def test_the_secret_key_is_for_its_owner_only(project: SmallProject) -> None:
    project.manage("check")
    assert stat.S_IMODE((project.root / "var" / "secret_key").stat().st_mode) == 0o600


def modes(folder: Path) -> dict[str, int]:
    """Return the permissions of a folder and its content."""
    paths = [folder, *folder.rglob("*")]
    return {str(path.relative_to(folder.parent)): stat.S_IMODE(path.stat().st_mode) for path in paths}


@pytest.mark.skipif(os.name == "nt", reason="Windows has other permissions")
def test_the_data_are_for_their_owner_only_from_the_first_start_and_the_checkout_stays_readable(
    project: SmallProject,
) -> None:
    during = "pathlib.Path('staticfiles').mkdir(); pathlib.Path('staticfiles/page.css').write_text('')"
    writing = "open(os.environ['DATA_DIR'] + '/documents', 'w').close()"
    line = ["sh", "-c", 'umask 000; exec "$0" "$@"', *project.line("serve")]
    subprocess.run(line, env=project.variables(DURING_STATIC=during, DURING_COMMAND=writing), check=True)
    found = modes(project.root / "var")
    assert found.pop("var") == found.pop("var/lexicons") == 0o700
    assert {"var/documents", "var/multiplo.sqlite3"} <= set(found)
    assert set(found.values()) == {0o600}, found
    assert modes(project.root / "staticfiles")["staticfiles/page.css"] == 0o666


@pytest.mark.skipif(os.name == "nt", reason="Windows has other permissions")
def test_a_data_folder_of_an_older_version_is_closed_and_what_is_not_ours_stays_as_it_is(
    project: SmallProject, tmp_path: Path
) -> None:
    public = tmp_path / "public.txt"
    older, shared = tmp_path / "older", tmp_path / "shared"
    for folder in (older, shared):
        (folder / "backups").mkdir(parents=True)
        public.touch(0o644)
        (folder / "multiplo.sqlite3-wal").touch()
        (folder / "backups" / "night.zip").touch()
        (folder / "backups" / "link.txt").symlink_to(public)
        for path in (folder, *folder.rglob("*")):
            path.chmod(0o755 if path.is_dir() else 0o644)
    (shared / "holiday.jpg").touch(0o644)
    for folder in (older, shared):
        project.manage("check", "--data", str(folder))
    found = modes(older) | modes(shared)
    assert (found["older"], found["shared"], found["shared/holiday.jpg"]) == (0o700, 0o755, 0o644)
    for name in ("older", "shared"):
        assert found[f"{name}/backups"] == 0o700
        assert found[f"{name}/backups/night.zip"] == found[f"{name}/multiplo.sqlite3-wal"] == 0o600
    assert stat.S_IMODE(public.stat().st_mode) == 0o644


def test_no_secret_key_is_made_where_one_is_given(project: SmallProject) -> None:
    project.manage("check", SECRET_KEY="k" * 50)
    assert not (project.root / "var" / "secret_key").exists()


def test_another_data_folder_gets_a_copy_of_the_word_lists(project: SmallProject, tmp_path: Path) -> None:
    project.manage("setup")
    told = project.manage("serve", "--data", str(tmp_path / "friday"))
    assert told.stdout.rstrip().endswith(f"on {tmp_path / 'friday'}")
    assert project.steps().count("words") == project.steps().count("graph") == 1
    for name in ("it.txt", "it.txt.json", "it.npy"):
        copied = tmp_path / "friday" / "lexicons" / name
        assert copied.read_bytes() == (project.root / "var" / "lexicons" / name).read_bytes()
    assert project.steps().count("migrate") == 2


def test_the_tests_own_data_folder_is_not_the_clubs() -> None:
    folder = Path(os.environ["DATA_DIR"])
    assert folder.name.startswith("multiplo-tests-")
    assert not (folder / "multiplo.sqlite3").exists()
    assert all(path.is_symlink() for path in (folder / "lexicons").glob("it.*"))
