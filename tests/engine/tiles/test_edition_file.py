"""Edition files: errors name file, line, entry and reason; editions of an organiser."""

from __future__ import annotations

import os
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.board.coordinates import Notation
from engine.board.premiums import Premium, standard_layout
from engine.commands.edition_option import add_edition_option
from engine.tiles.edition import (
    EDITIONS,
    Edition,
    EditionError,
    add_edition_folder,
    edition_codes,
    find_edition_errors,
    is_bundled,
    load_edition,
    open_edition,
    read_edition,
)

SMALL = """\
name = "Small"
language = "xx"
across = "8H"
source = "test"
verified = false

[tiles]
"?" = { count = 2, value = 0, class = "blank" }
A = { count = 3, value = 1, class = "vowel" }
B = { count = 2, value = 3, class = "consonant" }
"""


def small(old: str = "", new: str = "") -> Edition:
    assert old in SMALL
    return read_edition("xx", SMALL.replace(old, new, 1) if old else SMALL)


def complaint(text: str) -> EditionError:
    with pytest.raises(EditionError) as refused:
        read_edition("xx", text)
    return refused.value


def test_an_edition_is_read_from_its_file() -> None:
    edition = small()
    assert (edition.code, edition.name, edition.language, edition.source) == ("xx", "Small", "xx", "test")
    assert (edition.letters, edition.total, edition.values[:2]) == (("A", "B"), 7, (1, 3))
    assert (edition.across, edition.verified, edition.blank_only) == (Notation.NUMBER_FIRST, False, ())
    assert edition.toml == SMALL


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        ("count = 3", "count = 0", "line 9: tile A: count must be a whole number from 1 to 200, not 0"),
        ("count = 3", "count = -2", "line 9: tile A: count must be a whole number from 1 to 200, not -2"),
        ("count = 3", 'count = "3"', "line 9: tile A: count must be a whole number from 1 to 200, not '3'"),
        ("count = 3", "count = 3.0", "line 9: tile A: count must be a whole number from 1 to 200, not 3.0"),
        ("count = 3", "count = true", "line 9: tile A: count must be a whole number from 1 to 200, not True"),
        ("count = 3", "count = []", "line 9: tile A: count must be a whole number from 1 to 200, not a list"),
        (
            "count = 3",
            "count = 0x" + "f" * 5000,
            "line 9: tile A: count must be a whole number from 1 to 200, not a number with so many digits",
        ),
        ("count = 3, ", "", "line 9: tile A: count is missing"),
        ("count = 3", "counts = 3", "line 9: tile A: there is no 'counts'; there are count, value, class"),
        ("value = 3", "value = -1", "line 10: tile B: value must be a whole number from 0 to 99, not -1"),
        ("value = 3", "value = 100", "line 10: tile B: value must be a whole number from 0 to 99, not 100"),
        (
            '"vowel"',
            '"vocal"',
            "line 9: tile A: class must be one of vowel, consonant, either, blank, not 'vocal'",
        ),
        ('"vowel"', '"blank"', 'line 9: tile A: the blank is "?", of the class blank, and its value 0'),
        ("value = 0", "value = 1", 'line 8: tile ?: the blank is "?", of the class blank, and its value 0'),
        ('"blank"', '"either"', 'line 8: tile ?: the blank is "?", of the class blank, and its value 0'),
        ('"?" = ', 'C = { count = 1, value = 1, class = "vowel" }\n"?" = ', None),
        ('{ count = 3, value = 1, class = "vowel" }', "3", None),
        ("A =", "a =", "line 9: tile a: a face is written in capitals that have small letters"),
        ("A =", '"A[" =', "line 9: tile A[: a face holds letters only, and · or ' between them"),
        ("A =", "A1 =", "line 9: tile A1: a face holds letters only, and · or ' between them"),
        ("A =", '"·A" =', "line 9: tile ·A: a face holds letters only, and · or ' between them"),
        ("A =", '"" =', "line 7: tile : a face has 1 to 3 signs"),
        ("A =", "ABCD =", "line 9: tile ABCD: a face has 1 to 3 signs"),
        ("A =", '"ß" =', "line 9: tile ß: a face is written in capitals that have small letters"),
        ("A =", '"ẞ" =', "line 9: tile ẞ: a face is written in capitals that have small letters"),
        ("A =", '"İ" =', "line 9: tile İ: a face is written in capitals that have small letters"),
        ("A =", "Ç =", 'line 9: write "Ç" in quotes, since it is not plain ASCII'),
        ("A =", "B =", "line 10: tile B is there twice, first in line 9; remove one of them"),
        ("[tiles]", "[tiles]\n[tiles]", "line 8: tiles is there twice, first in line 7; remove one of them"),
        ("verified", 'name = "x"\nverified', "line 5: name is there twice, first in line 1; remove one of them"),
        ("A =", '"É" =', "line 9: tile É: it is read as E without its accent; put it into keeps"),
        (
            "A =",
            'E = { count = 3, value = 1, class = "vowel" }\n"É" =',
            "line 10: tile É: it is the same as E without its accent; put it into keeps",
        ),
        ("\n\n[", '\nblank_only = ["A"]\n[', "line 6: tile A is there twice; remove one of them"),
        ("\n\n[", '\nblank_only = ["C", "C"]\n[', "line 6: blank_only has C twice"),
        ("\n\n[", '\nblank_only = "CD"\n[', 'line 6: blank_only must be a list of letters such as ["Ä", "Ö"]'),
        ("\n\n[", "\nblank_only = [1]\n[", 'line 6: blank_only must be a list of letters such as ["Ä", "Ö"]'),
        ("\n\n[", '\nkeeps = ["é"]\n[', "line 6: keeps holds single capital letters, not 'é'"),
        ("\n\n[", '\nmay_be_split = ["AB"]\n[', "line 6: may_be_split: AB is no tile of several letters"),
        ("\n\n[", '\naliases = ["AB"]\n[', "line 6: aliases must be a table, [aliases]"),
        ("\n\n[", '\naliases = { C = "AD" }\n[', "line 6: alias C: 'AD' is not made of letters of the edition"),
        ("\n\n[", "\n[aliases]\nC = 1\n[", "line 7: alias C: 1 is not made of letters of the edition"),
        ("\n\n[", '\n[aliases]\nA = "B"\n[', "line 7: alias A: it must hold a letter, and not be a tile itself"),
        ("\n\n[", '\n[aliases]\n"." = "B"\n[', "line 7: alias .: it must hold a letter, and not be a tile itself"),
        ("\n\n[", '\n[aliases]\nc = "A"\n[', "line 7: alias c: write it in capitals, 6 signs at most"),
        ("\n\n[", '\npremiums = ["."]\n[', "line 6: premiums must be 15 rows of 15 characters out of . 2 3 d t"),
        ("\n\n[", "\npremiums = [1]\n[", "line 6: premiums must be a list of 15 rows of text"),
        ('across = "8H"', 'across = "X"', 'line 3: across must be "8H" or "H8", not \'X\''),
        ('across = "8H"', "across = []", 'line 3: across must be "8H" or "H8", not a list'),
        ("verified = false", 'verified = "no"', "line 5: verified must be true or false, not 'no'"),
        ('source = "test"\n', "", "line 1: the entry source is missing"),
        ('source = "test"', "source = 1", "line 4: source must be one line of text in quotes"),
        ('source = "test"', 'source = " "', "line 4: source must be one line of text in quotes"),
        ('source = "test"', 'source = "a\\nb"', "line 4: source must be one line of text in quotes"),
        (
            "source",
            "sourse",
            "line 4: there is no entry 'sourse'; there are name, language, across, source, verified, tiles, "
            "blank_only, keeps, aliases, may_be_split, premiums",
        ),
        ("[tiles]", "tiles = 3\n[aliases]", None),
    ],
)
def test_a_mistake_is_told_with_file_line_entry_and_reason(old: str, new: str, text: str | None) -> None:
    error = complaint(SMALL.replace(old, new, 1))
    if text is not None:
        assert str(error) == f"xx.toml, {text}"
    assert (error.file, error.line is not None) == ("xx.toml", True)


