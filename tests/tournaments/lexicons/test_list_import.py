"""Import of word lists: accepted words, refused lines with reasons, and the stored origin."""

from __future__ import annotations

import json
import zipfile
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import Settings

from engine.archive.schema import word_list_sha256
from engine.tiles.edition import LETTER_MASK, UnknownLetter, load_edition
from tests.examples import examples
from tournaments.errors import Refused
from tournaments.lexicons import list_import, word_lists
from tournaments.lexicons.list_import import ImportResult, ListDescription

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def folder(settings: Settings, tmp_path: Path) -> Path:
    """An installation without lists."""
    settings.DATA_DIR = tmp_path / "data"
    return tmp_path / "data" / "lexicons"


def take(source: Path, edition: str = "it", **more: object) -> ImportResult:
    return list_import.import_list(source, edition=edition, name="own", **more)  # type: ignore[arg-type]


def take_text(tmp_path: Path, text: str, edition: str = "it", encoding: str = "utf-8") -> ImportResult:
    source = tmp_path / "source.txt"
    source.write_bytes(text.encode(encoding))
    return take(source, edition)


def words_of(imported: ImportResult) -> list[str]:
    return word_lists.text_of(imported.entry).decode().splitlines()


def refused(imported: ImportResult) -> dict[str, tuple[int, list[str]]]:
    return {group.why: (group.count, group.examples) for group in imported.refused}


def test_words_are_folded_and_refused_lines_are_counted_by_reason(tmp_path: Path, folder: Path) -> None:
    imported = take_text(tmp_path, "Città\nCITTA\nperch'è\nà\nro-spo\nx'y\n" + "A" * 16 + "\nTAXI\n\n  rana \na b\n")
    assert words_of(imported) == ["CITTA", "RANA", "TAXI"]
    assert refused(imported) == {
        "no tile shows '": (2, ["perch'è", "x'y"]),
        "shorter than 2 letters": (1, ["à"]),
        "no tile shows -": (1, ["ro-spo"]),
        "longer than 15 letters": (1, ["A" * 16]),
        "no tile shows “ ”": (1, ["a b"]),
    }
    assert imported.refused_count == 6
    assert imported.report == folder / "own.refused.txt"
    assert imported.report.read_text(encoding="utf-8").splitlines()[0] == "perch'è\tno tile shows '"
    assert len(imported.report.read_text(encoding="utf-8").splitlines()) == 6


def test_a_list_without_fault_takes_the_report_of_an_older_one_away(tmp_path: Path, folder: Path) -> None:
    take_text(tmp_path, "rana\nx1\n")
    imported = take_text(tmp_path, "rana\n")
    assert (imported.report, imported.refused) == (None, [])
    names = ["own.npy", "own.txt", "own.txt.json"]
    assert sorted(path.name for path in folder.iterdir()) == names


def test_checksum_and_count_are_those_of_the_archive(tmp_path: Path, folder: Path) -> None:
    imported = take_text(tmp_path, "calle\nllano\nñu\nzorro\ncalma\nchico\nCALLE\n", "es")
    assert (imported.entry.words, imported.entry.sha256) == word_list_sha256(words_of(imported))
    facts = json.loads((folder / "own.txt.json").read_text())
    assert (facts["words"], facts["sha256"]) == (6, imported.entry.sha256)
    assert len(word_lists.graph_of(imported.entry)) == 6


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1", "utf-16", "utf-32", "cp1252"])
def test_a_list_is_read_in_any_usual_encoding(tmp_path: Path, encoding: str) -> None:
    assert words_of(take_text(tmp_path, "città\r\nperò\rrana\n", encoding=encoding)) == ["CITTA", "PERO", "RANA"]


def test_ligatures_of_windows_1252_are_read(tmp_path: Path) -> None:
    assert words_of(take_text(tmp_path, "cœur\nété\n", "fr", "cp1252")) == ["COEUR", "ETE"]


def test_another_encoding_can_be_named(tmp_path: Path) -> None:
    (tmp_path / "ro.txt").write_bytes("fâșie\nțară\n".replace("ș", "ş").replace("ț", "ţ").encode("iso8859-2"))
    assert words_of(take(tmp_path / "ro.txt", "ro", encoding="iso8859-2")) == ["FASIE", "TARA"]
    with pytest.raises(Refused, match="There is no encoding klingon"):
        take(tmp_path / "ro.txt", "ro", encoding="klingon")
    with pytest.raises(Refused, match="not text in the encoding ascii"):
        take(tmp_path / "ro.txt", "ro", encoding="ascii")


