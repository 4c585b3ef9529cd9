"""The rules page in plain words, and changes of single rules by mouse or by keyboard alone."""

from __future__ import annotations

import re
from io import BytesIO
from pathlib import Path
from typing import cast

import pytest
from django.contrib.auth.models import User
from django.http import QueryDict
from django.test import Client
from pypdf import PdfReader
from pytest_django import Settings

from engine.archive.schema import Archive
from engine.rules.profile import Profile, load_profile, profile_codes
from engine.rules.rules_text import switch_title
from engine.rules.switches import SWITCHES
from referee.desk.events.rules_form import RulesForm
from referee.pdf.sheets.rules import rules_pdf
from tournaments.events.services.round_setup import rules_as_planned, setup_of
from tournaments.models import Event, Game, Round
from tournaments.play.position import profile_of
from tournaments.results.queries.archive import export_game
from tournaments.staff.services.login_links import first_judge

pytestmark = pytest.mark.django_db

WANTED = {"name": "Night", "date": "2026-11-21", "edition": "it", "profile": "it-box", "lexicon": "it"} | {
    "draw_mode": "seeded",
    "language": "it",
    "variant": "normal",
}


@pytest.fixture
def judge(client: Client) -> Client:
    """Browser in which the judge is logged in."""
    client.force_login(first_judge(), backend="django.contrib.auth.backends.ModelBackend")
    return client


@pytest.fixture
def event(judge: Client) -> Event:
    assert judge.post("/desk/new/", WANTED | {"profile": "fisf"}).status_code == 302
    return Event.objects.get()


def fields_of(page: str) -> dict[str, str]:
    """Return the fields that a browser would send with an untouched form of switches."""
    written = dict(re.findall(r'<input type="(?:text|number)" name="(rule-\w+)"(?: value="([^"]*)")?', page))
    for name, options in re.findall(r'<select name="(rule-\w+)".*?>(.*?)</select>', page, re.DOTALL):
        chosen = re.search(r'<option value="([^"]*)" selected', options)
        written[name] = chosen[1] if chosen else ""
    return written


def rules_of(event: Event) -> Profile:
    return profile_of(Game.objects.get(event=event))


def change(judge: Client, event: Event, **fields: str) -> str:
    """Send the form of the rules page with these fields changed; return the page that follows."""
    url = f"/desk/{event.code}/rules/"
    return judge.post(url, fields_of(judge.get(url).content.decode()) | fields, follow=True).content.decode()


@pytest.mark.parametrize("code", profile_codes())
def test_the_form_as_it_is_shown_changes_nothing(code: str) -> None:
    data = QueryDict(mutable=True)
    data.update(fields_of(RulesForm(code=code).as_p()))
    form = RulesForm(data, code=code)
    assert form.is_valid(), form.errors
    assert form.overrides == {}
    assert set(form.cleaned_data) == set(SWITCHES)


@pytest.mark.parametrize("code", profile_codes())
def test_the_rules_of_a_profile_are_a_page_to_read(judge: Client, code: str) -> None:
    page = judge.get("/desk/rules/", {"profile": code}).content.decode()
    assert "What goes on the board" in page
    assert "our default" in page
    assert 'method="post"' not in page


def test_rules_that_there_are_not_have_no_page(judge: Client) -> None:
    assert judge.get("/desk/rules/", {"profile": "../it-box"}).status_code == 404
    assert Client().get("/desk/rules/", {"profile": "fisf"}).status_code == 302


def test_choosing_rules_brings_their_switches_into_the_form(judge: Client) -> None:
    part = judge.get("/desk/rules/", {"profile": "fise"}, headers={"HX-Request": "true"}).content.decode()
    assert '<input type="hidden" name="rules_of" value="fise">' in part
    assert fields_of(part)["rule-solo_bonus"] == "10"
    assert "<html" not in part


def test_without_scripts_a_button_shows_the_chosen_rules_and_keeps_what_was_written(judge: Client) -> None:
    page = judge.post("/desk/new/", WANTED | {"profile": "fise", "rules_of": "it-box", "show_rules": "1"})
    text = page.content.decode()
    assert '<input type="hidden" name="rules_of" value="fise">' in text
    assert '<details id="more-choices" class="fold" open>' in text
    assert 'value="Night"' in text
    assert "errorlist" not in text
    assert Event.objects.count() == 0


