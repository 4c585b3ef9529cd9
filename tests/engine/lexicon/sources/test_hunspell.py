"""The expander against small dictionaries whose forms can be counted by hand."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import pytest

from engine.lexicon.sources.hunspell import (
    Affixes,
    Entry,
    RuleFilter,
    expand,
    made_by_suffix,
    read_affixes,
    read_entries,
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


def affixes_of(folder: Path, text: str, encoding: str = "utf-8") -> Affixes:
    path = folder / "small.aff"
    path.write_bytes(text.encode(encoding))
    return read_affixes(path)


def entries_of(folder: Path, text: str, affixes: Affixes, encoding: str = "utf-8") -> list[Entry]:
    path = folder / "small.dic"
    path.write_bytes(text.encode(encoding))
    return read_entries(path, affixes)


def forms(
    folder: Path, aff: str, dic: str, *, skip: Collection[str] = (), wanted: RuleFilter | None = None
) -> list[str]:
    affixes = affixes_of(folder, aff)
    return [form.text for form in expand(affixes, entries_of(folder, dic, affixes), skip=skip, wanted=wanted)]


NOUNS = """
SFX O N 3
SFX O o i [^gc]o
SFX O o hi [gc]o
SFX O 0 s .
"""


def test_a_suffix_is_put_on_where_its_condition_holds(folder: Path) -> None:
    assert forms(folder, NOUNS, "2\ngatto/O\nlago/O\n") == ["gatto", "gatti", "gattos", "lago", "laghi", "lagos"]


def test_a_dot_in_a_condition_is_any_letter_and_other_marks_are_themselves(folder: Path) -> None:
    aff = "SFX A N 2\nSFX A 0 x a.o\nSFX A 0 y (o\n"
    assert forms(folder, aff, "1\nalto/A\n") == ["alto"]
    assert forms(folder, aff, "1\nlato/A\n") == ["lato", "latox"]
    assert forms(folder, aff, "1\n(o/A\n") == ["(o", "(oy"]


def test_skipped_flags_and_unwanted_rules_make_no_form(folder: Path) -> None:
    aff = NOUNS + "SFX M N 1\nSFX M o one o\n"
    assert forms(folder, aff, "1\ngatto/OM\n", skip={"O"}) == ["gatto", "gattone"]
    assert forms(folder, aff, "1\ngatto/OM\n", wanted=lambda _flag, _strip, add: add != "s") == [
        "gatto",
        "gatti",
        "gattone",
    ]


CROSS = """
PFX R Y 1
PFX R 0 ri .
PFX S N 1
PFX S 0 s .
SFX V Y 1
SFX V re ndo are
SFX N N 1
SFX N are a are
"""


def test_prefix_and_suffix_meet_only_when_both_may_cross(folder: Path) -> None:
    assert set(forms(folder, CROSS, "1\nfare/RSVN\n")) == {"fare", "rifare", "sfare", "fando", "rifando", "fa"}


def test_a_prefix_may_replace_the_start_and_has_its_own_condition(folder: Path) -> None:
    aff = "PFX E Y 1\nPFX E i l'I i[^r]\n"
    assert forms(folder, aff, "2\nidea/E\nira/E\n") == ["idea", "l'Idea", "ira"]


def test_a_second_suffix_comes_through_the_continuation_of_the_first(folder: Path) -> None:
    aff = "SFX A N 1\nSFX A o ino/B o\nSFX B N 1\nSFX B o i o\n"
    assert forms(folder, aff, "1\ntavolo/A\n") == ["tavolo", "tavolino", "tavolini"]


def test_a_root_that_needs_an_affix_is_no_word_by_itself(folder: Path) -> None:
    assert forms(folder, "NEEDAFFIX x\n" + NOUNS, "1\ngatto/Ox\n") == ["gatti", "gattos"]


def test_a_forbidden_word_is_left_out_even_when_another_root_makes_it(folder: Path) -> None:
    assert forms(folder, "FORBIDDENWORD !\n" + NOUNS, "2\ngatto/O\ngattos/!\n") == ["gatto", "gatti"]


def test_a_part_of_compounds_is_no_word(folder: Path) -> None:
    assert forms(folder, "ONLYINCOMPOUND c\n" + NOUNS, "2\ngatto/O\nelettro/cO\n") == ["gatto", "gatti", "gattos"]


@pytest.mark.parametrize(
    ("kind", "flags", "names"),
    [("", "OM", ("O", "M")), ("FLAG long", "Aabb", ("Aa", "bb")), ("FLAG num", "12,340", ("12", "340"))],
)
def test_flags_of_every_kind_are_told_apart(folder: Path, kind: str, flags: str, names: tuple[str, ...]) -> None:
    affixes = affixes_of(folder, f"SET UTF-8\n{kind}\n")
    assert entries_of(folder, f"1\nparola/{flags}\n", affixes) == [Entry("parola", names)]


def test_a_number_stands_for_a_set_of_flags_where_the_file_lists_such_sets(folder: Path) -> None:
    aff = "FLAG long\nAF 2\nAF AaBb # 1\nAF Cc # 2\nSFX Cc N 1\nSFX Cc o i .\n"
    assert forms(folder, aff, "2\ngatto/2\ncane/1\n") == ["gatto", "gatti", "cane"]


def test_an_undefined_set_of_flags_is_named_in_the_error(folder: Path) -> None:
    with pytest.raises(ValueError, match="flag alias 7"):
        forms(folder, "AF 1\nAF A\n", "1\ngatto/7\n")


def test_the_encoding_is_the_one_that_the_file_names(folder: Path) -> None:
    affixes = affixes_of(folder, "SET ISO8859-1\nSFX A N 1\nSFX A à ò à\n", "latin-1")
    entries = entries_of(folder, "1\ncittà/A\n", affixes, "latin-1")
    assert [form.text for form in expand(affixes, entries)] == ["città", "cittò"]


def test_an_unknown_encoding_is_refused_with_the_remedy(folder: Path) -> None:
    with pytest.raises(ValueError, match="save it as UTF-8"):
        affixes_of(folder, "SET klingon-7\n")


def test_comments_morphology_and_written_slashes_are_no_words(folder: Path) -> None:
    dic = "5\n# note\n/ a comment\ngatto/O\tpo:noun\ncane po:noun is:sing\nkm\\/h\nad hoc\n"
    assert entries_of(folder, dic, Affixes()) == [
        Entry("gatto", ("O",)),
        Entry("cane", ()),
        Entry("ad hoc", ()),
    ]


def test_taking_words_apart_finds_what_spelling_out_would_have_made(folder: Path) -> None:
    affixes = affixes_of(folder, NOUNS + "SFX A N 2\nSFX A re le are\nSFX A are o/O are\n")
    entries = entries_of(folder, "2\nportare/A\ngatto/O\n", affixes)
    asked = ["portale", "porto", "gatti", "gatto", "portai", "lago", ""]
    made = {form.text for form in expand(affixes, entries) if len(form.suffixes) == 1}
    assert made_by_suffix(affixes, entries, asked) == made & set(asked) == {"portale", "porto", "gatti"}
    assert made_by_suffix(affixes, entries, asked, skip={"A"}) == {"gatti"}
