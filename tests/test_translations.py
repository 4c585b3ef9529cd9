"""The catalogues of every language are complete and consistent with the source."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from datetime import date
from pathlib import Path

import polib
import pytest
from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext, ngettext, override
from django.utils.translation.reloader import translation_file_changed

from engine.judging import verdict_text
from engine.judging.verdict import Verdict
from engine.judging.verdict_text import format_tie_reason, reason_sentence, verdict_sentence, warning_sentence
from referee.formats.texts import MONTHS, format_date, format_percent, format_sum
from referee.setup import lock
from referee.setup.translations import are_compiled, catalogues, compile_catalogues
from tests.conftest import missing
from tests.examples import one_in
from tests.page_texts import Texts

ROOT = Path(__file__).resolve().parent.parent
CATALOGUES = sorted(path.relative_to(ROOT).as_posix() for path in catalogues(ROOT))
LANGUAGES = ("ca", "de", "es", "fr", "it", "ro")  # besides English, which stands in the source
# As Unicode's plural rules have them (CLDR), millions left out: nothing here is counted in words that far.
PLURALS = {
    "ca": "nplurals=2; plural=(n != 1);",
    "de": "nplurals=2; plural=(n != 1);",
    "es": "nplurals=2; plural=(n != 1);",
    "fr": "nplurals=2; plural=(n > 1);",
    "it": "nplurals=2; plural=(n != 1);",
    "ro": "nplurals=3; plural=(n==1 ? 0 : (n==0 || (n%100 > 0 && n%100 < 20)) ? 1 : 2);",
}
ONE = {"fr": {0, 1}}
COUNTED = "%(n)s word"
KEYS = ("Esc", "Enter", "Shift+Enter")
QUESTIONS = ("CARTE", "CART??", "CA.T_ *CART*", "=AEIRST?", "@CARTE", "CARTE #5")  # what can be typed in the search box
SOURCES = ("engine", "tournaments", "referee", "templates", "locale")
MARKS = {"_", "N_", "gettext", "gettext_lazy", "gettext_noop", "ngettext", "pgettext", "pgettext_lazy"}
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|%%|\{\w+\}|</?[a-z][^>]*>")
Key = tuple[str, str, str]


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """Compile the catalogues that are out of date, however the tests were started."""
    if not are_compiled(ROOT):
        with lock.hold_lock(ROOT / CATALOGUES[0], lambda: None):  # other processes of the run do the same
            compile_catalogues(ROOT)
        for path in catalogues(ROOT):
            translation_file_changed(None, path.with_suffix(".mo"))


def entries(path: str) -> list[polib.POEntry]:
    return list(polib.pofile(str(ROOT / path)))


def keys(path: Path) -> set[Key]:
    """Return the keys of a catalogue's entries."""
    return {(entry.msgctxt or "", entry.msgid, entry.msgid_plural) for entry in polib.pofile(str(path))}


def known() -> set[str]:
    return {text for path in CATALOGUES for entry in entries(path) for text in (entry.msgid, entry.msgid_plural)}


def test_there_are_texts_for_pages_and_for_scripts() -> None:
    names = ("django", "djangojs")
    wanted = [f"locale/{code}/LC_MESSAGES/{name}.po" for code in LANGUAGES for name in names]
    assert wanted == CATALOGUES
    assert {code for code, _name in settings.LANGUAGES} == {"en", *LANGUAGES}


@pytest.mark.parametrize("path", CATALOGUES)
def test_every_text_is_translated(path: str) -> None:
    assert [entry.msgid for entry in entries(path) if not entry.translated() or entry.fuzzy or entry.obsolete] == []


@pytest.mark.parametrize("path", CATALOGUES)
def test_translations_keep_names_marks_and_the_space_around(path: str) -> None:
    changed = [
        (original, translated)
        for entry in entries(path)
        for original, translated in pairs(entry)
        if set(PLACEHOLDER.findall(original)) != set(PLACEHOLDER.findall(translated))
        or original[:1].isspace() != translated[:1].isspace()
        or original[-1:].isspace() != translated[-1:].isspace()
    ]
    assert changed == []


@pytest.mark.parametrize("path", CATALOGUES)
def test_every_form_of_a_number_is_there(path: str) -> None:
    catalogue, language = polib.pofile(str(ROOT / path)), path.split("/")[1]
    assert catalogue.metadata["Plural-Forms"] == PLURALS[language]
    assert catalogue.metadata["Language"] == language
    counted = [entry for entry in catalogue if entry.msgid_plural]
    forms = set(range(int(PLURALS[language][9])))
    assert [entry.msgid for entry in counted if set(entry.msgstr_plural) != forms] == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("number", one_in(7, [0, 1, 2, 5, 11, 19, 20, 21, 100, 101, 119, 120, 1000]))
