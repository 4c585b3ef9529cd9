"""Games with two word lists, of which one or both must have a word."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from pytest_django import Settings

from engine.replay import verify
from tests.tournaments.night import NEXT_SEED, Night, begin, chance, play_turn
from tests.tournaments.word_list import WORDS
from tournaments import importing, lexicons
from tournaments.errors import Refused
from tournaments.models import LedgerEntry
from tournaments.selectors.archive import export_game
from tournaments.selectors.words import look_up
from tournaments.services import ending, events, following, preparing, rounds, rules

LISTED = sorted(set(WORDS.split()))
CLUB = [*LISTED[::2], "TRISCEA", "ZZZZ"]


@pytest.fixture(autouse=True)
def folder(settings: Settings, tmp_path: Path) -> Path:
    """Two lists: `it`, and `club` with half of its words and two of its own."""
    settings.DATA_DIR = tmp_path
    lists = tmp_path / "lexicons"
    lists.mkdir()
    (lists / "it.txt").write_text("".join(f"{word}\n" for word in LISTED))
    install("club", CLUB)
    return lists


def install(name: str, words: list[str]) -> None:
    source = lexicons.folder().parent / "source.txt"
    source.write_text("\n".join(words))
    importing.import_list(source, edition="it", name=name)


def two(judge: User, how: str, **settings: Any) -> Night:
    return begin(judge, second_lexicon="club", switches={"two_dictionaries": how}, **settings)


def words_of(night: Night) -> list[str]:
    return lexicons.text_of(lexicons.of_game(night.refresh())).decode().split()


UNION = sorted({*LISTED, *CLUB})
COMMON = sorted({*LISTED} & {*CLUB})


@pytest.mark.parametrize(("how", "words", "name"), [("either", UNION, "it + club"), ("both", COMMON, "it & club")])
def test_a_word_is_in_one_of_two_lists_or_in_both(judge: User, how: str, words: list[str], name: str) -> None:
    night = two(judge, how)
    assert words_of(night) == words
    assert (night.game.lexicon_name, night.game.lexicon_words) == (name, len(words))
    assert [part["name"] for part in night.game.lexicon_parts] == ["it", "club"]
    night.begin_turn("ACEIRST")
    assert ("TRISCEA" in {top["word"] for top in night.turn.tops or ()}) == (how == "either")
    night.phone(1, "TRISCEA", "8H", 76)
    night.close()
    assert (night.verdict(1).result == "valid") == (how == "either")


@pytest.mark.parametrize("how", ["either", "both"])
def test_a_game_with_two_lists_proves_itself_by_both(judge: User, how: str) -> None:
    night, rng = two(judge, how), chance(5)
    for _turn in range(3):
        assert play_turn(night, rng)
    archive: Any = json.loads(json.dumps(export_game(night.refresh())))
    lists = lexicons.lists_of(night.game)
    assert [str(found) for found in verify(archive, *lists)] == []
    assert [str(found) for found in verify(archive, *reversed(lists))] == []
    archive["profile"]["two_dictionaries"] = "both" if how == "either" else "either"
    assert "lexicon, sha256" in [found.where for found in verify(archive, *lists)]
    archive["lexicon"]["parts"][1]["sha256"] = "0" * 64
    assert "lexicon, parts" in [found.where for found in verify(archive, *lists)]


def test_the_command_verifies_by_both_lists_installed_or_given(judge: User, folder: Path, tmp_path: Path) -> None:
    night = two(judge, "both")
    play_turn(night, chance(5))
    path = tmp_path / "game.json"
    path.write_text(json.dumps(export_game(night.refresh())))

    def told(*given: str) -> str:
        out = StringIO()
        call_command("verify", str(path), *given, stdout=out)
        return out.getvalue()

    assert told().startswith("No difference.")
    own = [str(folder / "club.txt"), str(folder / "it.txt")]
    assert told("--lexicon", own[0], "--lexicon", own[1]).startswith("No difference.")
    with pytest.raises(CommandError, match="only be verified by the two word lists of the game: it, club"):
        told("--lexicon", own[0])
    (folder / "club.txt").unlink()
    with pytest.raises(CommandError, match=r"two word lists of this game \(it, club\) are not both installed"):
        told()
    with pytest.raises(Refused, match="The word list club with which this game was begun is not installed any more"):
        lexicons.of_game(night.game)


def test_the_combined_graph_is_built_once_and_made_anew_when_it_is_damaged(judge: User, folder: Path) -> None:
    night = two(judge, "either")
    [graph] = (folder / "combined").iterdir()
    built = graph.read_bytes()
    assert words_of(night) == UNION
    graph.unlink()  # not written over, since the old one is mapped
    graph.write_bytes(b"no graph")
    lexicons._combined_graph.cache_clear()
    lexicons._ruled.cache_clear()
    assert words_of(night) == UNION
    assert graph.read_bytes() == built
    assert [entry.name for entry in lexicons.installed()] == ["club", "it"]


def test_lists_that_are_the_same_or_missing_or_have_nothing_in_common_are_refused(judge: User) -> None:
    install("twin", LISTED)
    install("strange", ["QQQ"])
    for second, how, sentence in (
        ("twin", "either", "Choose two different word lists: it is the same list twice."),
        ("strange", "both", "The word lists it and strange have no word in common."),
        ("nowhere", "both", "There is no word list nowhere for the edition it. Import it"),
    ):
        with pytest.raises(Refused, match=sentence):
            begin(judge, second_lexicon=second, switches={"two_dictionaries": how})


def test_before_the_first_rack_the_rules_may_combine_the_lists_otherwise(judge: User) -> None:
    night = two(judge, "either", profile="it-box")
    night.draw()
    rules.change_rules(
        game=night.game, profile="it-box", switches={"two_dictionaries": "both"}, by=judge, now=night.later()
    )
    assert words_of(night) == COMMON
    told = LedgerEntry.objects.filter(game=night.game, kind="rules").latest("n").data
    assert (told["switches"], told["lexicon"]) == ({"two_dictionaries": "both"}, night.game.lexicon_sha256)
    rounds.set_up(game=night.game, profile="fisf", by=judge, now=night.later())
    assert words_of(night) == UNION
    assert night.game.lexicon_words == len(UNION)
    night.begin_turn()
    with pytest.raises(Refused, match="cannot change once a game has begun"):
        rules.change_in_play(game=night.game, switches={"two_dictionaries": "both"}, by=judge, now=night.later())


def test_the_next_game_has_both_lists_again(judge: User) -> None:
    night = two(judge, "both")
    play_turn(night, chance(5))
    ending.end_game(game=night.refresh(), by=judge, now=night.later())
    night.game = events.add_game(event=night.event, by=judge, now=night.later(), seed=NEXT_SEED)
    assert words_of(night) == COMMON


def test_a_game_with_two_lists_is_replayed_with_both(judge: User) -> None:
    night = two(judge, "both")
    play_turn(night, chance(5))
    ending.end_game(game=night.refresh(), by=judge, now=night.later())
    text = json.dumps(export_game(night.refresh()))
    prepared = preparing.bring(text=text, title="again", lexicon=None, by=judge, now=night.later())
    again = begin(judge)
    again.game = following.play(prepared=prepared, event=again.event, by=judge, now=again.later())
    assert lexicons.facts_of(again.game) == lexicons.facts_of(night.game)
    assert words_of(again) == COMMON


def test_a_list_that_is_replaced_is_kept_for_the_games_that_use_it(judge: User) -> None:
    night = two(judge, "either")
    install("club", ["ZZZ"])
    assert words_of(night) == UNION


@pytest.mark.parametrize(
    ("how", "word", "valid", "sentence"),
    [
        ("either", COMMON[0], True, "{} is valid: it is in both lists, it and club."),
        ("either", "TRISCEA", True, "{} is valid: it is in the list club, though not in it."),
        ("both", "TRISCEA", False, "{} is not valid: it is in the list club, but not in it."),
        ("both", "QUOTA", False, "{} is not valid: it is in neither list, it or club."),
    ],
)
def test_the_search_box_says_which_list_has_a_word(
    judge: User, how: str, word: str, valid: bool, sentence: str
) -> None:
    answer = look_up(two(judge, how).game, word)
    assert (answer.valid, answer.sentence) == (valid, sentence.format(word))