def test_a_new_event_takes_the_changed_switches(judge: Client) -> None:
    page = judge.post("/desk/new/", WANTED | {"profile": "fise", "show_rules": "1"}).content.decode()
    written = fields_of(page) | {"rule-wrong_score": "real", "rule-calls_s": "0:30", "rule-q_for_qu": "True"}
    answer = judge.post("/desk/new/", WANTED | {"profile": "fise", "rules_of": "fise"} | written)
    assert answer.status_code == 302
    event = Event.objects.get()
    assert rules_of(event) == load_profile("fise").with_switches(wrong_score="real", calls_s=[30], q_for_qu=True)
    lobby = judge.get(f"/desk/{event.code}/").content.decode()
    assert "FISE, Spanish federation, 3 switches changed" in lobby


def test_switches_changed_for_other_rules_are_not_guessed_at(judge: Client) -> None:
    wanted = WANTED | {"profile": "fise", "rules_of": "it-box", "rule-wrong_score": "zero"}
    page = judge.post("/desk/new/", wanted).content.decode()
    assert "Single rules were changed, then other rules were chosen." in page
    assert Event.objects.count() == 0
    untouched = WANTED | {"profile": "fise", "rules_of": "it-box", "rule-wrong_score": "real"}
    assert judge.post("/desk/new/", untouched).status_code == 302
    assert rules_of(Event.objects.get()) == load_profile("fise")


def test_an_invalid_switch_of_a_new_event_is_reported_above_and_at_its_field(judge: Client) -> None:
    page = judge.post("/desk/new/", WANTED | {"rules_of": "it-box", "rule-clock_s": "soon"}).content.decode()
    assert "One of the rules has a value that is not possible; it is marked below." in page
    assert "Minutes and seconds, such as 3:00, or seconds alone." in page
    assert Event.objects.count() == 0


def test_the_page_of_an_event_marks_what_was_changed(judge: Client, event: Event) -> None:
    page = change(judge, event, **{"rule-wrong_score": "zero", "rule-solo_min_players": "8"})
    assert "Rules: FISF, French federations, 2 switches changed" in page
    assert "instead of: real points, with a warning" in page
    assert rules_of(event) == load_profile("fisf").with_switches(wrong_score="zero", solo_min_players=8)


def test_one_button_takes_all_changes_back(judge: Client, event: Event) -> None:
    change(judge, event, **{"rule-wrong_score": "zero"})
    page = change(judge, event, **{"rule-wrong_score": "zero", "reset": "1"})
    assert rules_of(event) == load_profile("fisf")
    assert "switch changed" not in page


def test_an_event_can_take_other_rules(judge: Client, event: Event) -> None:
    judge.post(f"/desk/{event.code}/rules/", {"profile": "ntsv"})
    assert rules_of(event) == load_profile("ntsv")


def test_the_order_of_equal_tops_is_chosen_place_by_place(judge: Client, event: Event) -> None:
    orders = {f"rule-tie_order_{n}": "" for n in range(7)} | {"rule-tie_order_0": "leave", "rule-tie_order_3": "hooks"}
    change(judge, event, **orders)
    assert rules_of(event).tie_order == ("leave", "hooks")


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("rule-clock_s", "0", "Minutes and seconds, such as 3:00, or seconds alone."),
        ("rule-clock_s", "1:75", "Minutes and seconds, such as 3:00, or seconds alone."),
        ("rule-calls_s", "1:00, soon", "Times before the end with commas between them"),
        ("rule-bonuses", "7=lots", "Tiles laid and points, such as 7=50, 8=75; empty for no bonus."),
        ("rule-bonuses", "16=50", "Tiles laid and points, such as 7=50, 8=75; empty for no bonus."),
        ("rule-rack_size", "12", "less than or equal to 9"),
        ("rule-rack_size", "", "This field is required."),
        ("rule-wrong_score", "maybe", "maybe is not one of the available choices"),
        ("rule-tie_order_1", "keep_blank", "Choose each of them once at most."),
        ("rule-min_late", "4", "A rack of 7 tiles cannot hold 4 vowels and 4 consonants: ask for fewer."),
    ],
)
def test_a_bad_value_gets_one_sentence_and_changes_nothing(
    judge: Client, event: Event, field: str, value: str, sentence: str
) -> None:
    page = change(judge, event, **{field: value})
    assert page.count('class="errorlist') == 1
    assert sentence in page
    assert rules_of(event) == load_profile("fisf")


