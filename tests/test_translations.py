"""The catalogues are complete, and whoever asks for Italian reads nothing else."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import polib
import pytest
from django.test import Client
from django.utils import translation
from django.utils.translation import gettext
from django.utils.translation.reloader import translation_file_changed

from engine.rules import sentences
from engine.rules.sentences import reason_sentence, sentence, tie_text, warning_sentence
from engine.rules.verdict import Verdict
from referee.setup.translations import catalogues, compile_catalogue, is_fresh
from tests.conftest import missing
from tournaments.services.access import first_judge

ROOT = Path(__file__).resolve().parent.parent
CATALOGUES = sorted(path.relative_to(ROOT).as_posix() for path in catalogues(ROOT))
SOURCES = ("engine", "tournaments", "referee", "templates", "locale")
MARKS = {"_", "N_", "gettext", "gettext_lazy", "gettext_noop", "ngettext", "pgettext", "pgettext_lazy"}
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|%%|\{\w+\}|</?[a-z][^>]*>")
Key = tuple[str, str, str]


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """What gettext reads, in step with the catalogues, however the tests were started."""
    stale = [path for path in catalogues(ROOT) if not is_fresh(path)]
    for path in stale:
        compile_catalogue(path)
        translation_file_changed(None, path.with_suffix(".mo"))


def entries(path: str) -> list[polib.POEntry]:
    return list(polib.pofile(str(ROOT / path)))


def keys(path: Path) -> set[Key]:
    """What the entries of a catalogue are called."""
    return {(entry.msgctxt or "", entry.msgid, entry.msgid_plural) for entry in polib.pofile(str(path))}


def known() -> set[str]:
    return {text for path in CATALOGUES for entry in entries(path) for text in (entry.msgid, entry.msgid_plural)}


def test_there_are_texts_for_pages_and_for_scripts() -> None:
    assert CATALOGUES == ["locale/it/LC_MESSAGES/django.po", "locale/it/LC_MESSAGES/djangojs.po"]


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
def test_italian_has_two_forms_for_numbers(path: str) -> None:
    catalogue = polib.pofile(str(ROOT / path))
    assert catalogue.metadata["Plural-Forms"] == "nplurals=2; plural=(n != 1);"
    assert catalogue.metadata["Language"] == "it"
    counted = [entry for entry in catalogue if entry.msgid_plural]
    assert [entry.msgid for entry in counted if set(entry.msgstr_plural) != {0, 1}] == []


def pairs(entry: polib.POEntry) -> list[tuple[str, str]]:
    """An entry's texts with their translations."""
    if not entry.msgid_plural:
        return [(entry.msgid, entry.msgstr)]
    return [(entry.msgid, entry.msgstr_plural[0]), (entry.msgid_plural, entry.msgstr_plural[1])]


def test_one_text_is_said_alike_on_pages_and_in_scripts() -> None:
    pages, scripts = (
        {(entry.msgctxt, entry.msgid): pairs(entry) for entry in polib.pofile(str(ROOT / path))} for path in CATALOGUES
    )
    assert {key: scripts[key] for key in pages.keys() & scripts.keys() if pages[key] != scripts[key]} == {}


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


def test_no_marked_text_of_the_program_hides_from_the_collector() -> None:
    """It looks into no f-string, and cannot read what is put together while the program runs."""
    texts = known()
    hidden = []
    for package in ("engine", "tournaments", "referee"):
        for path in sorted((ROOT / package).rglob("*.py")):
            called = (node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call))
            hidden += [f"{path.relative_to(ROOT)}: {text}" for call in called for text in marked(call) - texts]
    assert hidden == []


def marked(call: ast.Call) -> set[str]:
    """The texts that a call marks; an f-string stands for itself and is in no catalogue."""
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
    """500.html has both languages in it, because nothing may be looked up any more when it is shown."""
    templates = sorted(path for path in (ROOT / "templates").rglob("*.html") if path.name != "500.html")
    spoken = {path.name: unmarked(path.read_text("utf-8")) for path in templates}
    assert {name: texts for name, texts in spoken.items() if texts} == {}


