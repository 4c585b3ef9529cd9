"""Saved games of Eliot become archives whose every rack and move was held against the file."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.archive.schema import Archive
from engine.interchange.eliot import eliot_archive
from engine.interchange.eliot_file import EliotError, is_eliot, read_eliot
from engine.prepared.script import read_script
from engine.prepared.script_check import check_replayable
from tests.engine.archive.test_published_games import FILES, GAMES
from tests.engine.interchange.eliot_games import LETTERS, eliot_game

each_game = pytest.mark.parametrize("name", GAMES)
NORMAL = "hiersac-2019-11-22"


class _AllWordsValid:
    def __contains__(self, word: object) -> bool:
        return True


def archive(text: str, **options: str) -> Archive:
    return eliot_archive(text.encode(), **options)


@each_game
def test_a_saved_game_is_read_rack_by_rack_and_move_by_move(name: str) -> None:
    read = archive(eliot_game(name))
    assert (read["edition"], read["formula"], read["across"]) == ("fr", FILES[name]["formula"], "H8")
    assert [turn["rack"] for turn in read["turns"]] == [turn.rack.text for turn in GAMES[name]]
    assert [turn["board"] for turn in read["turns"]] == [turn.left.board.rows for turn in GAMES[name]]
    assert sum(turn["top"] for turn in read["turns"]) == FILES[name]["total"]
    assert read["event"]["name"] == "Eliot ODS 8"
    assert (read["lexicon"]["name"], read["lexicon"]["words"]) == ("ODS 8", 402325)


@each_game
def test_the_points_are_those_of_the_file_with_warnings_penalties_and_solos(name: str) -> None:
    read = archive(eliot_game(name))
    assert [(player["table"], player["name"]) for player in read["players"]] == [
        *((4, "Odile"), (9, "Rémi & Zoé"), (1, "Eliot"))
    ]
    lines = {line["table"]: line for line in read["standings"]}
    found = sum(turn.points for turn in GAMES[name] if turn.number % 2)
    assert lines[4]["total"] == lines[1]["total"] == FILES[name]["total"]
    assert lines[4]["warnings"] == 2
    # The penalty is in a turn that was worth nothing to him: no less than nothing can be had for it.
    assert (lines[9]["total"], lines[9]["solos"]) == (found + 10, 1)
    [second] = [slip for slip in read["turns"][1]["slips"] if slip["table"] == 9]
    assert (second["verdict"]["result"], second["verdict"]["reason"], second["word"]) == ("zero", "judge", "ZZZ")
    assert read["turns"][2]["solo"] == 9


@each_game
def test_a_saved_game_can_be_played_again(name: str) -> None:
    script = read_script(eliot_game(name))
    again = check_replayable(script, _AllWordsValid())
    assert [turn["rack"] for turn in again.script["turns"]] == [turn.rack.text for turn in GAMES[name]]
    assert script["field"]["players"][0]["points"] == [turn.points for turn in GAMES[name]]
    assert script["title"] == "Eliot ODS 8"


def test_files_of_the_first_version_have_no_tables_and_another_attribute() -> None:
    read = archive(eliot_game(NORMAL, player="playerid", tables=False))
    assert [player["table"] for player in read["players"]] == [1, 2, 3]
    assert {line["table"]: line["total"] for line in read["standings"]}[1] == FILES[NORMAL]["total"]


def test_the_edition_is_found_by_the_letters_and_by_what_the_moves_are_worth() -> None:
    """English has the same letters; the French one fits by every score."""
    assert archive(eliot_game(NORMAL))["edition"] == "fr"
    with pytest.raises(EliotError, match=r"^Turn \d+: .* is worth \d+ with the tiles of this edition|cannot be drawn"):
        archive(eliot_game(NORMAL), edition="en")
    with pytest.raises(EliotError, match="No edition here has the letters of this game"):
        archive(eliot_game(NORMAL, letters="A B Ω"))


def test_a_rack_before_one_that_is_all_new_was_rejected() -> None:
    first = GAMES[NORMAL][0]
    text = eliot_game(NORMAL).replace(
        f"<GameRack>{first.printed_rack}</GameRack>",
        f"<GameRack>AEIOUAE</GameRack><GameRack>-{first.printed_rack.strip('-')}</GameRack>",
        1,
    )
    turn = archive(text)["turns"][0]
    assert (turn["rejected"], turn["rack"]) == (["AAEEIOU"], first.rack.text)


def test_a_better_move_than_the_one_on_the_board_is_the_top() -> None:
    """In arbitration the judge may lay another move."""
    first = GAMES[NORMAL][0]
    said = f'PlayerMove playerId="0" points="{first.points}"'
    text = eliot_game(NORMAL).replace(said, 'PlayerMove playerId="0" points="200"', 1)
    turn = archive(text)["turns"][0]
    assert turn["master"] is not None
    assert (turn["top"], turn["tops"], turn["master"]["chosen_by"]) == (200, [], "judge")


def replace_in_game(old: str, new: str) -> str:
    text = eliot_game(NORMAL)
    assert old in text
    return text.replace(old, new)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("<EliotGame", "it is not XML"),
        ("<Other/>", "it begins with <Other>"),
        ('<EliotGame format="3"/>', "format '3'"),
        (eliot_game(NORMAL, mode="freegame"), "only duplicate games"),
        (replace_in_game('id="1"', 'id="0"'), "Two players of this game have the same number"),
        (
            replace_in_game("<Game>", "<Game><Variant>explosive</Variant><Variant>bingo</Variant>"),
            "variants bingo, explosive",
        ),
        ('<!DOCTYPE EliotGame [<!ENTITY a "b">]><EliotGame format="2"/>', "declares a document type"),
        ('<?xml version="1.0" encoding="UTF-16"?><EliotGame format="2"/>', "it is not XML"),
        ('<EliotGame format="2"><Game><Mode>duplicate</Mode></Game></EliotGame>', "nothing was played"),
        (replace_in_game("<WordNb>402325", "<WordNb>many"), "'many' is no number"),
    ],
)
def test_what_is_no_saved_game_is_refused_with_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(EliotError, match=sentence):
        archive(text)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-le", "utf-16-be", "utf-7", "iso-8859-1"])
def test_a_declaration_is_refused_in_every_encoding(encoding: str) -> None:
    text = f'<?xml version="1.0" encoding="{encoding}"?><!DOCTYPE EliotGame [<!ENTITY a "b">]><EliotGame format="2"/>'
    with pytest.raises(EliotError):
        eliot_archive(text.encode(encoding))


@pytest.mark.endurance
def test_a_saved_game_nested_too_deep_is_refused_with_a_sentence() -> None:
    with pytest.raises(EliotError):
        archive("<EliotGame>" + "<a>" * 500_000)


def turn_text(number: int, old: str, new: str) -> str:
    """The game with something else in one turn."""
    head, *turns = eliot_game(NORMAL).split("<Turn>")
    assert old in turns[number - 1]
    turns[number - 1] = turns[number - 1].replace(old, new)
    return "<Turn>".join([head, *turns])


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (turn_text(4, "<GameRack>", "<GameRack>ZZZZ"), "Turn 4: the rack ZZZZ.* cannot be drawn"),
        (turn_text(4, "<GameRack>", "<GameRack>Ω"), "Turn 4: no tile of the edition shows 'Ω'"),
        (turn_text(4, "GameRack", "OtherRack"), "Turn 4: the file has no rack"),
        (turn_text(5, 'coord="', 'coord="X'), "Turn 5: .* cannot be read"),
        (turn_text(5, 'points="', 'points="9'), "Turn 5: .* is worth"),
        (turn_text(5, 'word="', 'word="QQ'), "Turn 5: .* cannot be laid with"),
        (turn_text(3, 'type="valid"', 'type="pass"'), "Turn 3: nothing went on the board"),
        (turn_text(2, "+", "E+"), "Turn 2: .*(was kept by the file|cannot be drawn)"),
    ],
)
def test_the_first_turn_that_cannot_be_played_again_is_named(text: str, sentence: str) -> None:
    with pytest.raises(EliotError, match=sentence):
        archive(text)


def test_tiles_of_several_letters_are_written_as_they_are_shown() -> None:
    """Catalan: QU, NY and L·L are one tile each."""
    letters = "A B C Ç D E F G H I J L L·L M N NY O P QU R S T U V X Z ?"
    move = 'points="{points}" type="valid" word="QUANYs" coord="H5"'
    shape = (
        '<EliotGame format="2"><Dictionary><Letters>{letters}</Letters></Dictionary><Game><Mode>duplicate</Mode></Game>'
        "<History><Turn><GameRack>QUANY?EIO</GameRack><GameMove {move} /></Turn></History></EliotGame>"
    )
    with pytest.raises(EliotError, match=r"QUANYs H5 1 is worth (\d+)") as wrong:
        archive(shape.format(letters=letters, move=move.format(points=1)), edition="ca")
    worth = int(str(wrong.value).split("is worth ")[1].split()[0])
    read = archive(shape.format(letters=letters, move=move.format(points=worth)), edition="ca")
    assert read["turns"][0]["master"] == {
        **{"word": "[QU]A[NY]s", "ref": "H5", "score": worth},
        **{"chosen_by": "engine", "why": None},
    }


def test_only_what_begins_like_a_saved_game_is_taken_for_one() -> None:
    assert is_eliot(eliot_game(NORMAL))
    assert not is_eliot('{"format": "duplicate-game", "note": "' + " " * 3000 + '<EliotGame"}')


@pytest.mark.endurance
@given(st.binary(max_size=300))
def test_no_bytes_do_anything_but_a_refusal(content: bytes) -> None:
    with pytest.raises(EliotError):
        read_eliot(b"<EliotGame" + content)


def test_the_letters_are_those_of_the_french_tiles() -> None:
    assert read_eliot(eliot_game(NORMAL).encode()).letters == LETTERS.split()[:-1]
