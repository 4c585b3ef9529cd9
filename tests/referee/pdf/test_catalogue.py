"""Every document of the catalogue can be made, named and found, and no other."""

from __future__ import annotations

from typing import Any, cast

import pytest
from django.utils import translation

from engine.archive.schema import Archive
from referee.management.commands.print import FROM_A_FILE
from referee.pdf.catalogue import DOCUMENTS, MEDIA_TYPES, DocumentSource, find_printable, list_printables
from referee.pdf.drawing.sheet import PAPERS
from referee.pdf.make_document import draw_document
from tests.referee.live.live_game import make_live_game
from tournaments.enums import Role
from tournaments.errors import Refused
from tournaments.now import utc_now
from tournaments.play.services import slips as services
from tournaments.results.queries.archive import export_game

OF_SLIPS = {"match", "rulings", "differences", "warnings"}


def test_names_fit_where_they_are_stored_and_titles_are_sentences_for_people() -> None:
    for name, each in DOCUMENTS.items():
        assert name == each.name
        assert name.replace("-", "").isalpha()
        assert len(name) <= 20
        assert str(each.title)
        assert each.suffix in MEDIA_TYPES
        assert set(each.papers) <= set(PAPERS)
        assert str(each.description).endswith(".") or not each.has_desk


def test_every_document_of_a_desk_is_offered_once_to_those_who_may() -> None:
    wanted = [name for name, each in DOCUMENTS.items() if each.has_desk]
    listed = [each.name for _group, group in list_printables(Role.DIRECTOR) for each in group]
    assert sorted(listed) == sorted(wanted)
    assert list_printables(Role.WALL) == []


def test_the_command_line_makes_what_comes_from_a_file_and_nothing_of_an_event() -> None:
    assert {name for name, each in DOCUMENTS.items() if each.needs is DocumentSource.EVENT}.isdisjoint(FROM_A_FILE)
    assert "prepared" in FROM_A_FILE


def test_what_no_desk_offers_is_not_found_there() -> None:
    assert find_printable("prepared") is None
    assert find_printable("novel") is None
    assert find_printable("standings") is DOCUMENTS["standings"]


@pytest.mark.parametrize("choice", ["../x", "-1", "1e3", "12345", "١"])
def test_a_turn_is_a_number(choice: str) -> None:
    for each in DOCUMENTS.values():
        if each.needs is DocumentSource.TURN:
            assert not each.understands(choice)
            assert each.understands("7")
            assert each.understands("")


@pytest.mark.django_db
def test_every_document_of_a_desk_can_be_made_in_a_turn_that_runs() -> None:
    live_game = make_live_game(joined=False)
    live_game.draw("CORNOAT")
    live_game.announce()
    for each in DOCUMENTS.values():
        if each.has_desk:
            content = draw_document(
                each, live_game.game, live_game.room, choice="", language="it", paper=each.papers[0]
            )
            assert content.startswith({"pdf": b"%PDF", "zip": b"PK", "png": b"\x89PNG"}[each.suffix]), each.name


@pytest.mark.django_db
def test_only_documents_of_slips_need_them() -> None:
    """Documents made without slips, which take seconds to read, must be the same with them."""
    live_game = make_live_game(joined=False)
    live_game.draw("CORNOAT")
    live_game.announce()
    services.submit_paper_line(game=live_game.game, line="1 8H CORNO 22", now=utc_now(), by=None)
    live_game.close()
    live_game.place()
    whole = cast(Archive, export_game(live_game.game, live_game.room))
    bare = cast(Archive, export_game(live_game.game, live_game.room, with_slips=False))
    assert whole["turns"][0]["slips"]
    from_archive = [each for each in DOCUMENTS.values() if each.from_archive and not each.always_chosen]
    turn: dict[DocumentSource, list[int]] = {DocumentSource.GAME: [], DocumentSource.TURN: [1]}
    sheets = [(each, [each.make(a, *turn[each.needs], language="it") for a in (whole, bare)]) for each in from_archive]
    assert {each.name for each, (with_them, without) in sheets if with_them != without} <= OF_SLIPS
    assert {each.name for each, _made in sheets if each.of_slips} == OF_SLIPS
    assert whole["standings"] == bare["standings"]


@pytest.mark.django_db
def test_a_turn_that_was_not_drawn_is_refused_in_a_sentence() -> None:
    live_game: Any = make_live_game(joined=False)
    for each in DOCUMENTS.values():
        if each.needs is DocumentSource.TURN:
            with translation.override("en"), pytest.raises(Refused, match="not been drawn yet"):
                draw_document(each, live_game.game, live_game.room, choice="", language="en", paper="a4")
