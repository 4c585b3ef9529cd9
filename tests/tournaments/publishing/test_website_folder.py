"""The folder of the website: a crash leaves no half-written file, and files of others are never touched."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tournaments.errors import Refused
from tournaments.publishing.website_folder import MANIFEST, WebsiteFile, WebsiteSection, write_website

PAGES = (WebsiteFile("index.html", b"home"), WebsiteFile("events/1/index.html", b"one"))


def names(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def crash_after(files: tuple[WebsiteFile, ...]) -> Iterator[WebsiteFile]:
    yield from files
    raise KeyboardInterrupt


def test_after_a_crash_the_next_run_knows_the_files_of_the_first(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        write_website(tmp_path, crash_after((*PAGES, WebsiteFile("events/2/index.html", b"two"))))
    assert (tmp_path / "events/2/index.html").read_bytes() == b"two"
    changes = write_website(tmp_path, (PAGES[0], WebsiteFile("events/1/index.html", b"one, corrected")))
    assert (changes.files, changes.changed, changes.removed) == (2, 1, 1)
    assert names(tmp_path) == {"index.html", "events/1/index.html", MANIFEST}
    assert not (tmp_path / "events/2").exists()


def test_a_crash_in_a_later_run_removes_nothing(tmp_path: Path) -> None:
    write_website(tmp_path, PAGES)
    with pytest.raises(KeyboardInterrupt):
        write_website(tmp_path, crash_after(PAGES[:1]))
    assert (tmp_path / "events/1/index.html").read_bytes() == b"one"
    assert write_website(tmp_path, PAGES).changed == 0


def test_files_of_others_stay_and_one_in_the_way_is_named(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    write_website(tmp_path, PAGES)
    (tmp_path / "CNAME").write_text("club.example")
    (tmp_path / "records.html").write_text("mine")
    write_website(tmp_path, PAGES[:1])
    assert names(tmp_path) == {"index.html", "CNAME", "records.html", MANIFEST}
    with pytest.raises(Refused, match=r"records\.html, which is not of the website"):
        write_website(tmp_path, (*PAGES, WebsiteFile("records.html", b"ours")))
    assert (tmp_path / "records.html").read_text() == "mine"


@pytest.mark.parametrize("name", ["../outside.html", "/etc/passwd.html", "events/../../x.html"])
def test_a_changed_manifest_leads_to_no_file_outside(tmp_path: Path, name: str) -> None:
    folder, outside = tmp_path / "site", tmp_path / "outside.html"
    outside.write_text("stays")
    write_website(folder, PAGES)
    manifest = (folder / MANIFEST).read_text().replace("index.html", name, 1)
    (folder / MANIFEST).write_text(manifest)
    write_website(folder, ())
    assert outside.read_text() == "stays"


@pytest.mark.parametrize("manifest", ["", "[]", '{"format": "other", "files": []}'])
def test_a_damaged_manifest_is_told_and_nothing_is_removed(tmp_path: Path, manifest: str) -> None:
    write_website(tmp_path, PAGES)
    (tmp_path / MANIFEST).write_text(manifest)
    with pytest.raises(Refused, match="is damaged: empty the folder"):
        write_website(tmp_path, ())
    assert (tmp_path / "index.html").read_bytes() == b"home"


def test_every_file_and_folder_may_be_read_by_a_web_server(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "site"
    write_website(folder, PAGES)
    assert {path.stat().st_mode & 0o777 for path in folder.rglob("*") if path.is_file()} == {0o644}
    assert {path.stat().st_mode & 0o777 for path in (folder, *folder.rglob("*")) if path.is_dir()} == {0o755}


def section(state: str, text: bytes) -> WebsiteSection:
    return WebsiteSection("events/1/", state, lambda: [WebsiteFile("events/1/index.html", text)])


def test_a_section_is_made_again_only_if_its_state_has_changed_or_a_file_is_missing(tmp_path: Path) -> None:
    write_website(tmp_path, [PAGES[0], section("A", b"one")])
    kept = write_website(tmp_path, [PAGES[0], section("A", b"never made")])
    assert (kept.files, kept.changed, kept.removed) == (2, 0, 0)
    write_website(tmp_path, [PAGES[0], section("B", b"two")])
    assert (tmp_path / "events/1/index.html").read_bytes() == b"two"
    (tmp_path / "events/1/index.html").unlink()
    write_website(tmp_path, [PAGES[0], section("B", b"three")])
    assert (tmp_path / "events/1/index.html").read_bytes() == b"three"


def test_a_section_of_a_crashed_run_does_not_count_as_whole_when_its_old_state_comes_back(tmp_path: Path) -> None:
    write_website(tmp_path, [section("not agreed", b"-")])

    def begin() -> Iterator[WebsiteFile]:
        yield WebsiteFile("events/1/index.html", b"a name")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_website(tmp_path, [WebsiteSection("events/1/", "agreed", begin)])
    assert write_website(tmp_path, [section("not agreed", b"-")]).changed == 1
    assert (tmp_path / "events/1/index.html").read_bytes() == b"-"