def test_of_a_table_the_first_column_is_read_and_comments_are_left_out(tmp_path: Path) -> None:
    imported = take_text(tmp_path, "# a list\nrana\t12\trane\nrospo\n#x\n")
    assert (words_of(imported), imported.tables, imported.comments) == (["RANA", "ROSPO"], 1, 2)
    (tmp_path / "list.csv").write_text('"rana";12\nrospo,3\n')
    imported = take(tmp_path / "list.csv")
    assert (words_of(imported), imported.tables) == (["RANA", "ROSPO"], 2)


def test_words_parted_by_commas_are_no_table_unless_the_file_says_so(tmp_path: Path) -> None:
    assert refused(take_text(tmp_path, "rana\ncane, gatto\n")) == {"no tile shows ,": (1, ["cane, gatto"])}


def test_what_the_organiser_says_of_the_list_is_stored_with_it(tmp_path: Path) -> None:
    (tmp_path / "ods.txt").write_text("rana\n")
    said = ListDescription("ODS 9", "bought by the club", official=True)
    origin = take(tmp_path / "ods.txt", said=said).entry.origin
    assert (origin.status, origin.remark) == ("official", "imported from ods.txt")
    assert [(each.taken, each.licence) for each in origin.sources] == [("ODS 9", "bought by the club")]
    assert take(tmp_path / "ods.txt").entry.origin.status == "not official"


def zipped(path: Path, **texts: str) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in texts.items():
            archive.writestr(name.replace("__", "."), text)
    return path


_AFF, _DIC = "SET UTF-8\nSFX A Y 1\nSFX A o i o\n", "2\nrospo/A\nrana\n"


def test_a_zip_with_one_text_or_one_hunspell_pair_is_read(tmp_path: Path) -> None:
    one = zipped(tmp_path / "one.zip", words__txt="rana\nrospo\n", readme__md="hello")
    assert words_of(take(one)) == ["RANA", "ROSPO"]
    pair = zipped(tmp_path / "pair.zip", it__aff=_AFF, it__dic=_DIC, readme__txt="hello")
    assert words_of(take(pair)) == ["RANA", "ROSPI", "ROSPO"]


@pytest.mark.parametrize("given", ["it.dic", "it.aff"])
def test_a_hunspell_pair_is_read_whichever_half_is_given(tmp_path: Path, given: str) -> None:
    (tmp_path / "it.aff").write_text(_AFF)
    (tmp_path / "it.dic").write_text(_DIC)
    assert words_of(take(tmp_path / given)) == ["RANA", "ROSPI", "ROSPO"]


@pytest.mark.parametrize("name", ["", "Own", "../it", "a b", "x" * 50])
def test_a_name_that_is_no_file_name_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(Refused, match="small letters"):
        list_import.import_list(tmp_path / "any.txt", edition="it", name=name)


def test_a_file_without_words_is_refused_and_changes_nothing(tmp_path: Path, folder: Path) -> None:
    take_text(tmp_path, "rana\n")
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    with pytest.raises(Refused, match="no word that this edition can lay"):
        take_text(tmp_path, "123\n")
    with pytest.raises(Refused, match=r"nothing\.txt cannot be read: No such file"):
        take(tmp_path / "nothing.txt")
    with pytest.raises(Refused, match="cannot be read"):
        take(tmp_path)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_half_a_hunspell_pair_is_refused(tmp_path: Path) -> None:
    (tmp_path / "it.aff").write_text(_AFF)
    with pytest.raises(Refused, match=r"put its \.dic file beside it"):
        take(tmp_path / "it.aff")
    (tmp_path / "ro.dic").write_text(_DIC)
    with pytest.raises(Refused, match=r"put its \.aff file beside it"):
        take(tmp_path / "ro.dic")


@pytest.mark.parametrize("aff", ["SET klingon\n", "SET hex\n", "SET idna\n", "AF 1\nAF A\nSFX A Y 1\nSFX A 0 s/7 .\n"])
def test_a_bad_affix_file_is_refused_with_a_sentence(tmp_path: Path, aff: str) -> None:
    (tmp_path / "it.aff").write_text(aff)
    (tmp_path / "it.dic").write_text("1\nrana/9\n")
    with pytest.raises(Refused, match="hunspell dictionary cannot be read"):
        take(tmp_path / "it.dic")


def test_zips_that_cannot_be_unpacked_are_refused(tmp_path: Path) -> None:
    two = zipped(tmp_path / "two.zip", one__txt="rana", two__txt="rospo")
    with pytest.raises(Refused, match="exactly one text file"):
        take(two)
    damaged = zipped(tmp_path / "damaged.zip", words__txt="rana\n" * 50)
    raw = bytearray(damaged.read_bytes())
    raw[45:50] = b"\xff" * 5
    damaged.write_bytes(raw)
    with pytest.raises(Refused, match="cannot be unpacked"):
        take(damaged)
    locked = zipped(tmp_path / "locked.zip", words__txt="rana\n")
    raw = bytearray(locked.read_bytes())
    raw[6] |= 1
    raw[raw.index(b"PK\x01\x02") + 8] |= 1
    locked.write_bytes(raw)
    with pytest.raises(Refused, match="password"):
        take(locked)