def test_numbers_are_said_in_the_form_that_the_language_has_for_them(language: str, number: int) -> None:
    [entry] = [each for each in entries(f"locale/{language}/LC_MESSAGES/django.po") if each.msgid == COUNTED]
    form = 0 if number in ONE.get(language, {1}) else 1
    if language == "ro" and number != 1:
        form = 1 if number == 0 or 0 < number % 100 < 20 else 2
    with translation.override(language):
        assert ngettext(COUNTED, entry.msgid_plural, number) == entry.msgstr_plural[form]


def pairs(entry: polib.POEntry) -> list[tuple[str, str]]:
    """Return the texts of an entry with their translations."""
    if not entry.msgid_plural:
        return [(entry.msgid, entry.msgstr)]
    several = [(entry.msgid_plural, form) for number, form in sorted(entry.msgstr_plural.items()) if number]
    return [(entry.msgid, entry.msgstr_plural[0]), *several]


@pytest.mark.parametrize("language", LANGUAGES)
def test_one_text_is_said_alike_on_pages_and_in_scripts(language: str) -> None:
    pages, scripts = (
        {(each.msgctxt, each.msgid): pairs(each) for each in entries(f"locale/{language}/LC_MESSAGES/{name}.po")}
        for name in ("django", "djangojs")
    )
    assert {key: scripts[key] for key in pages.keys() & scripts.keys() if pages[key] != scripts[key]} == {}


@pytest.mark.endurance
def test_collecting_the_texts_again_finds_nothing_new_and_nothing_gone(tmp_path: Path) -> None:
    if shutil.which("xgettext") is None:
        missing("no xgettext here: install gettext")
    for folder in SOURCES:
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__", "*.mo"))
    environment = os.environ | {"PYTHONPATH": str(tmp_path), "DJANGO_SETTINGS_MODULE": "referee.settings"}
    command = [sys.executable, "-m", "django", "makemessages", "--verbosity", "0"]
    collected = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert (collected.returncode, collected.stderr) == (0, "")
    for path in CATALOGUES:
        before, after = keys(ROOT / path), keys(tmp_path / path)
        assert (path, sorted(after - before), sorted(before - after)) == (path, [], [])


@pytest.mark.endurance
def test_no_marked_text_of_the_program_hides_from_the_collector() -> None:
    """The collector reads no f-strings and no texts composed at run time."""
    texts = known()
    hidden = []
    for package in ("engine", "tournaments", "referee"):
        for path in sorted((ROOT / package).rglob("*.py")):
            called = (node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call))
            hidden += [f"{path.relative_to(ROOT)}: {text}" for call in called for text in marked(call) - texts]
    assert hidden == []


def marked(call: ast.Call) -> set[str]:
    """Return the texts that a call marks; an f-string stands for itself and is in no catalogue."""
    if not isinstance(call.func, ast.Name) or call.func.id not in MARKS:
        return set()
    joined = {ast.unparse(each) for each in call.args if isinstance(each, ast.JoinedStr)}
    given = {each.value for each in call.args if isinstance(each, ast.Constant) and isinstance(each.value, str)}
    return joined | (set() if "pgettext" in call.func.id else given)


def test_no_marked_text_of_the_scripts_hides_from_the_collector() -> None:
    texts = known()
    call = re.compile(r"\b(?:gettext|ngettext|pgettext)\(\s*([\"'`])((?:\\.|(?!\1).)*)\1(?:,\s*([\"'`])(.*?)\3)?", re.S)
    hidden = [
        f"{path.relative_to(ROOT)}: {found[0]}"
        for path in sorted((ROOT / "referee/static").rglob("*.js"))
        for found in call.finditer(path.read_text("utf-8"))
        if found[1] == "`" or not {found[2], found[4]} & texts
    ]
    assert hidden == []


def test_templates_say_nothing_that_is_not_in_the_catalogue() -> None:
    """500.html contains all languages, because nothing may be looked up when it is shown."""
    templates = sorted(path for path in (ROOT / "templates").rglob("*.html") if path.name != "500.html")
    spoken = {path.name: unmarked(path.read_text("utf-8")) for path in templates}
    assert {name: texts for name, texts in spoken.items() if texts} == {}