def unmarked(template: str) -> set[str]:
    """What a template says by itself, names and keys left out."""
    bare = re.sub(r"{% blocktranslate.*?{% endblocktranslate %}|{%.*?%}|{{.*?}}|{#.*?#}", "", template, flags=re.S)
    texts = {text for text in Texts.of(bare) if re.search(r"[^\W\d_]{3}", text) and not text.startswith("class=")}
    return texts - {"Multiplo", "· Multiplo", "Esc"}


class Texts(HTMLParser):
    """The texts of a page that people see or hear."""

    SPOKEN = ("aria-label", "placeholder", "title", "alt", "hx-confirm")

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._silent = 0

    @classmethod
    def of(cls, page: str) -> set[str]:
        reader = cls()
        reader.feed(page)
        return {text for each in reader.found if (text := " ".join(each.split()))}

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        self._silent += tag in ("script", "style")
        self.found += [value for name, value in attrs if name in self.SPOKEN and value]

    def handle_endtag(self, tag: str) -> None:
        self._silent -= tag in ("script", "style")

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.found.append(data)


def english_left(page: str) -> set[str]:
    """Texts of a page that still read as in the program."""
    texts = Texts.of(page)
    return {text for text in texts for pattern in english() if pattern.fullmatch(text)}


@cache
def english() -> tuple[re.Pattern[str], ...]:
    """What each English text looks like on a page, those left out that are the same in Italian."""
    return tuple(_english())


def _english() -> Iterator[re.Pattern[str]]:
    for entry in entries(CATALOGUES[0]):
        for original, translated in pairs(entry):
            for part in re.split(r"<[^>]*>", original):
                words = re.sub(r"%\(\w+\)[sd]", "", part)
                if part not in translated and re.search(r"[^\W\d_]{2}", words):
                    yield re.compile(r".+?".join(map(re.escape, re.split(r"%\(\w+\)[sd]", part.strip()))), re.S)


def test_a_page_in_english_is_recognised() -> None:
    assert english_left("<p>The rack is drawn. Nobody has seen it yet.</p><p>Kept: ABC.</p><b>Tavolo</b>") == {
        "The rack is drawn. Nobody has seen it yet.",
        "Kept: ABC.",
    }


@pytest.fixture
def italian() -> Iterator[Client]:
    """A browser that asks for Italian; the language that its requests leave behind ends with the test."""
    with translation.override("it"):
        yield Client(headers={"Accept-Language": "it-IT,it;q=0.9,en;q=0.5"})


@pytest.mark.django_db
def test_doors_read_in_italian(italian: Client) -> None:
    for address in ("/", "/desk/locked/", "/nowhere/"):
        page = italian.get(address).content.decode()
        assert '<html lang="it"' in page
        assert english_left(page) == set()
    assert english_left(italian.post("/", {"code": "NONE5"}).content.decode()) == set()


@pytest.mark.django_db
def test_the_scripts_get_italian_texts(italian: Client) -> None:
    texts = italian.get("/texts.js").content.decode()
    assert "Il tuo bigliettino" in texts
    assert "on a square: double word" in texts


@pytest.mark.django_db
def test_the_date_of_a_new_event_is_written_as_browsers_read_it(italian: Client) -> None:
    italian.force_login(first_judge(), backend="django.contrib.auth.backends.ModelBackend")
    page = italian.get("/desk/new/").content.decode()
    assert re.search(r'<input type="date" name="date" value="\d{4}-\d\d-\d\d"', page)


