"""A room on its own server: it follows a sealed feed, goes on without a line, hands in, and is merged."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core import serializers
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.ledger import sealed
from tests.leaks import leaked
from tests.tournaments.elsewhere import Halls, in_another_hall, outpost, play_outpost, tell, two_halls, verified
from tests.tournaments.prepared import play_on, prepared_game
from tests.tournaments.word_list import WORDS
from tournaments import fed, lexicons
from tournaments.enums import GameState, Ruling
from tournaments.errors import Refused
from tournaments.feed_seal import new_token
from tournaments.models import Entry, FeedLink, FollowedFeed, Player, Slip, Turn, TurnClock, Verdict, WordRuling
from tournaments.now import utc_now
from tournaments.position import board_before, edition_of, profile_of, rack_of
from tournaments.selectors.archive import export_game
from tournaments.selectors.desk import desk_view
from tournaments.selectors.elsewhere import differences, rooms_elsewhere
from tournaments.selectors.hall import hall_view
from tournaments.selectors.handing_in import hand_in_of
from tournaments.selectors.results import standings_of, turns_shown
from tournaments.services import feeds, outposts, players, pursuing, rooms, rulings
from tournaments.services.disqualifying import disqualify


@pytest.fixture
def halls(judge: User) -> Halls:
    return two_halls(judge)


@pytest.fixture
def handed_in(halls: Halls) -> list[str]:
    """What the other hall handed in after each of four turns, and at the end."""
    halls.play(9)
    feed = halls.feed()
    return in_another_hall(lambda: play_outpost(outpost(halls, feed)))


def stored(halls: Halls) -> dict[str, Any]:
    """What a game is, but for keys and the order in which things came."""
    game = halls.night.refresh()
    in_game = {"turn__game": game}
    slips = ("client_id", "turn__number", "player__table", "word", "ref", "declared", "in_time", "received_at")
    verdicts = ("turn__number", "player__table", "result", "reason", "points", "warnings", "bonus", "decided_by")
    clocks = ("turn__number", "room__number", "state", "started_at", "deadline", "closed_at")
    return {
        "players": sorted(Player.objects.filter(event=game.event).values_list("table", "home_table", "name", "club")),
        "entries": sorted(Entry.objects.filter(game=game).values_list("player__table", "room", "first_turn"), key=str),
        "slips": sorted(map(str, Slip.objects.filter(**in_game).values_list(*slips))),
        "verdicts": sorted(map(str, Verdict.objects.filter(**in_game).values_list(*verdicts))),
        "shown": sorted(TurnClock.objects.filter(**in_game, shown_at__isnull=False).values_list("turn", "room")),
        "clocks": sorted(map(str, TurnClock.objects.filter(**in_game).values_list(*clocks))),
        "standings": [line.as_json() for line in standings_of(game)],
        "solos": list(Turn.objects.filter(game=game).order_by("number").values_list("solo", flat=True)),
    }


def changed(text: str, change: Callable[[dict[str, Any]], None]) -> str:
    found = json.loads(text)
    change(found)
    return json.dumps(found)


def resealed(found: dict[str, Any]) -> None:
    """As somebody would who knows how ledgers are written."""
    last: dict[str, Any] | None = None
    entries = []
    for entry in found["archive"]["ledger"]["entries"]:
        last = sealed(last, at=entry["at"], kind=entry["kind"], by=entry["by"], data=entry["data"])
        entries.append(last)
    found["archive"]["ledger"] = {"entries": entries, "head": entries[-1]["hash"]}


def test_a_whole_game_in_two_halls_is_one_game_and_verifies_in_both(halls: Halls) -> None:
    halls.play(9)
    feed = halls.feed()

    def elsewhere() -> list[str]:
        night = outpost(halls, feed)
        texts = play_outpost(night)
        assert verified(night.refresh()) == []
        assert night.game.end_why == halls.night.game.end_why
        return texts

    texts = in_another_hall(elsewhere)
    assert turns_shown(halls.night.game) == 4
    merged = halls.merge(texts[-1])
    assert (merged.turns, merged.again) == (4, False)
    assert (halls.verified(), halls.verified(halls.room)) == ([], [])
    lines = standings_of(halls.night.game)
    assert sorted(line.table for line in lines) == [1, 2, 3, 17, 2001, 2002, 2003, 2017]
    assert Player.objects.get(event=halls.night.event, table=2017).home_table == 17
    assert differences(FeedLink.objects.get(pk=halls.link.pk)) == []


def test_who_is_disqualified_elsewhere_has_no_rank_here_either(halls: Halls) -> None:
    halls.play(9)
    feed = halls.feed()

    def elsewhere() -> list[str]:
        night = outpost(halls, feed)
        play_outpost(night, turns=2)
        disqualify(player=night.player(1), reason="shouted", by=night.judge, now=night.later())
        return play_outpost(night)

    halls.merge(in_another_hall(elsewhere)[-1])
    assert [line.table for line in standings_of(halls.night.game) if line.rank is None] == [2001]
    assert (halls.verified(), halls.verified(halls.room)) == ([], [])


def test_the_merged_standings_are_those_of_one_hall_with_all_players(halls: Halls, handed_in: list[str]) -> None:
    halls.merge(handed_in[-1])
    archive = json.loads(handed_in[-1])["archive"]
    there = {2000 + line["table"]: line["total"] for line in archive["standings"]}
    merged = {line.table: line.total for line in standings_of(halls.night.refresh())}
    here = {line.table: line.total for line in standings_of(halls.night.game, halls.night.room)}
    assert len(there) == len(here) == 4
    assert any(there.values())
    assert merged == here | there


def test_the_same_hand_in_twice_changes_nothing(halls: Halls, handed_in: list[str]) -> None:
    first = halls.merge(handed_in[-1])
    before, entries = stored(halls), halls.night.game.ledger.count()
    second = halls.merge(handed_in[-1])
    assert (first.slips > 0, second.slips) == (True, 0)
    assert (stored(halls), halls.night.game.ledger.count()) == (before, entries)


def test_parts_in_any_order_and_repetition_give_the_same_game(halls: Halls, handed_in: list[str]) -> None:
    with transaction.atomic():
        mark = transaction.savepoint()
        halls.merge(handed_in[-1])
        whole = stored(halls)
        transaction.savepoint_rollback(mark)
    assert len(whole["slips"]) > len(stored(halls)["slips"])
    parts = list(range(len(handed_in)))

    @settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.lists(st.sampled_from(parts), max_size=4))
    def any_order(order: list[int]) -> None:
        with transaction.atomic():
            mark = transaction.savepoint()
            for part in [*order, parts[-1], *order]:
                halls.merge(handed_in[part])
            found = stored(halls)
            transaction.savepoint_rollback(mark)
        assert found == whole

    any_order()


def test_standings_of_all_rooms_go_on_with_every_part(halls: Halls, handed_in: list[str]) -> None:
    for number in (1, 2, 3):
        halls.merge(handed_in[number - 1])
        assert turns_shown(halls.night.refresh()) == number
        assert len(standings_of(halls.night.game)) == 8


def test_a_feed_shows_neither_racks_nor_moves_nor_words_ruled_on(halls: Halls) -> None:
    halls.play(1)
    halls.night.begin_turn("ACEIRST")
    halls.night.rule("ZZPLANT", Ruling.ACCEPTED, "a planted reason")
    halls.night.close()
    halls.night.place()
    halls.night.draw()
    halls.night.announce()
    turns = list(Turn.objects.filter(game=halls.night.game))
    feed = halls.feed()
    secrets = [text for turn in turns for text in (turn.rack, turn.master_word, *turn.board) if text.strip(".")]
    assert len(secrets) > 4
    shown = json.dumps({**json.loads(feed), "edition_file": ""})
    assert leaked(shown, (*secrets, "ZZPLANT", "planted")) == []
    assert halls.token not in feed


def test_a_rack_is_in_the_feed_once_announced_and_its_move_once_it_stays(halls: Halls) -> None:
    def told() -> list[tuple[bool, bool]]:
        return [(turn["announced"], turn["placed"]) for turn in json.loads(halls.feed())["turns"]]

    halls.night.draw()
    assert told() == []
    halls.night.announce()
    assert told() == [(True, False)]
    halls.night.close()
    halls.night.place()
    assert (told(), json.loads(halls.feed())["turns"][0]["master"]) == ([(True, False)], None)
    halls.night.draw()
    assert told() == [(True, False)]
    halls.night.announce()
    assert told() == [(True, True), (True, False)]


def test_the_same_feed_is_the_same_text(halls: Halls) -> None:
    halls.play(2)
    assert halls.feed() == halls.feed()


def everything_in_the_database() -> str:
    rows = [*FollowedFeed.objects.all(), *Turn.objects.all(), *WordRuling.objects.all()]
    return str(serializers.serialize("json", rows))


def test_an_outpost_holds_no_turn_ahead_in_plain(halls: Halls) -> None:
    halls.play(9)
    racks = [turn.rack for turn in Turn.objects.filter(game=halls.night.game).order_by("number")]
    moves = [turn.master_word for turn in Turn.objects.filter(game=halls.night.game).order_by("number")]
    feed, drawing = halls.feed(), halls.night.game.pk

    def elsewhere() -> list[str]:
        night = outpost(halls, feed)
        Turn.objects.filter(game=drawing).delete()  # of another server
        assert leaked(everything_in_the_database(), (halls.token, *racks, *moves)) == []
        night.draw()
        night.announce()
        view = desk_view(night.refresh(), night.room, night.now)
        pages = [asdict(hall_view(night.game, night.room, night.now)), asdict(view), export_game(night.game)]
        shown = json.dumps(pages, default=str, ensure_ascii=False) + everything_in_the_database()
        assert racks[0] in shown
        assert leaked(shown, racks[1:]) == []
        assert fed.master_part(night.turn) is None
        night.close()
        assert fed.master_part(night.turn) is not None
        return []

    with transaction.atomic():
        mark = transaction.savepoint()
        elsewhere()
        transaction.savepoint_rollback(mark)


def test_a_room_without_a_line_plays_what_it_has_and_is_told_what_is_missing(halls: Halls) -> None:
    halls.play(1)
    halls.night.draw()
    halls.night.announce()
    early = halls.feed()
    halls.night.close()
    halls.night.place()
    halls.play(9)
    late = halls.feed()

    def elsewhere() -> list[str]:
        night = outpost(halls, early)
        tell(night, None)
        texts = play_outpost(night, 1)
        night.draw()
        night.announce()
        night.close()
        with pytest.raises(Refused, match="move of turn 2 has not arrived"):
            night.place()
        tell(night, late)
        night.place()
        return [*texts, *play_outpost(night)]

    texts = in_another_hall(elsewhere)
    assert halls.merge(texts[0]).turns == 1
    assert halls.merge(texts[-1]).turns == 4
    assert (turns_shown(halls.night.refresh()), halls.verified(halls.room)) == (4, [])


def test_a_turn_that_has_not_arrived_is_named(halls: Halls) -> None:
    def elsewhere() -> list[str]:
        night = outpost(halls)
        with pytest.raises(Refused, match="Turn 1 of the drawing room has not arrived"):
            night.draw()
        return []

    in_another_hall(elsewhere)


def test_a_prepared_game_goes_on_alone_to_its_end_but_not_ahead_of_the_drawing_room(judge: User) -> None:
    halls = two_halls(judge)
    play_on(halls.night, prepared_game(judge))
    halls.night.begin_turn()
    feed = halls.feed()
    assert len(json.loads(feed)["turns"]) == 5

    def elsewhere() -> list[str]:
        night = outpost(halls, feed)
        night.begin_turn()
        night.close()
        with pytest.raises(Refused, match="move of turn 1 has not arrived"):
            night.place()
        tell(night, None)
        night.place()
        texts = play_outpost(night)
        assert (night.refresh().state, night.turn.number) == (GameState.FINISHED, 5)
        assert verified(night.game) == []
        return texts

    texts = in_another_hall(elsewhere)
    early = halls.merge(texts[-1])
    assert (early.turns, early.again) == (1, True)
    halls.night.close()
    halls.night.place()
    halls.play(9)
    late = halls.merge(texts[-1])
    assert (late.turns, late.again) == (5, False)
    assert turns_shown(halls.night.refresh()) == 5
    assert halls.verified(halls.room) == []


def test_words_of_the_drawing_room_count_where_another_list_lacks_them(halls: Halls, small_data_folder: Path) -> None:
    halls.play(9)
    laid = {turn.master_word.upper() for turn in Turn.objects.filter(game=halls.night.game)}
    kept = sorted(set(WORDS.split()) - laid)
    list_file = small_data_folder / "lexicons" / "it.txt"
    whole = list_file.read_text()
    feed = halls.feed()

    def elsewhere() -> list[str]:
        night = outpost(halls, feed)
        assert night.game.lexicon_sha256 != json.loads(feed)["lexicon"]["sha256"]
        texts = play_outpost(night)
        assert WordRuling.objects.filter(game=night.game, reason="laid by the drawing room").exists()
        assert verified(night.refresh()) == []
        return texts

    list_file.write_text("".join(f"{word}\n" for word in kept))
    try:
        texts = in_another_hall(elsewhere)
    finally:
        list_file.write_text(whole)
    halls.merge(texts[-1])
    link = FeedLink.objects.get(pk=halls.link.pk)
    assert link.lexicon_sha256 != halls.night.game.lexicon_sha256
    assert halls.verified(halls.room) == []


def test_the_judge_of_the_other_hall_decides_and_differences_are_listed(halls: Halls) -> None:
    halls.play(9)
    feed = halls.feed()

    def elsewhere() -> list[str]:
        night = outpost(halls, feed)
        turn = night.begin_turn()
        ranked = lexicons.solver_for(night.game, 1).ranked(board_before(turn), rack_of(turn))
        edition, notation = edition_of(night.game), profile_of(night.game).notation
        laid = halls.night.game.turns.get(number=1).master_word.upper()
        move = next(move for move in ranked if move.word_text(edition).upper() != laid)
        word = move.word_text(edition)
        night.phone(1, "ZZWRONG", "8H", 12)
        night.phone(2, word, move.reference_text(notation), move.score)
        night.close()
        assert night.verdict(2).points > 0
        group = night.verdict(1).group
        rulings.decide_group(turn=night.turn, group=group, points=7, reason="seen", by=night.judge, now=night.later())
        night.rule(word.upper(), Ruling.STRUCK, "not with us")
        night.place()
        assert night.verdict(2).points == 0
        return [hand_in_of(night.refresh())]

    [text] = in_another_hall(elsewhere)
    halls.merge(text)
    verdict = Verdict.objects.get(turn__game=halls.night.game, turn__number=1, player__home_table=1)
    assert (verdict.points, verdict.decided_by) == (7, "judge")
    [found] = differences(FeedLink.objects.get(pk=halls.link.pk))
    assert (found.turn, found.table, found.there, found.here > 0) == (1, 2, 0, True)
    [line] = rooms_elsewhere(halls.night.game, halls.night.now).values()
    assert len(line.words) == 1
    assert halls.verified(halls.room) == []


def test_only_one_process_asks_the_drawing_server(halls: Halls) -> None:
    night = outpost(halls)
    line = FollowedFeed.objects.get()
    later = night.later(5)
    assert [outposts.lease(line=line, now=later) for _process in range(3)] == [True, False, False]
    assert outposts.lease(line=line, now=night.later(5))


def test_a_room_that_ends_early_keeps_nobody_waiting(halls: Halls) -> None:
    halls.play(9)
    feed = halls.feed()

    def elsewhere() -> list[str]:
        night = outpost(halls, feed)
        texts = play_outpost(night, 2)
        outposts.end_here(game=night.refresh(), by=night.judge, now=night.later())
        return [*texts, hand_in_of(night.refresh())]

    texts = in_another_hall(elsewhere)
    halls.merge(texts[1])
    assert turns_shown(halls.night.refresh()) == 2
    halls.merge(texts[-1])
    assert turns_shown(halls.night.refresh()) == 4
    assert halls.verified(halls.room) == []


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda it: it.update(commitment="0" * 64), "another game: its commitment"),
        (lambda it: it["archive"]["ledger"]["entries"].pop(2), "chain of its ledger breaks"),
        (lambda it: it["archive"]["turns"][0]["slips"][0].update(word="CHANGED"), "slips are not those"),
        (lambda it: it["archive"]["turns"][1].update(rack="QQQQQQQ"), "another rack or board"),
        (lambda it: it["archive"]["turns"][1]["master"].update(score=999), "Another move than here"),
        (lambda it: it["archive"].pop("turns"), "archive.turns is missing"),
        (lambda it: it.update(format="duplicate-game"), "is not"),
        (lambda it: it["archive"]["players"].clear(), "not in the list"),
        (lambda it: it["archive"]["players"][0].update(name=" "), "Give the player a name"),
    ],
)
def test_what_does_not_fit_is_refused_and_stored_nowhere(
    halls: Halls, handed_in: list[str], change: Callable[[dict[str, Any]], None], sentence: str
) -> None:
    before, entries = stored(halls), halls.night.game.ledger.count()
    with pytest.raises(Refused, match=sentence):
        halls.merge(changed(handed_in[-1], change))
    assert (stored(halls), halls.night.game.ledger.count()) == (before, entries)
    assert FeedLink.objects.get(pk=halls.link.pk).handed_in_at is None
    assert halls.merge(handed_in[-1]).turns == 4


def test_a_slip_that_no_entry_seals_is_refused(halls: Halls, handed_in: list[str]) -> None:
    def change(found: dict[str, Any]) -> None:
        entries = found["archive"]["ledger"]["entries"]
        found["archive"]["ledger"]["entries"] = [entry for entry in entries if entry["kind"] != "slips"]
        resealed(found)

    with pytest.raises(Refused, match="seals a slip"):
        halls.merge(changed(handed_in[-1], change))


def test_the_link_is_kept_as_a_hash_and_can_be_taken_back(halls: Halls) -> None:
    assert halls.token not in serializers.serialize("json", FeedLink.objects.all())
    feeds.take_link_back(room=halls.room, by=halls.night.judge, now=halls.night.later())
    assert FeedLink.objects.get(pk=halls.link.pk).token_hash is None
    with pytest.raises(Refused, match="taken back already"):
        feeds.take_link_back(room=halls.room, by=halls.night.judge, now=halls.night.later())


def test_nobody_plays_here_in_a_room_that_plays_elsewhere(halls: Halls) -> None:
    night = halls.night
    newcomers = [players.NewPlayer(50, "Zita")]
    with pytest.raises(Refused, match="plays on its own server"):
        players.add_players(event=night.event, players=newcomers, now=night.later(), room=halls.room)
    night.begin_turn()
    with pytest.raises(Refused, match="plays on its own server"):
        pursuing.announce_next(game=night.game, room=halls.room, now=night.later(), by=night.judge)
    with pytest.raises(Refused, match="has its players there"):
        rooms.move_player(player=night.player(1), room=halls.room, by=night.judge, now=night.later())


def test_a_feed_with_another_link_is_refused(halls: Halls) -> None:
    halls.play(1)
    link = f"http://drawing.example/feed/{new_token()}/"
    with pytest.raises(Refused, match="cannot be opened with this link"):
        outposts.take_part(link=link, text=halls.feed(), by=halls.night.judge, now=utc_now())
    with pytest.raises(Refused, match="not the link of a drawing room"):
        outposts.take_part(link="http://drawing.example/play/", text=halls.feed(), by=halls.night.judge, now=utc_now())