def test_the_page_of_a_fault_speaks_every_language() -> None:
    page = (ROOT / "templates/500.html").read_text("utf-8")
    assert re.findall(r'<p lang="(\w+)">', page) == [code for code, _name in settings.LANGUAGES]


def unmarked(template: str) -> set[str]:
    """Return the untranslated texts of a template, without names and keys."""
    bare = re.sub(r"{% blocktranslate.*?{% endblocktranslate %}|{%.*?%}|{{.*?}}|{#.*?#}", "", template, flags=re.S)
    bare = re.sub(r"<code\b[^>]*>.*?</code>", "", bare, flags=re.S)  # commands
    texts = {text for text in Texts.of(bare) if re.search(r"[^\W\d_]{3}", text) and not text.startswith("class=")}
    return texts - {"Multiplo", "· Multiplo", "SIGLES", "Linux", "Windows", "macOS", *KEYS, *QUESTIONS}


def marked_sentences() -> set[str]:
    """Return every text that the engine's sentences are composed of."""
    tree = ast.walk(ast.parse(Path(str(verdict_text.__file__)).read_text("utf-8")))
    return {text for node in tree if isinstance(node, ast.Call) for text in marked(node)}


PROVED_BY_THE_SCORE = {"last_letter_missing", "last_letter_changed", "rescued_by_score"}


@pytest.mark.parametrize("reason", sorted(verdict_text._REASONS))
def test_every_reason_of_a_verdict_reads_in_italian(reason: str) -> None:
    verdict = Verdict("zero", reason, 0, 22, word="ORCO", penalty=5, bonus=3, details={"declared": 20})
    with translation.override("it"):
        said, short = verdict_sentence(verdict, gettext), reason_sentence(reason, "ORCO", gettext)
    assert said.startswith(short)
    assert said.endswith("Il bigliettino dice 20. Penalità: 5. Bonus: 3. Il bigliettino vale 0.")
    assert ("La giocata vale 22." in said) == (reason not in PROVED_BY_THE_SCORE)
    assert short != reason_sentence(reason, "ORCO")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("reason", sorted(verdict_text._REASONS))
def test_every_reason_of_a_verdict_reads_in_every_language(language: str, reason: str) -> None:
    verdict = Verdict("zero", reason, 0, 22, word="ORCO", penalty=5, bonus=3, details={"declared": 20})
    english = reason_sentence(reason, "ORCO")
    with translation.override(language):
        said, short = verdict_sentence(verdict, gettext), reason_sentence(reason, "ORCO", gettext)
    assert said.startswith(short)
    assert short != english
    assert "ORCO" in short or "ORCO" not in english


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("warning", sorted(verdict_text._WARNINGS))
def test_every_warning_reads_in_every_language(language: str, warning: str) -> None:
    with translation.override(language):
        assert warning_sentence(warning, gettext) != warning_sentence(warning)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("why", sorted(verdict_text._TIES))
def test_every_reason_for_a_top_reads_in_every_language(language: str, why: str) -> None:
    with translation.override(language):
        assert format_tie_reason(why, 2, 1, gettext) != format_tie_reason(why, 2, 1)


SAME_IN_ALL = {"Bonus: %(bonus)d.", "%(rule)s: %(said)s"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sentence_of_the_engine_stays_english(language: str) -> None:
    with translation.override(language):
        assert {text for text in marked_sentences() if gettext(text) == text} - SAME_IN_ALL == set()


@pytest.mark.parametrize(
    ("language", "march", "percent"),
    [
        ("en", "3 March 2026", "98.3%"),
        ("it", "3 marzo 2026", "98,3%"),
        ("fr", "3 mars 2026", "98,3 %"),
        ("es", "3 de marzo de 2026", "98,3 %"),
        ("ca", "3 de març de 2026", "98,3 %"),
        ("de", "3. März 2026", "98,3 %"),
        ("ro", "3 martie 2026", "98,3%"),
    ],
)
def test_dates_and_percentages_are_written_as_in_the_language(language: str, march: str, percent: str) -> None:
    with override(language):
        assert format_date(date(2026, 3, 3)) == march
        assert format_percent(98.25).replace("\xa0", " ") == percent
        assert all(month == month.lower() or language in ("de", "en") for month in map(str, MONTHS))


def test_sums_have_a_separator_from_five_digits_on() -> None:
    with override("it"):
        assert [format_sum(number) for number in (9_999, 10_000, -12_345)] == ["9999", "10.000", "−12.345"]
