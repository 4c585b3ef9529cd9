"""Verification reports facts of a played game that were changed directly in the database.

An owner of the database can remove the ledger's triggers and have the program judge again by the changed facts. The
tests do both, because most changes would otherwise show as verdicts that do not follow from the facts.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from random import Random
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, QuerySet

from engine.archive.ledger import seal_entry
from engine.archive.replay import check_shown, unchecked_topics, verify
from engine.archive.schema import read_archive
from tests.examples import representative
from tests.ledger_table import unprotected
from tests.tournaments.club_game import FOUR_PLAYERS, NEXT_SEED, ClubGame, create_club_game, seeded_random
from tournaments.enums import GameState, Ruling, SlipSource
from tournaments.events.services import events
from tournaments.judging.services import rejudging, rulings
from tournaments.judging.services import warnings as warnings_services
from tournaments.judging.services.ruling_request import RulingRequest
from tournaments.lexicons import word_lists
from tournaments.models import (
    Entry,
    Game,
    GivenWarning,
    LedgerEntry,
    Player,
    Slip,
    SlipRuling,
    Turn,
    TurnClock,
    Verdict,
    WordRuling,
)
from tournaments.play.position import board_before, edition_of, profile_of, rack_of
from tournaments.play.services import clocks, game_end
from tournaments.players.services import anonymise, players, tables
from tournaments.players.services.players import NewPlayer
from tournaments.results.queries.archive import export_game
from tournaments.results.verification import verify_game

pytestmark = pytest.mark.django_db

Change = Callable[[ClubGame], object]
SWITCHES = {
    "board_takes": "top",
    "average_for_second_zero": True,
    "free_warnings": 1,
    "solo_bonus": 5,
    "solo_min_players": 2,
}
CHANGES: dict[str, Change] = {}
"""By name what is changed; verdicts, tops and standings follow from it as the program derives them."""


def _late_decisions() -> QuerySet[SlipRuling]:
    return SlipRuling.objects.filter(known_since__gt=F("turn__number"))


def play(judge: User) -> ClubGame:
    """Four turns with everything that changes points: table 3 is late in turn 1, has the same zero in turns 2 and 3;
    table 5 comes before turn 2, table 2 leaves after turn 3."""
    club_game = create_club_game(judge, FOUR_PLAYERS, switches=SWITCHES)
    rng = seeded_random(3)
    tables.swap_tables(event=club_game.event, table=17, other=7, by=judge, now=club_game.later())
    _play(club_game, rng, {1: 0, 2: 3}, late=3)
    warnings_services.set_warning(
        turn=club_game.turn,
        player=club_game.player(1),
        code="discipline",
        given=True,
        request=RulingRequest(reason="", by=judge, now=club_game.later()),
    )
    club_game.rule(club_game.verdict(2).slip.word, Ruling.STRUCK)  # type: ignore[union-attr]
    club_game.place()
    club_game.undo()
    club_game.place()
    players.add_players(event=club_game.event, players=[NewPlayer(5, "Ezio Galli")], by=judge, now=club_game.later())
    _play(club_game, rng, {1: 1, 2: 2, 3: None, 5: 0}, paused=True)
    _decide(club_game, 2, 9)
    _decide(club_game, 5, 500)
    club_game.place()
    _play(club_game, rng, {1: 4, 2: 1, 3: None, 5: 2})
    club_game.place()
    players.leave_game(player=club_game.player(2), by=judge, now=club_game.later())
    _play(club_game, rng, {1: 2, 3: 1, 5: 0})
    club_game.place()
    third = Turn.objects.get(game=club_game.game, number=3)
    group = club_game.verdict(5, turn=3).group
    rejudging.decide_group(
        turn=third, group=group, points=4, request=RulingRequest(reason="seen", by=judge, now=club_game.later())
    )
    rejudging.set_warning(
        turn=third,
        player=club_game.player(1),
        code="unreadable",
        given=True,
        request=RulingRequest(reason="seen", by=judge, now=club_game.later()),
    )
    struck = WordRuling.objects.get()
    rejudging.rule_word(
        turn=third,
        word=struck.word,
        ruling=Ruling.ACCEPTED,
        request=RulingRequest(reason="seen", by=judge, now=club_game.later()),
    )
    game_end.end_game(game=club_game.refresh(), by=judge, now=club_game.later())
    return club_game


def _play(
    club_game: ClubGame, rng: Random, ranks: dict[int, int | None], *, late: int = 0, paused: bool = False
) -> None:
    """One turn up to its verdicts: each of these tables writes the move of this rank, None: one that does not fit.
    Table 7 writes on paper, twice."""
    club_game.draw()
    club_game.announce()
    turn, notation = club_game.turn, profile_of(club_game.game).notation
    ranked = word_lists.get_solver(turn.game, turn.number).ranked(board_before(turn), rack_of(turn))
    texts = [(move.word_text(edition_of(club_game.game)), move.reference_text(notation), move.score) for move in ranked]
    for table, rank in ranks.items():
        club_game.phone(table, *(("ZZZZ", "8H", 40) if rank is None else texts[rank % len(texts)]))
    if paused:
        now = club_game.later(20)
        clocks.pause_clock(turn=club_game.turn, room=club_game.room, now=now, by=club_game.judge)
        clocks.resume_clock(turn=club_game.turn, room=club_game.room, now=club_game.later(60), by=club_game.judge)
        clocks.add_time(turn=club_game.turn, room=club_game.room, seconds=30, now=club_game.later(), by=club_game.judge)
    for word, ref, score in (texts[1], texts[2 % len(texts)]):
        club_game.paper(f"7 {ref} {word} {score + 1}")
    club_game.close()
    if late:
        club_game.phone(late, *texts[0], after=30)


def _decide(club_game: ClubGame, table: int, points: int) -> None:
    rulings.decide_groups(
        turn=club_game.turn,
        groups=[club_game.verdict(table).group],
        points=points,
        request=RulingRequest(reason="agreed", by=club_game.judge, now=club_game.later()),
    )


def derive_all(club_game: ClubGame) -> None:
    """The verdicts and tops that the program would derive from the present facts."""
    game = Game.objects.select_related("event").get(pk=club_game.game.pk)
    for turn in Turn.objects.filter(game=game).order_by("number"):
        turn.game = game
        rulings.rejudge(game, turn)


def change(name: str) -> Callable[[Change], Change]:
    def enter(function: Change) -> Change:
        CHANGES[name] = function
        return function

    return enter


def slip(club_game: ClubGame, turn: int, table: int) -> Slip:
    """The slip that counts."""
    found = club_game.verdict(table, turn).slip
    assert found is not None
    return found


def clock(turn: int) -> TurnClock:
    return TurnClock.objects.get(turn__number=turn)


def set_slip(turn: int, table: int, **fields: object) -> Change:
    return lambda club_game: Slip.objects.filter(pk=slip(club_game, turn, table).pk).update(**fields)


def set_clock(turn: int, field: str, seconds: int) -> Change:
    """Change a time, and set `in_time` of phone slips as the program does."""

    def act(club_game: ClubGame) -> None:
        TurnClock.objects.filter(turn__number=turn).update(**{field: F(field) + timedelta(seconds=seconds)})
        clocks._restamp_slips([clock(turn)])

    return act


def set_game(**fields: object) -> Change:
    return lambda club_game: Game.objects.update(**fields)


def set_switch(name: str, value: object) -> Change:
    return lambda club_game: Game.objects.update(switches={**club_game.refresh().switches, name: value})


def set_player(table: int, **fields: object) -> Change:
    return lambda club_game: Player.objects.filter(table=table).update(**fields)


def set_entry(table: int, **fields: object) -> Change:
    return lambda club_game: Entry.objects.filter(player__table=table).update(**fields)


def swap(*fields: str, tables: tuple[int, int] = (1, 3)) -> Change:
    def act(club_game: ClubGame) -> None:
        one, other = (club_game.player(table) for table in tables)
        for field in fields:
            ours, theirs = getattr(one, field), getattr(other, field)
            setattr(one, field, theirs)
            setattr(other, field, ours)
        if "table" in fields:
            Player.objects.filter(pk=one.pk).update(table=99)
            other.save()
        one.save()
        other.save()

    return act


CHANGES |= {
    "a deadline an hour later, so that a late slip counts": set_clock(1, "deadline", 3600),
    "a deadline earlier, so that slips are late": set_clock(3, "deadline", -4),
    "another start": set_clock(2, "started_at", 1),
    "another close": set_clock(4, "closed_at", 1),
    "a longer grace": lambda club_game: TurnClock.objects.filter(turn__number=1).update(grace_ms=60_000),
    "names changed between two players": swap("name"),
    "names with their salts changed between two players": swap("name", "club", "salt"),
    "two players at each other's tables": swap("table"),
    "another name": set_player(3, name="Carla Nera"),
    "another name with another salt": set_player(3, name="Carla Nera", salt="00" * 16),
    "a name without its salt": set_player(3, salt=""),
    "another club": set_player(1, club="Roma"),
    "another surname": set_player(1, stated_surname="Anna"),
    "another licence": set_player(1, licence="X-1"),
    "a late-comer who was there from the start": set_entry(5, first_turn=1),
    "a player who came later": set_entry(3, first_turn=2),
    "a player who left before": set_entry(2, last_turn=2),
    "a player who did not leave": set_entry(2, last_turn=None),
    "another word on a slip": set_slip(2, 1, word="CASA"),
    "another score on a slip": set_slip(2, 7, declared=3),
    "another reference on a slip": set_slip(4, 3, ref="A1"),
    "a slip on paper that came late": set_slip(3, 7, in_time=False),
    "another time of a slip": lambda club_game: Slip.objects.filter(pk=slip(club_game, 2, 1).pk).update(
        received_at=F("received_at") + timedelta(seconds=1)
    ),
    "one of several slips": set_slip(3, 7, several=True),
    "a slip in another batch": set_slip(2, 1, batch=3),
    "a slip of another source": set_slip(2, 1, source=SlipSource.PAPER),
    "a slip less": lambda club_game: slip(club_game, 4, 1).delete(),
    "another seed": set_game(seed=NEXT_SEED),
    "another commitment": set_game(commitment="ab" * 32),
    "another hall word": set_game(hall_word="girasole"),
    "another reason for the end": set_game(end_why="turns"),
    "a game that is not over": set_game(state=GameState.RUNNING),
    "other seconds of a turn": set_game(turn_seconds=60),
    "another sanction": set_switch("sanction", 7),
    "a switch without effect in this game": set_switch("bonus_cap", 500),
    "another rack": lambda club_game: Turn.objects.filter(number=3).update(rack="ABCDEFG"),
    "a rack that was rejected": lambda club_game: Turn.objects.filter(number=2).update(rejected=["AAEEIOU"]),
    "another chooser of the move": lambda club_game: Turn.objects.filter(number=2).update(master_chosen_by="judge"),
    "a ruling on a word less": lambda club_game: WordRuling.objects.filter(ruling=Ruling.STRUCK).delete(),
    "a ruling on a word from another turn": lambda club_game: WordRuling.objects.update(from_turn=2),
    "a late ruling on a word as if in time": lambda club_game: WordRuling.objects.update(known_since=F("from_turn")),
    "a warning taken back": lambda club_game: GivenWarning.objects.filter(code="discipline").update(
        revoked_at=club_game.now
    ),
    "a warning in another turn": lambda club_game: GivenWarning.objects.update(turn=Turn.objects.get(number=2)),
    "a warning of another player": lambda club_game: GivenWarning.objects.update(player=club_game.player(7)),
    "a decision on a slip less": lambda club_game: SlipRuling.objects.filter(points=9).delete(),
    "a decision with other points": lambda club_game: SlipRuling.objects.filter(points=9).update(points=999),
    "a late decision with other points": lambda club_game: _late_decisions().update(points=44),
    "a late decision as if in time": lambda club_game: _late_decisions().update(known_since=3),
}


@change("a decision without an entry: 999 points")
def _(club_game: ClubGame) -> None:
    turn = Turn.objects.get(number=4)
    group = club_game.verdict(3, 4).group
    SlipRuling.objects.create(
        turn=turn, group=group, points=999, known_since=turn.number, reason="x", by=club_game.judge, at=club_game.now
    )


@change("a word accepted without an entry")
def _(club_game: ClubGame) -> None:
    row = {"event": club_game.event, "game": club_game.game, "by": club_game.judge, "at": club_game.now, "reason": "x"}
    WordRuling.objects.create(word="ZZZZ", ruling=Ruling.ACCEPTED, from_turn=2, known_since=2, **row)


@change("a warning without an entry")
def _(club_game: ClubGame) -> None:
    turn = Turn.objects.get(number=4)
    GivenWarning.objects.create(
        turn=turn, player=club_game.player(3), code="discipline", by=club_game.judge, at=club_game.now
    )


@change("a player more")
def _(club_game: ClubGame) -> None:
    player = Player.objects.create(
        event=club_game.event, room=club_game.room, table=8, name="Nuova", joined_at=club_game.now
    )
    Entry.objects.create(game=club_game.game, room=club_game.room, player=player, first_turn=4)


@change("a player less")
def _(club_game: ClubGame) -> None:
    club_game.player(5).delete()


@change("a slip more")
def _(club_game: ClubGame) -> None:
    best = slip(club_game, 4, 5)
    best.pk, best.player, best.client_id, best.version = None, club_game.player(3), uuid4(), 2
    best.received_at += timedelta(seconds=10)
    best.save()


@change("two players' slips changed")
def _(club_game: ClubGame) -> None:
    one, other = slip(club_game, 4, 1), slip(club_game, 4, 3)
    Slip.objects.filter(pk=one.pk).update(player=other.player, version=9)
    Slip.objects.filter(pk=other.pk).update(player=one.player, version=9)


@change("a turn less")
def _(club_game: ClubGame) -> None:
    Turn.objects.filter(number=4).delete()


def _verdict(club_game: ClubGame, turn: int, table: int) -> QuerySet[Verdict]:
    return Verdict.objects.filter(pk=club_game.verdict(table, turn).pk)


VERDICTS: dict[str, Change] = {
    "a verdict with other points": lambda club_game: _verdict(club_game, 4, 1).update(points=F("points") + 100),
    "a verdict by a judge who did not decide": lambda club_game: _verdict(club_game, 4, 1).update(
        points=999, bonus=999 - (club_game.verdict(1, 4).move_score or 0), penalty=0, decided_by="judge"
    ),
    "a decided verdict with a warning more": lambda club_game: _verdict(club_game, 2, 2).update(
        warnings=["score_wrong"]
    ),
    "a decided verdict with a penalty": lambda club_game: _verdict(club_game, 2, 2).update(penalty=50),
    "a zero as if of several slips": lambda club_game: _verdict(club_game, 4, 7).update(
        result="zero", reason="several_slips", points=0, move_score=None, penalty=0, bonus=0, warnings=[], word=""
    ),
    "an average with other points": lambda club_game: _verdict(club_game, 3, 3).update(points=F("points") + 1),
    "another solo": lambda club_game: Turn.objects.filter(number=2).update(solo=1),
    "another top": lambda club_game: Turn.objects.filter(number=2).update(top=F("top") + 1),
    "another move on the board": lambda club_game: Turn.objects.filter(number=4).update(master_word="CASA"),
}
"""Edits of derived rows, without deriving them again."""


def entries(kind: str) -> QuerySet[LedgerEntry]:
    return LedgerEntry.objects.filter(kind=kind)


def rewritten(club_game: ClubGame, without: str) -> None:
    """Recompute the whole chain without the entries of this kind."""
    last: dict[str, object] | None = None
    kept = list(LedgerEntry.objects.exclude(kind=without).order_by("n"))
    LedgerEntry.objects.all().delete()
    for row in kept:
        last = seal_entry(last, at=row.at.isoformat(timespec="microseconds"), kind=row.kind, by=row.by, data=row.data)
        LedgerEntry.objects.create(game=club_game.game, **{**last, "at": row.at})


LEDGER: dict[str, Change] = {
    "no ledger": lambda club_game: LedgerEntry.objects.all().delete(),
    "without its last entry": lambda club_game: LedgerEntry.objects.latest("n").delete(),
    "without its last five entries": lambda club_game: LedgerEntry.objects.filter(
        n__gt=LedgerEntry.objects.latest("n").n - 5
    ).delete(),
    "without an entry in its middle": lambda club_game: entries("pause").delete(),
    "other points in an entry": lambda club_game: entries("slip_ruling").update(data={"points": 999}),
    "another judge": lambda club_game: entries("slip_ruling").update(by="nobody"),
    "another time": lambda club_game: entries("close").update(at=club_game.now),
    "another kind": lambda club_game: entries("warning").update(kind="note"),
    "sealed anew without a decision": lambda club_game: rewritten(club_game, "slip_ruling"),
    "sealed anew without a warning": lambda club_game: rewritten(club_game, "warning"),
    "sealed anew without a pause": lambda club_game: rewritten(club_game, "pause"),
    "sealed anew without slips": lambda club_game: rewritten(club_game, "slips"),
    "sealed anew without players": lambda club_game: rewritten(club_game, "players"),
    "sealed anew without the end": lambda club_game: rewritten(club_game, "end"),
    "an event without names, and so without a ledger": lambda club_game: (
        type(club_game.event).objects.update(ledger_has_names=True, forgotten_at=club_game.now),
        LedgerEntry.objects.all().delete(),
    ),
}


def by_file(club_game: ClubGame) -> list[str]:
    """Verify the archive as `manage.py verify` does."""
    archive = read_archive(json.dumps(export_game(club_game.refresh())))
    return [one.where for one in verify(archive, word_lists.graph_of(word_lists.word_list_of_game(club_game.game)))]


def by_desk(club_game: ClubGame) -> list[str]:
    return [one.where for each in verify_game(club_game.refresh(), club_game.room) for one in each.differences]


def not_reported(club_game: ClubGame, changes: dict[str, Change], then: Change = lambda club_game: None) -> list[str]:
    """The changes that verification of the archive or the check at the desk does not report; each is undone again."""
    silent = []
    for name, act in changes.items():
        with transaction.atomic():
            act(club_game)
            then(club_game)
            if not (by_file(club_game) and by_desk(club_game)):
                silent.append(name)
            transaction.set_rollback(True)
    return silent


def some(changes: dict[str, Change], every: int) -> dict[str, Change]:
    """The first change and every so many after it."""
    return dict(list(changes.items())[::every])


@pytest.fixture
def played(judge: User) -> ClubGame:
    return play(judge)


@pytest.mark.parametrize("every", representative([9, 1]))
def test_each_change_of_the_database_is_reported(played: ClubGame, every: int) -> None:
    """The default run tries every third change."""
    assert by_file(played) == by_desk(played) == []
    assert [each.unchecked for each in verify_game(played.game, played.room)] == [[]]
    derive_all(played)
    assert by_file(played) == []
    assert Verdict.objects.filter(reason="average_of_others").count() == 1
    assert Verdict.objects.filter(reason="late").count() == 1
    assert not_reported(played, some(CHANGES, every), then=derive_all) == []
    assert not_reported(played, some(VERDICTS, every)) == []
    with unprotected():
        assert not_reported(played, some(LEDGER, every)) == []
    assert by_file(played) == []


def test_a_deadline_that_is_moved_while_the_clock_runs_is_reported_too(club_game: ClubGame) -> None:
    """The program closes such a clock by the wrong deadline; the ledger tells the acts from which the right one
    follows."""
    club_game.begin_turn()
    TurnClock.objects.update(deadline=F("deadline") + timedelta(hours=1))
    club_game.phone(1, "ZZZZ", "8H", 20, after=600)
    club_game.close()
    assert Slip.objects.get().in_time
    club_game.place()
    assert "ledger, turn 1, clock" in by_file(club_game)


WHERE = {
    "a deadline an hour later, so that a late slip counts": "ledger, turn 1, clock",
    "a decision without an entry: 999 points": "ledger, turn 4, table 3, decision",
    "a decision on a slip less": "ledger, turn 2, table 2, decision",
    "a word accepted without an entry": "ledger, ZZZZ accepted from turn 2",
    "a warning without an entry": "ledger, turn 4, table 3, warnings",
    "names with their salts changed between two players": "ledger, players, table 1, name",
    "a late-comer who was there from the start": "ledger, players, table 5",
    "a switch without effect in this game": "ledger, profile, bonus_cap",
}


def test_a_difference_names_the_fact_that_no_entry_tells(played: ClubGame) -> None:
    for name, where in WHERE.items():
        with transaction.atomic():
            CHANGES[name](played)
            derive_all(played)
            assert where in by_file(played), name
            transaction.set_rollback(True)


def test_a_ledger_rewritten_with_its_facts_is_told_only_by_a_hash_that_somebody_wrote_down(played: ClubGame) -> None:
    seen = LedgerEntry.objects.filter(kind="place").latest("n")
    with unprotected():
        decided = entries("slip_ruling").filter(data__points=9)
        decided.update(data={**decided.get().data, "points": 99})
        rewritten(played, without="nothing")
    SlipRuling.objects.filter(points=9).update(points=99)
    derive_all(played)
    assert by_file(played) == []
    archive = read_archive(json.dumps(export_game(played.refresh())))
    newest = entries("place").latest("n")
    assert newest.n == seen.n
    assert [entry and entry["n"] for _hash, entry in check_shown(archive, [seen.hash, newest.hash[:16]])] == [
        None,
        newest.n,
    ]


def test_a_game_without_names_verifies_and_its_pseudonyms_are_sealed_too(played: ClubGame) -> None:
    salts = set(Player.objects.values_list("salt", flat=True))
    seals = [entry["seal"] for row in entries("players") for entry in row.data["people"].values()]
    anonymise.anonymise_event(event=played.event, by=played.judge, now=played.later())
    assert by_file(played) == by_desk(played) == []
    archive = export_game(played.refresh())
    text = json.dumps(archive)
    assert "Rossi" not in text
    assert not any(salt in text for salt in salts)
    assert all(seal in text for seal in seals)
    assert unchecked_topics(archive) == []  # type: ignore[arg-type]
    assert not_reported(played, {"names": swap("name", "salt"), "a name": set_player(3, name="Carla Neri")}) == []


def test_the_names_of_an_archive_with_nicknames_are_not_checked(played: ClubGame) -> None:
    players.rename_player(
        played.player(1), players.PlayerDetails(name="Anna Rossi", nickname="Fox"), now=played.later(), by=played.judge
    )
    archive = read_archive(json.dumps(export_game(played.refresh(), for_hall=True)))
    assert archive["players"][0]["name"] == "Fox"
    assert verify(archive, word_lists.graph_of(word_lists.word_list_of_game(played.game))) == []
    assert unchecked_topics(archive) == ["names"]


def test_a_player_who_is_renamed_or_moved_in_the_next_game_is_told_in_all_ledgers(played: ClubGame) -> None:
    first = played.game
    played.game = events.add_game(event=played.event, by=played.judge, now=played.later(), seed=NEXT_SEED)
    players.rename_player(played.player(1), players.PlayerDetails(name="Anna Bo"), now=played.later(), by=played.judge)
    players.add_players(event=played.event, players=[NewPlayer(8, "Ugo")], by=played.judge, now=played.later())
    tables.swap_tables(event=played.event, table=8, other=9, by=played.judge, now=played.later())
    assert by_file(played) == []
    played.game = first
    assert by_file(played) == []