@pytest.mark.parametrize(
    ("field", "text", "switch", "value"),
    [
        ("rule-clock_s", "2:30", "clock_s", 150),
        ("rule-clock_s", "45", "clock_s", 45),
        ("rule-calls_s", "0:05; 60 0:30", "calls_s", (60, 30, 5)),
        ("rule-calls_s", "", "calls_s", ()),
        ("rule-either_letters", "y, w", "either_letters", ("Y", "W")),
        ("rule-bonuses", "8: 75, 7=50", "bonuses", ((7, 50), (8, 75))),
        ("rule-max_turns", "15", "max_turns", 15),
        ("rule-free_warnings", "", "free_warnings", None),
        ("rule-first_move_maximum", "False", "first_move_maximum", False),
    ],
)
def test_values_are_read_as_people_write_them(
    judge: Client, event: Event, field: str, text: str, switch: str, value: object
) -> None:
    change(judge, event, **{field: text})
    assert getattr(rules_of(event), switch) == value


def test_every_field_has_a_label_and_lists_stand_in_a_group(judge: Client, event: Event) -> None:
    page = judge.get(f"/desk/{event.code}/rules/").content.decode()
    for name in fields_of(page):
        labelled = f'for="id_{name}"' in page or re.search(rf'name="{name}"[^>]*aria-label="Place \d"', page)
        assert labelled, name
    assert page.count("<fieldset") == page.count("</fieldset>") == page.count("<legend>") == 11


def test_once_a_rack_is_announced_neither_the_draw_nor_the_clock_can_change(judge: Client, event: Event) -> None:
    written = fields_of(judge.get(f"/desk/{event.code}/rules/").content.decode())
    for action in ("draw", "announce"):
        judge.post(f"/desk/{event.code}/do/{action}/")
    page = judge.get(f"/desk/{event.code}/rules/").content.decode()
    assert not {"rule-rack_size", "rule-min_early", "rule-clock_s", "rule-board_takes"} & set(fields_of(page))
    assert "Use these rules" not in page
    written["rule-clock_s"] = "1:00"
    refused = judge.post(f"/desk/{event.code}/rules/", written, follow=True).content.decode()
    assert "The first rack of this game is announced: its rules stay as they are." in refused
    assert rules_of(event) == load_profile("fisf")


def test_what_a_variant_sets_has_no_field(judge: Client) -> None:
    judge.post("/desk/new/", WANTED | {"variant": "7and8"})
    page = judge.get(f"/desk/{Event.objects.get().code}/rules/").content.decode()
    assert "rule-rack_size" not in page
    assert "set by the variant" in page


def test_the_page_of_the_rules_is_the_judges(event: Event) -> None:
    stranger = Client()
    assert stranger.get(f"/desk/{event.code}/rules/").headers["Location"].startswith("/desk/locked/")
    stranger.force_login(User.objects.create(username="somebody"), backend="django.contrib.auth.backends.ModelBackend")
    assert stranger.post(f"/desk/{event.code}/rules/", {"profile": "club"}).status_code == 404
    assert rules_of(event) == load_profile("fisf")


def test_the_page_carries_no_script_or_style_of_its_own(judge: Client, event: Event) -> None:
    for url in (f"/desk/{event.code}/rules/", "/desk/new/", "/desk/rules/?profile=ro"):
        page = judge.get(url).content.decode()
        assert not re.search(r"style=|<style|<script>| on\w+=", page)


def test_the_rules_for_the_wall_are_asked_for_from_their_page(judge: Client, event: Event) -> None:
    judge.post(f"/desk/{event.code}/do/make-document/", {"kind": "rules"})
    assert "Rules for the wall" in judge.get(f"/desk/{event.code}/documents/").content.decode()


@pytest.fixture
def two_lists(settings: Settings, tmp_path: Path) -> None:
    """Data folder with two small word lists."""
    settings.DATA_DIR = tmp_path
    (tmp_path / "lexicons").mkdir()
    for name, words in (("it", "CASA\nCASE\n"), ("club", "CASE\nCASO\n")):
        (tmp_path / "lexicons" / f"{name}.txt").write_text(words)
        (tmp_path / "lexicons" / f"{name}.txt.json").write_text('{"edition": "it"}')


def test_a_new_event_may_have_two_word_lists(two_lists: None, judge: Client) -> None:
    page = judge.get("/desk/new/").content.decode()
    assert "The rule “With two word lists, a word is valid” says how two lists count." in page
    chosen = {"second_lexicon": "club", "rules_of": "it-box", "rule-two_dictionaries": "both"}
    assert judge.post("/desk/new/", WANTED | chosen).status_code == 302
    event = Event.objects.get()
    page = judge.get(f"/desk/{event.code}/rules/").content.decode()
    assert "Word lists: it and club. A word is valid only if both have it." in page
    page = change(judge, event, **{"rule-two_dictionaries": "either", "rule-open_dictionary": "True"})
    assert "A word is valid if at least one of them has it." in page
    assert "players may look words up in the dictionary before they hand in a slip" in page
    assert Game.objects.get(event=event).lexicon_words == 3
    again = judge.post("/desk/new/", WANTED | {"second_lexicon": "it"}).content.decode()
    assert "Choose two different word lists: it is the same list twice." in again