def test_a_zip_that_swells_is_refused_before_it_fills_the_memory(tmp_path: Path) -> None:
    bomb = tmp_path / "bomb.zip"
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("words.txt", "w") as text:
        for _ in range(70):
            text.write(b"a" * 1_000_000)
    assert bomb.stat().st_size < 1_000_000
    with pytest.raises(Refused, match="larger than 64 MB"):
        take(bomb)


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path, folder: Path) -> None:
    folder.parent.mkdir(parents=True)
    folder.write_text("a file where the folder should be")
    with pytest.raises(Refused, match="cannot be stored in"):
        take_text(tmp_path, "rana\n")


_anything = examples(120)
_BYTES = st.one_of(
    st.binary(max_size=60),
    st.lists(st.sampled_from([b"rana\n", b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf", b"\0", b"PK\x03\x04", b"\r"])).map(
        b"".join
    ),
)


def is_a_list_or_refused(source: Path) -> bool:
    """Return whether the file became a list with words, each readable and each once, or was refused with a sentence."""
    try:
        imported = take(source)
    except Refused as error:
        return bool(error.sentence)
    words = words_of(imported)
    readable = all(len(load_edition("it").parse_word(word)) > 1 for word in words)
    return readable and words == sorted(set(words)) and imported.entry.words == len(words) > 0


@pytest.mark.endurance
@_anything
@given(raw=_BYTES, ending=st.sampled_from(["txt", "csv", "zip", "dic"]))
def test_any_bytes_are_a_list_or_refused_with_a_sentence(tmp_path: Path, raw: bytes, ending: str) -> None:
    source = tmp_path / f"any.{ending}"
    source.write_bytes(raw)
    assert is_a_list_or_refused(source)


@_anything
@given(at=st.integers(0, 400), new=st.binary(min_size=1, max_size=8))
def test_any_damaged_zip_is_a_list_or_refused(tmp_path: Path, at: int, new: bytes) -> None:
    source = zipped(tmp_path / "any.zip", it__aff=_AFF, it__dic=_DIC)
    raw = source.read_bytes()
    at %= len(raw)
    source.write_bytes(raw[:at] + new + raw[at + len(new) :])
    assert is_a_list_or_refused(source)


_RULES = ["SET UTF-8", "FLAG num", "FLAG long", "SFX A Y 2", "SFX A o i/B [^a]o", "SFX A 0 s .", "PFX B N 1"]
_RULES += ["PFX B 0 re [", "AF 1", "AF A", "NEEDAFFIX B", "SFX", "SFX A"]


@_anything
@given(
    aff=st.lists(st.sampled_from(_RULES)),
    dic=st.lists(st.sampled_from(["rospo/A", "rana", "rana/1", "/", "a\\/b", "città/AB", "²/²", "2"])),
)
def test_any_hunspell_pair_is_a_list_or_refused(tmp_path: Path, aff: list[str], dic: list[str]) -> None:
    (tmp_path / "any.aff").write_text("\n".join(aff), encoding="utf-8")
    (tmp_path / "any.dic").write_text("\n".join(["5", *dic]), encoding="utf-8")
    assert is_a_list_or_refused(tmp_path / "any.dic")


_SIGNS = "aeiorstnlchqyLNRÇñçàü·-'1 #\t"


@pytest.mark.parametrize("code", ["it", "ca", "es", "de", "ro"])
@_anything
@given(lines=st.lists(st.text(_SIGNS, max_size=17), max_size=12))
def test_words_and_refused_lines_are_those_that_the_edition_says(tmp_path: Path, code: str, lines: list[str]) -> None:
    """Against `Edition.parse_word`, line by line. Of a table, which has a tab somewhere, the first cells count."""
    edition, words, wrong = load_edition(code), set(), Counter[str]()
    is_table = any("\t" in line for line in lines)
    cells = [line.partition("\t")[0].strip() for line in lines] if is_table else lines
    for line in [cell for cell in cells if not cell.startswith("#")]:
        try:
            word = tuple(number & LETTER_MASK for number in edition.parse_word(line))
        except UnknownLetter:
            wrong["sign"] += 1
            continue
        if 2 <= len(word) <= 15:
            words.add(edition.word_text(word))
        elif word:
            wrong["length"] += 1
    try:
        imported = take_text(tmp_path, "\n".join(lines), code)
    except Refused:
        assert not words
        return
    assert words_of(imported) == sorted(words)
    assert sum(group.count for group in imported.refused if group.why.startswith("no tile")) == wrong["sign"]
    assert imported.refused_count == wrong.total()