def test_what_is_no_toml_is_told_with_its_line() -> None:
    unreadable = "this cannot be read as TOML: "
    assert str(complaint(SMALL.replace("[tiles]", "[tiles"))).startswith(f"xx.toml, line 7: {unreadable}")
    assert str(complaint(SMALL + "C = { count = 1,\n")).startswith(f"xx.toml, line 11: {unreadable}")
    assert complaint("").line == 1
    assert complaint("x = " + "9" * 5000).line == 1
    assert complaint("x = " + "[" * 20_000).line == 1


def test_the_first_tile_must_be_the_blank() -> None:
    blank = '"?" = { count = 2, value = 0, class = "blank" }\n'
    expected = 'xx.toml, line 7: the first tile must be the blank, "?", of the class blank'
    assert str(complaint(SMALL.replace(blank, "") + blank)) == expected
    assert str(complaint(SMALL.replace(blank, ""))) == expected


def letters(number: int) -> list[str]:
    return [chr(ord("A") + n) for n in range(26)][:number] + ["AA", "BB", "CC", "DD", "EE"][: max(0, number - 26)]


def set_of(faces: list[str], head: str = "") -> str:
    lines = "".join(f'{face} = {{ count = 1, value = 1, class = "consonant" }}\n' for face in faces)
    return SMALL[: SMALL.index("\n[tiles]")] + head + "\n" + SMALL[SMALL.index("[tiles]") : SMALL.index("A = ")] + lines


