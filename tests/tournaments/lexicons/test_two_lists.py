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

from engine.archive.replay import verify
from tests.tournaments.club_game import NEXT_SEED, ClubGame, create_club_game, play_turn, seeded_random
from tests.tournaments.word_list import WORDS
from tournaments.errors import Refused
from tournaments.events.services import events, rounds, rule_changes
from tournaments.lexicons import list_import, word_lists
from tournaments.models import LedgerEntry
from tournaments.play.services import game_end
from tournaments.prepared.services import prepared_games, scripted_game
from tournaments.results.queries.archive import export_game
from tournaments.search_box.words import look_up_words

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
    source = word_lists.lists_folder().parent / "source.txt"
    source.write_text("\n".join(words))
    list_import.import_list(source, edition="it", name=name)


def two(judge: User, how: str, **settings: Any) -> ClubGame:
    return create_club_game(judge, second_lexicon="club", switches={"two_dictionaries": how}, **settings)


def words_of(club_game: ClubGame) -> list[str]:
    return word_lists.text_of(word_lists.word_list_of_game(club_game.refresh())).decode().split()


UNION = sorted({*LISTED, *CLUB})
COMMON = sorted({*LISTED} & {*CLUB})


@pytest.mark.parametrize(("how", "words", "name"), [("either", UNION, "it + club"), ("both", COMMON, "it & club")])
def test_a_word_is_in_one_of_two_lists_or_in_both(judge: User, how: str, words: list[str], name: str) -> None:
    club_game = two(judge, how)
    assert words_of(club_game) == words
    assert (club_game.game.lexicon_name, club_game.game.lexicon_words) == (name, len(words))
    assert [part["name"] for part in club_game.game.lexicon_parts] == ["it", "club"]
    club_game.begin_turn("ACEIRST")
    assert ("TRISCEA" in {top["word"] for top in club_game.turn.tops or ()}) == (how == "either")
    club_game.phone(1, "TRISCEA", "8H", 76)
    club_game.close()
    assert (club_game.verdict(1).result == "valid") == (how == "either")


@pytest.mark.parametrize("how", ["either", "both"])
def test_a_game_with_two_lists_proves_itself_by_both(judge: User, how: str) -> None:
    club_game, rng = two(judge, how), seeded_random(5)
    for _turn in range(3):
        assert play_turn(club_game, rng)
    archive: Any = json.loads(json.dumps(export_game(club_game.refresh())))
    lists = word_lists.lists_of(club_game.game)
    assert [str(found) for found in verify(archive, *lists)] == []
    assert [str(found) for found in verify(archive, *reversed(lists))] == []
    archive["profile"]["two_dictionaries"] = "both" if how == "either" else "either"
    assert "lexicon, sha256" in [found.where for found in verify(archive, *lists)]
    archive["lexicon"]["parts"][1]["sha256"] = "0" * 64
    assert "lexicon, parts" in [found.where for found in verify(archive, *lists)]


def test_the_command_verifies_by_both_lists_installed_or_given(judge: User, folder: Path, tmp_path: Path) -> None:
    club_game = two(judge, "both")
    play_turn(club_game, seeded_random(5))
    path = tmp_path / "game.json"
    path.write_text(json.dumps(export_game(club_game.refresh())))

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
    with pytest.raises(Refused, match="The word list “club” with which this game was begun is not installed any more"):
        word_lists.word_list_of_game(club_game.game)


def test_the_combined_graph_is_built_once_and_made_anew_when_it_is_damaged(judge: User, folder: Path) -> None:
    club_game = two(judge, "either")
    [graph] = (folder / "combined").iterdir()
    built = graph.read_bytes()
    assert words_of(club_game) == UNION
    graph.unlink()  # not written over, since the old one is mapped
    graph.write_bytes(b"no graph")
    word_lists._combined_graph.cache_clear()
    word_lists._apply_rulings.cache_clear()
    assert words_of(club_game) == UNION
    assert graph.read_bytes() == built
    assert [entry.name for entry in word_lists.installed_lists()] == ["club", "it"]


def test_lists_that_are_the_same_or_missing_or_have_nothing_in_common_are_refused(judge: User) -> None:
    install("twin", LISTED)
    install("strange", ["QQQ"])
    for second, how, sentence in (
        ("twin", "either", "Choose two different word lists: it is the same list twice."),
        ("strange", "both", "The word lists it and strange have no word in common."),
        ("nowhere", "both", "There is no word list nowhere for the edition it. Import it"),
    ):
        with pytest.raises(Refused, match=sentence):
            create_club_game(judge, second_lexicon=second, switches={"two_dictionaries": how})


def test_before_the_first_rack_the_rules_may_combine_the_lists_otherwise(judge: User) -> None:
    club_game = two(judge, "either", profile="it-box")
    club_game.draw()
    rule_changes.change_rules(
        game=club_game.game, profile="it-box", switches={"two_dictionaries": "both"}, by=judge, now=club_game.later()
    )
    assert words_of(club_game) == COMMON
    told = LedgerEntry.objects.filter(game=club_game.game, kind="rules").latest("n").data
    assert (told["switches"], told["lexicon"]) == ({"two_dictionaries": "both"}, club_game.game.lexicon_sha256)
    rounds.change_game_setup(game=club_game.game, profile="fisf", by=judge, now=club_game.later())
    assert words_of(club_game) == UNION
    assert club_game.game.lexicon_words == len(UNION)
    club_game.begin_turn()
    with pytest.raises(Refused, match="cannot change once a game has begun"):
        rule_changes.change_rules_in_play(
            game=club_game.game, switches={"two_dictionaries": "both"}, by=judge, now=club_game.later()
        )


def test_the_next_game_has_both_lists_again(judge: User) -> None:
    club_game = two(judge, "both")
    play_turn(club_game, seeded_random(5))
    game_end.end_game(game=club_game.refresh(), by=judge, now=club_game.later())
    club_game.game = events.add_game(event=club_game.event, by=judge, now=club_game.later(), seed=NEXT_SEED)
    assert words_of(club_game) == COMMON


def test_a_game_with_two_lists_is_replayed_with_both(judge: User) -> None:
    club_game = two(judge, "both")
    play_turn(club_game, seeded_random(5))
    game_end.end_game(game=club_game.refresh(), by=judge, now=club_game.later())
    text = json.dumps(export_game(club_game.refresh()))
    prepared = prepared_games.import_game(text=text, title="again", lexicon=None, by=judge, now=club_game.later())
    again = create_club_game(judge)
    again.game = scripted_game.follow_script(prepared=prepared, event=again.event, by=judge, now=again.later())
    assert word_lists.facts_of(again.game) == word_lists.facts_of(club_game.game)
    assert words_of(again) == COMMON


def test_a_list_that_is_replaced_is_kept_for_the_games_that_use_it(judge: User) -> None:
    club_game = two(judge, "either")
    install("club", ["ZZZ"])
    assert words_of(club_game) == UNION


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
    answer = look_up_words(two(judge, how).game, word)
    assert (answer.valid, answer.sentence) == (valid, sentence.format(word))