def test_words_are_agreed_on_the_rules_page_and_stand_on_page_and_sheet(two_lists: None, judge: Client) -> None:
    assert judge.post("/desk/new/", WANTED | {"second_lexicon": "club"}).status_code == 302
    game = Game.objects.get()
    rules, act = f"/desk/{game.event.code}/rules/", f"/desk/{game.event.code}/do/agree-words/"
    page = judge.post(act, {"words": "rai, eni\ninps casa a", "next": rules}, follow=True).content.decode()
    assert (
        "These words count from turn 1 on: RAI, ENI, INPS. a was left out: A word has 2 to 15 letters. "
        "CASA counts as a word already."
    ) in page
    assert "<p>Words agreed besides: ENI, INPS, RAI.</p>" in page
    assert ">ENI\nINPS\nRAI</textarea>" in page
    archive = cast(Archive, export_game(game))
    sheet = " ".join(PdfReader(BytesIO(rules_pdf(archive, language="en"))).pages[-1].extract_text().split())
    assert "Word lists: it and club. A word is valid if at least one of them has it." in sheet
    assert "Words agreed besides: ENI, INPS, RAI." in sheet
    page = judge.post(act, {"words": "ENI INPS RAI", "next": rules}, follow=True).content.decode()
    assert "The words agreed are the same as before." in page


def test_single_rules_of_a_planned_round_are_kept_and_become_those_of_its_game(judge: Client) -> None:
    judge.post("/desk/new/", WANTED | {"profile": "fise"})
    event = Event.objects.get()
    act, rounds = f"/desk/{event.code}/do/plan-round/", f"/desk/{event.code}/rounds/"
    judge.post(act, {"number": 2, "name": "Night", "variant": "joker", "time_control": "60"})
    assert "rule-wrong_score" not in judge.get(rounds).content.decode()
    page = judge.get(rounds, {"rules": 2}).content.decode()
    assert "rule-clock_s" not in page
    fields = fields_of(page)
    form = {"number": 2, "name": "Night", "variant": "joker", "time_control": "60", "turns": "9"}
    changed = fields | {"rule-wrong_score": "real", "rule-q_for_qu": "True"}
    assert fields["rule-wrong_score"] == "zero"
    judge.post(act, form | changed)
    stored = Round.objects.get().switches
    assert stored == {"max_turns": 9, "wrong_score": "real", "q_for_qu": True}
    judge.post(act, form | {"name": "Late"})
    assert Round.objects.get().switches == stored, "the short form changes no single rule"
    page = judge.get(rounds, {"rules": 2}).content.decode()
    assert fields_of(page)["rule-wrong_score"] == "real"
    assert switch_title("wrong_score") in page
    refused = judge.post(
        act, form | changed | {"profile": "ro", "rule-solo_bonus": "7"}, headers={"Accept": "application/json"}
    ).json()
    assert "then other rules were chosen" in refused["sentence"]
    wrong = judge.post(act, form | changed | {"rule-solo_bonus": "soon"}, headers={"Accept": "application/json"}).json()
    assert "The rules cannot be set so" in wrong["sentence"]
    rules = rules_as_planned(event.games.get(), setup_of(Round.objects.get())).rules
    assert (rules.wrong_score, rules.q_for_qu, rules.max_turns, rules.clock_s) == ("real", True, 9, 60)


def test_a_planned_round_that_is_refused_keeps_what_was_typed(judge: Client) -> None:
    judge.post("/desk/new/", WANTED)
    event = Event.objects.get()
    act, rounds = f"/desk/{event.code}/do/plan-round/", f"/desk/{event.code}/rounds/"
    form = {"number": 2, "name": "Night", "starts_at": "2026-03-07T20:30", "variant": "joker", "time_control": "60"}
    new = judge.post(act, form | {"name": "Dusk", "turns": "0"})
    assert new.status_code == 422
    assert 'value="Dusk"' in new.content.decode()
    assert not Round.objects.exists()
    judge.post(act, form)
    fields = fields_of(judge.get(rounds, {"rules": 2}).content.decode())
    changed = form | fields | {"name": "Late", "rule-solo_bonus": "soon", "rule-wrong_score": "real"}
    page = judge.post(act, changed).content.decode()
    assert 'value="Late"' in page
    assert {"rule-solo_bonus": "soon", "rule-wrong_score": "real"}.items() <= fields_of(page).items()
    assert Round.objects.get().name == "Night"
