"""One command makes a release, from the commit alone."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from referee.release.release import Parts, make_release
from referee.release.versions import NotReady, require_clean_tree, require_version, set_version
from tests.referee.release.conftest import AUTHOR, run

PYTHON = f"{sys.version_info[0]}.{sys.version_info[1]}"


@pytest.fixture
def small_checkout(tmp_path: Path) -> Path:
    """A repository with the two files that have the version."""
    (tmp_path / "engine").mkdir()
    (tmp_path / "engine" / "version.py").write_text('VERSION = "0.1.0"\n')
    (tmp_path / "CHANGELOG.md").write_text("# Changes\n\n## 0.1.0 – unreleased\n\nThe first version.\n")
    for line in (("init", "--quiet"), ("add", "--all"), ("commit", "--quiet", "--message", "x")):
        run("git", "-C", tmp_path, *line)
    return tmp_path


def test_a_version_is_written_into_both_files_and_committed(
    small_checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in AUTHOR.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(NotReady, match="has no date"):
        require_version(small_checkout)
    set_version(small_checkout, "0.2.0", "2026-02-03")
    require_clean_tree(small_checkout)
    assert require_version(small_checkout) == "0.2.0"
    assert "## 0.2.0 – 2026-02-03" in (small_checkout / "CHANGELOG.md").read_text()
    with pytest.raises(NotReady, match="has no section"):
        set_version(small_checkout, "0.3.0", "2026-02-04")
    (small_checkout / "note.txt").touch()
    with pytest.raises(NotReady, match="the first is note"):
        make_release(small_checkout, small_checkout / "out", Parts(), print)


@pytest.mark.endurance
def test_two_releases_have_the_same_bytes(checkout: Path, tmp_path: Path) -> None:
    first, second, other = tmp_path / "first", tmp_path / "second", tmp_path / "other"
    parts = ("--pythons", PYTHON, "--platforms", "linux-x86_64")
    run(sys.executable, "manage.py", "release", first, "--version", "0.1.0", *parts, cwd=checkout)
    run("git", "clone", "--quiet", checkout, other)
    run(sys.executable, "manage.py", "release", second, *parts, cwd=other)
    assert (first / "SHA256SUMS").read_bytes() == (second / "SHA256SUMS").read_bytes()
    sums = (first / "SHA256SUMS").read_text().splitlines()
    names = {line.split("  ")[1] for line in sums}
    assert {"multiplo-0.1.0-py3-none-any.whl", "multiplo_0.1.0_amd64.deb", "multiplo-0.1.0.cdx.json"} < names
    assert "multiplo-0.1.0-kit.zip" in names
    run("sha256sum", "--check", "--strict", "SHA256SUMS", cwd=second)
    document = json.loads((first / "multiplo-0.1.0.cdx.json").read_text())
    assert document["metadata"]["component"]["version"] == "0.1.0"
    assert any(part["name"] == "django" and part["hashes"] for part in document["components"])