@pytest.mark.django_db
def test_a_whole_turn_reads_in_italian_on_desk_phone_and_wall(italian: Client) -> None:
    italian.force_login(first_judge(), backend="django.contrib.auth.backends.ModelBackend")
    form = italian.get("/desk/new/")
    assert english_left(form.content.decode()) == set()
    fields = {name: field.initial for name, field in form.context["form"].fields.items() if field.initial is not None}
    fields |= form.context["form"].initial | {"edition": "it", "lexicon": "it", "lines": "1, Anna Rossi, Torino"}
    desk = italian.post("/desk/new/", fields)["Location"]
    code = desk.strip("/").split("/")[-1]
    pages = [italian.get(desk).content.decode()]
    wall = re.search(r'href="(/wall/[^"]+)"', pages[0])
    assert wall is not None
    join = italian.get(f"/j/{code}/")
    pages += [italian.get(wall[1]).content.decode(), join.content.decode()]
    ticket = join.context["ticket"]
    pages.append(italian.post(f"/j/{code}/", {"name": "", "table": "x", "ticket": ticket}).content.decode())
    italian.post(f"/j/{code}/", {"name": "Bruno Neri", "table": "2", "ticket": ticket})
    pages.append(italian.get("/play/").content.decode())
    for action, sent in TURN:
        pages.append(italian.post(f"{desk}do/{action}/", sent, headers={"HX-Request": "true"}).content.decode())
    pages += [italian.get(f"{desk}{page}/").content.decode() for page in ("players", "standings", "log", "documents")]
    assert [english_left(page) for page in pages] == [set()] * len(pages)
    assert "Classifica finale" in pages[-5]


TURN: tuple[tuple[str, dict[str, str]], ...] = (
    ("hall-word", {"word": "sole"}),
    ("draw", {}),
    ("announce", {}),
    ("paper", {"line": "1 8H ZZZZ 12"}),
    ("paper", {"line": "99 8H ZZZZ 12"}),
    ("paper", {"line": "1"}),
    ("pause", {}),
    ("resume", {}),
    ("close", {}),
    ("rule-word", {"word": "ZZZZ", "ruling": "accepted", "reason": "vocabolario"}),
    ("place", {}),
    ("undo", {}),
    ("place", {}),
    ("end", {}),
)


def marked_sentences() -> set[str]:
    """Every text that the engine's sentences are made of."""
    tree = ast.walk(ast.parse(Path(str(sentences.__file__)).read_text("utf-8")))
    return {text for node in tree if isinstance(node, ast.Call) for text in marked(node)}


PROVED_BY_THE_SCORE = {"last_letter_missing", "last_letter_changed", "rescued_by_score"}


@pytest.mark.parametrize("reason", sorted(sentences._REASONS))
def test_every_reason_of_a_verdict_reads_in_italian(reason: str) -> None:
    verdict = Verdict("zero", reason, 0, 22, word="ORCO", penalty=5, bonus=3, details={"declared": 20})
    with translation.override("it"):
        said, short = sentence(verdict, gettext), reason_sentence(reason, "ORCO", gettext)
    assert said.startswith(short)
    assert said.endswith("Il bigliettino dice 20. Penalità: 5. Bonus: 3. Il bigliettino vale 0.")
    assert ("La giocata vale 22." in said) == (reason not in PROVED_BY_THE_SCORE)
    assert short != reason_sentence(reason, "ORCO")


@pytest.mark.parametrize("warning", sorted(sentences._WARNINGS))
def test_every_warning_reads_in_italian(warning: str) -> None:
    with translation.override("it"):
        assert warning_sentence(warning, gettext).startswith("Richiamo")


@pytest.mark.parametrize("why", sorted(sentences._TIES))
def test_every_reason_for_a_top_reads_in_italian(why: str) -> None:
    with translation.override("it"):
        assert tie_text(why, 2, 1, gettext) != tie_text(why, 2, 1)


SAME_IN_BOTH = {"Bonus: %(bonus)d.", "%(rule)s: %(said)s"}


def test_no_sentence_of_the_engine_stays_english() -> None:
    with translation.override("it"):
        assert {text for text in marked_sentences() if gettext(text) == text} - SAME_IN_BOTH == set()