def test_more_kinds_than_the_engine_holds_are_refused() -> None:
    """29 letters and the blank are 30 kinds, as in German."""
    assert len(read_edition("xx", set_of(letters(29))).kinds) == 30
    assert str(complaint(set_of(letters(30)))) == (
        "xx.toml, line 7: 31 kinds of tiles and 0 letters by blank only are too many; the engine holds 30"
    )
    many = set_of(letters(28), 'blank_only = ["CC", "DD", "EE"]\n')
    assert complaint(many).explain(str).startswith("29 kinds of tiles and 3 letters by blank only are too many")


def test_a_set_may_hold_all_that_the_format_knows() -> None:
    """A tile of three signs, letters by blank only, kept accents, aliases in every case, tiles that may be split, an
    own board."""
    text = set_of(["A", "L", '"L·L"', "LL", '"É"'], 'blank_only = ["K"]\nkeeps = ["É"]\nmay_be_split = ["LL"]\n')
    rows = [row.replace("t", "d") for row in standard_layout()]
    text = text.replace("\n[tiles]", f'premiums = {rows}\n[aliases]\n"L-L" = "L·L"\n\n[tiles]')
    edition = read_edition("xx", text)
    assert edition.letters == ("A", "L", "L·L", "LL", "É", "K")
    assert edition.premiums[0] == Premium(1, 2)
    read = [edition.word_text(edition.parse_word(text)) for text in ("AL-LA", "al-la", "Al-La", "k", "É")]
    assert read == ["A[L·L]A", "a[l·l]a", "A[L·L]a", "k", "É"]
    assert [edition.word_text(one) for one in edition.allowed_readings("ALLA")] == ["A[LL]A", "A[L]LA"]


def test_windows_line_ends_and_a_byte_order_mark_do_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "xx.toml"
    path.write_bytes(b"\xef\xbb\xbf" + SMALL.replace("\n", "\r\n").encode())
    assert open_edition(str(path)).letters == ("A", "B")


lines = st.sampled_from(
    [
        *SMALL.splitlines(),
        "[aliases]",
        'keeps = ["É"]',
        'may_be_split = ["CH"]',
        'blank_only = ["K"]',
        'CH = { count = 1, value = 5, class = "consonant" }',
        '"É" = { count = 1, value = 5, class = "either" }',
        '"L-L" = "AB"',
        "[tiles.C]",
        "count = 2",
        "value = 1",
        'class = "vowel"',
        "tiles.D = 1",
    ]
)


def is_an_edition_or_one_clear_error(text: str) -> None:
    found: Edition | EditionError
    try:
        found = read_edition("xx", text)
    except EditionError as error:
        found = error
    if isinstance(found, EditionError):
        assert 1 <= (found.line or 0) <= text.count("\n") + 1
        assert str(found).startswith(f"xx.toml, line {found.line}: ")
        return
    assert found.kinds[0].face == "?"
    assert 0 < len(found.kinds) <= 30
    for letter in range(len(found.letters)):
        assert found.parse_word(found.word_text((letter,))) == (letter,)


@given(st.text() | st.lists(lines, max_size=20).map("\n".join))
def test_any_text_is_an_edition_or_one_clear_error(text: str) -> None:
    is_an_edition_or_one_clear_error(text)


def toml(value: Any) -> str:
    """A value as TOML; text escaped as JSON does, which TOML reads too."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return '"' + "".join(f"\\u{ord(sign):04x}" if ord(sign) < 0x10000 else "x" for sign in value) + '"'
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{toml(key)} = {toml(item)}" for key, item in value.items()) + "}"
    return str(value)


texts = st.text(st.characters(codec="utf-8"), max_size=4) | st.sampled_from(["A", "B", "CH", "L·L", "É", "ß", "?", "J"])
anything = st.recursive(
    st.booleans() | st.integers(-3, 300) | st.floats(allow_nan=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)
kinds = st.fixed_dictionaries(
    {"count": st.integers(0, 5), "value": st.integers(-1, 9), "class": st.sampled_from(["vowel", "either", "x"])}
)
tables = st.fixed_dictionaries(
    {
        "name": texts,
        "language": texts,
        "source": texts,
        "verified": st.booleans(),
        "across": st.sampled_from(["8H", "H8"]),
    },
    optional={
        "keeps": st.lists(texts, max_size=3) | anything,
        "blank_only": st.lists(texts, max_size=3) | anything,
        "may_be_split": st.lists(texts, max_size=3) | anything,
        "aliases": st.dictionaries(texts, texts, max_size=3) | anything,
        "premiums": anything,
        "tiles": st.dictionaries(texts, kinds, max_size=6).map(
            lambda found: {"?": {"count": 1, "value": 0, "class": "blank"}, **found}
        )
        | anything,
        "other": anything,
    },
)


@given(tables)
def test_any_table_is_an_edition_or_one_clear_error(table: dict[str, Any]) -> None:
    is_an_edition_or_one_clear_error("\n".join(f"{key} = {toml(value)}" for key, value in table.items()))


# ---------------------------------------------------------------------------------------------------------------
# Editions of an organiser's own.

_chosen: list[Path] = []
add_edition_folder(lambda: _chosen[-1] if _chosen else Path("/nonexistent/editions"))


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    _chosen.append(tmp_path)
    yield tmp_path
    _chosen.pop()


def test_a_file_in_a_folder_of_ones_own_is_an_edition(folder: Path) -> None:
    (folder / "club.toml").write_text(SMALL, encoding="utf-8")
    assert "club" in edition_codes()
    assert load_edition("club").letters == ("A", "B")
    assert not is_bundled(load_edition("club"))


def test_an_own_file_takes_the_place_of_the_programs(folder: Path) -> None:
    template = (EDITIONS / "de-2024.toml").read_text(encoding="utf-8")
    assert load_edition("de-2024").total == 105
    (folder / "de-2024.toml").write_text(template.replace("E = { count = 15", "E = { count = 12"), encoding="utf-8")
    assert load_edition("de-2024").total == 102
    assert not is_bundled(load_edition("de-2024"))
    (folder / "de-2024.toml").unlink()
    assert load_edition("de-2024").total == 105


def test_a_changed_file_is_read_again_and_the_old_edition_stays_what_it_was(folder: Path) -> None:
    path = folder / "club.toml"
    path.write_text(SMALL, encoding="utf-8")
    before = load_edition("club")
    assert load_edition("club") is before
    path.write_text(SMALL.replace("count = 3", "count = 4"), encoding="utf-8")
    os.utime(path, ns=(1, 1))
    assert (before.total, load_edition("club").total) == (7, 8)


def test_a_bad_file_is_left_out_and_told_of(folder: Path) -> None:
    (folder / "club.toml").write_text(SMALL.replace("count = 3", "count = 0"), encoding="utf-8")
    (folder / "it.toml").write_text("", encoding="utf-8")
    (folder / "My Club.toml").write_text(SMALL, encoding="utf-8")
    (folder / "latin.toml").write_bytes(SMALL.replace("Small", "Città").encode("latin-1"))
    assert not {"club", "it", "My Club", "latin"} & set(edition_codes())
    assert "ca" in edition_codes()
    assert {code: str(error) for code, error in find_edition_errors().items()} == {
        "My Club": "My Club.toml: the file of an edition is named for its code: "
        "small letters, digits and hyphens, 20 at most",
        "club": "club.toml, line 9: tile A: count must be a whole number from 1 to 200, not 0",
        "it": "it.toml, line 1: the entry name is missing",
        "latin": "latin.toml: this is not text in UTF-8; save it in UTF-8",
    }
    with pytest.raises(EditionError, match=r"^club\.toml, line 9: tile A: "):
        load_edition("club")
    with pytest.raises(EditionError, match=r"^it\.toml, line 1: "):
        load_edition("it")


@pytest.mark.parametrize("code", ["xx", "", "../it", "it.toml/", "IT", "it\0", "a" * 500, "/etc/passwd", "..\\it"])
def test_an_edition_that_does_not_exist_is_refused_with_those_that_do(code: str) -> None:
    with pytest.raises(EditionError) as refused:
        load_edition(code)
    assert str(refused.value) == f"there is no edition {code!r}; there are {', '.join(edition_codes())}"


def test_a_command_takes_a_code_or_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    parser = ArgumentParser(prog="solve")
    add_edition_option(parser)
    path = tmp_path / "club.toml"
    path.write_text(SMALL, encoding="utf-8")
    assert parser.parse_args(["--edition", str(path)]).edition.letters == ("A", "B")
    assert parser.parse_args(["--edition", "it"]).edition is load_edition("it")
    path.write_text(SMALL.replace("count = 3", "count = 0"), encoding="utf-8")
    for wrong, sentence in (
        (str(path), "club.toml, line 9: tile A: count must be a whole number from 1 to 200, not 0"),
        ("tlh", "there is no edition 'tlh'; there are ca, de, de-2024, en, es, fr, it, nl, pt, ro, ro-2"),
        (str(tmp_path / "no.toml"), f"{tmp_path / 'no.toml'} cannot be read: No such file or directory"),
    ):
        with pytest.raises(SystemExit) as ended:
            parser.parse_args(["--edition", wrong])
        assert ended.value.code == 2
        assert capsys.readouterr().err.endswith(f"argument --edition: {sentence}\n")
