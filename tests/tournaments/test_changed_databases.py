"""Facts of a played game that somebody changes in the database, past every service: verification reports each.

Whoever has the file can take the ledger's triggers away and have the program judge anew by the changed facts, so both
is done here: without that, most of the changes would already show as verdicts that do not follow.
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

from engine.archive import read_archive
from engine.ledger import sealed
from engine.replay import check_shown, unchecked, verify
from tests.ledger_table import unprotected
from tests.tournaments.night import FOUR, NEXT_SEED, Night, begin, chance
from tournaments import lexicons
from tournaments.enums import GameState, Ruling, SlipSource
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
from tournaments.position import board_before, edition_of, profile_of, rack_of
from tournaments.selectors.archive import export_game
from tournaments.selectors.verification import verify_game
from tournaments.services import clocks, ending, events, forgetting, players, reopening, rulings, tables, warning
from tournaments.services.players import NewPlayer

pytestmark = pytest.mark.django_db

Change = Callable[[Night], object]
SWITCHES = {
    "board_takes": "top",
    "average_for_second_zero": True,
    "free_warnings": 1,
    "solo_bonus": 5,
    "solo_min_players": 2,
}
CHANGES: dict[str, Change] = {}
"""By name what is changed; verdicts, tops and standings follow from it as the program derives them."""


def play(judge: User) -> Night:
    """Four turns with everything that changes points: table 3 is late in turn 1, has the same zero in turns 2 and 3;
    table 5 comes before turn 2, table 2 leaves after turn 3."""
    night = begin(judge, FOUR, switches=SWITCHES)
    rng = chance(3)
    tables.swap(event=night.event, table=17, other=7, by=judge, now=night.later())
    _play(night, rng, {1: 0, 2: 3}, late=3)
    warning.give_warning(
        turn=night.turn, player=night.player(1), code="discipline", reason="", by=judge, now=night.later()
    )
    night.rule(night.verdict(2).slip.word, Ruling.STRUCK)  # type: ignore[union-attr]
    night.place()
    night.undo()
    night.place()
    players.add_players(event=night.event, players=[NewPlayer(5, "Ezio Galli")], by=judge, now=night.later())
    _play(night, rng, {1: 1, 2: 2, 3: None, 5: 0}, paused=True)
    _decide(night, 2, 9)
    _decide(night, 5, 500)
    night.place()
    _play(night, rng, {1: 4, 2: 1, 3: None, 5: 2})
    night.place()
    players.leave(player=night.player(2), by=judge, now=night.later())
    _play(night, rng, {1: 2, 3: 1, 5: 0})
    night.place()
    third = Turn.objects.get(game=night.game, number=3)
    group = night.verdict(5, turn=3).group
    reopening.decide(turn=third, group=group, points=4, reason="seen", by=judge, now=night.later())
    reopening.warn(
        turn=third,
        player=night.player(1),
        code="unreadable",
        given=True,
        reason="seen",
        by=judge,
        now=night.later(),
    )
    struck = WordRuling.objects.get()
    reopening.rule_word(
        turn=third, word=struck.word, ruling=Ruling.ACCEPTED, reason="seen", by=judge, now=night.later()
    )
    ending.end_game(game=night.refresh(), by=judge, now=night.later())
    return night


def _play(night: Night, rng: Random, ranks: dict[int, int | None], *, late: int = 0, paused: bool = False) -> None:
    """One turn up to its verdicts: each of these tables writes the move of this rank, None: one that does not fit.
    Table 7 writes on paper, twice."""
    night.draw()
    night.announce()
    turn, notation = night.turn, profile_of(night.game).notation
    ranked = lexicons.solver_for(turn.game, turn.number).ranked(board_before(turn), rack_of(turn))
    texts = [(move.word_text(edition_of(night.game)), move.reference_text(notation), move.score) for move in ranked]
    for table, rank in ranks.items():
        night.phone(table, *(("ZZZZ", "8H", 40) if rank is None else texts[rank % len(texts)]))
    if paused:
        now = night.later(20)
        clocks.pause(turn=night.turn, room=night.room, now=now, by=night.judge)
        clocks.resume(turn=night.turn, room=night.room, now=night.later(60), by=night.judge)
        clocks.add_time(turn=night.turn, room=night.room, seconds=30, now=night.later(), by=night.judge)
    for word, ref, score in (texts[1], texts[2 % len(texts)]):
        night.paper(f"7 {ref} {word} {score + 1}")
    night.close()
    if late:
        night.phone(late, *texts[0], after=30)


def _decide(night: Night, table: int, points: int) -> None:
    rulings.decide_group(
        turn=night.turn,
        group=night.verdict(table).group,
        points=points,
        reason="agreed",
        by=night.judge,
        now=night.later(),
    )


def derive_all(night: Night) -> None:
    """What the program would write by the facts as they are now, tops included."""
    game = Game.objects.select_related("event").get(pk=night.game.pk)
    for turn in Turn.objects.filter(game=game).order_by("number"):
        turn.game = game
        rulings.judge_anew(game, turn)


def change(name: str) -> Callable[[Change], Change]:
    def enter(function: Change) -> Change:
        CHANGES[name] = function
        return function

    return enter


def slip(night: Night, turn: int, table: int) -> Slip:
    """The slip that counts."""
    found = night.verdict(table, turn).slip
    assert found is not None
    return found


def clock(turn: int) -> TurnClock:
    return TurnClock.objects.get(turn__number=turn)


def set_slip(turn: int, table: int, **fields: object) -> Change:
    return lambda night: Slip.objects.filter(pk=slip(night, turn, table).pk).update(**fields)


def set_clock(turn: int, field: str, seconds: int) -> Change:
    """Moves a time, and stamps the slips of phones as the program does."""

    def act(night: Night) -> None:
        TurnClock.objects.filter(turn__number=turn).update(**{field: F(field) + timedelta(seconds=seconds)})
        clocks._stamp_anew(clock(turn))

    return act


def set_game(**fields: object) -> Change:
    return lambda night: Game.objects.update(**fields)


def set_switch(name: str, value: object) -> Change:
    return lambda night: Game.objects.update(switches={**night.refresh().switches, name: value})


def set_player(table: int, **fields: object) -> Change:
    return lambda night: Player.objects.filter(table=table).update(**fields)


def set_entry(table: int, **fields: object) -> Change:
    return lambda night: Entry.objects.filter(player__table=table).update(**fields)


def swap(*fields: str, tables: tuple[int, int] = (1, 3)) -> Change:
    def act(night: Night) -> None:
        one, other = (night.player(table) for table in tables)
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
    "a longer grace": lambda night: TurnClock.objects.filter(turn__number=1).update(grace_ms=60_000),
    "names changed between two players": swap("name"),
    "names with their salts changed between two players": swap("name", "club", "salt"),
    "two players at each other's tables": swap("table"),
    "another name": set_player(3, name="Carla Nera"),
    "another name with another salt": set_player(3, name="Carla Nera", salt="00" * 16),
    "a name without its salt": set_player(3, salt=""),
    "another club": set_player(1, club="Roma"),
    "a late-comer who was there from the start": set_entry(5, first_turn=1),
    "a player who came later": set_entry(3, first_turn=2),
    "a player who left before": set_entry(2, last_turn=2),
    "a player who did not leave": set_entry(2, last_turn=None),
    "another word on a slip": set_slip(2, 1, word="CASA"),
    "another score on a slip": set_slip(2, 7, declared=3),
    "another reference on a slip": set_slip(4, 3, ref="A1"),
    "a slip on paper that came late": set_slip(3, 7, in_time=False),
    "another time of a slip": lambda night: Slip.objects.filter(pk=slip(night, 2, 1).pk).update(
        received_at=F("received_at") + timedelta(seconds=1)
    ),
    "one of several slips": set_slip(3, 7, several=True),
    "a slip in another batch": set_slip(2, 1, batch=3),
    "a slip of another source": set_slip(2, 1, source=SlipSource.PAPER),
    "a slip less": lambda night: slip(night, 4, 1).delete(),
    "another seed": set_game(seed=NEXT_SEED),
    "another commitment": set_game(commitment="ab" * 32),
    "another hall word": set_game(hall_word="girasole"),
    "another reason for the end": set_game(end_why="turns"),
    "a game that is not over": set_game(state=GameState.RUNNING),
    "other seconds of a turn": set_game(rhythm_s=60),
    "another sanction": set_switch("sanction", 7),
    "a switch without effect in this game": set_switch("bonus_cap", 500),
    "another rack": lambda night: Turn.objects.filter(number=3).update(rack="ABCDEFG"),
    "a rack that was rejected": lambda night: Turn.objects.filter(number=2).update(rejected=["AAEEIOU"]),
    "another chooser of the move": lambda night: Turn.objects.filter(number=2).update(master_chosen_by="judge"),
    "a ruling on a word less": lambda night: WordRuling.objects.filter(ruling=Ruling.STRUCK).delete(),
    "a ruling on a word from another turn": lambda night: WordRuling.objects.update(from_turn=2),
    "a late ruling on a word as if in time": lambda night: WordRuling.objects.update(ruled_in=None),
    "a warning taken back": lambda night: GivenWarning.objects.filter(code="discipline").update(revoked_at=night.now),
    "a warning in another turn": lambda night: GivenWarning.objects.update(turn=Turn.objects.get(number=2)),
    "a warning of another player": lambda night: GivenWarning.objects.update(player=night.player(7)),
    "a decision on a slip less": lambda night: SlipRuling.objects.filter(points=9).delete(),
    "a decision with other points": lambda night: SlipRuling.objects.filter(points=9).update(points=999),
    "a late decision with other points": lambda night: SlipRuling.objects.filter(again=True).update(points=44),
    "a late decision as if in time": lambda night: SlipRuling.objects.filter(again=True).update(again=False),
}


@change("a decision without an entry: 999 points")
def _(night: Night) -> None:
    turn = Turn.objects.get(number=4)
    group = night.verdict(3, 4).group
    SlipRuling.objects.create(turn=turn, group=group, points=999, reason="x", by=night.judge, at=night.now)


@change("a word accepted without an entry")
def _(night: Night) -> None:
    row = {"event": night.event, "game": night.game, "by": night.judge, "at": night.now, "reason": "x"}
    WordRuling.objects.create(word="ZZZZ", ruling=Ruling.ACCEPTED, from_turn=2, **row)


@change("a warning without an entry")
def _(night: Night) -> None:
    turn = Turn.objects.get(number=4)
    GivenWarning.objects.create(turn=turn, player=night.player(3), code="discipline", by=night.judge, at=night.now)


@change("a player more")
def _(night: Night) -> None:
    player = Player.objects.create(event=night.event, room=night.room, table=8, name="Nuova", joined_at=night.now)
    Entry.objects.create(game=night.game, room=night.room, player=player, first_turn=4)


@change("a player less")
def _(night: Night) -> None:
    night.player(5).delete()


@change("a slip more")
def _(night: Night) -> None:
    best = slip(night, 4, 5)
    best.pk, best.player, best.client_id, best.version = None, night.player(3), uuid4(), 2
    best.received_at += timedelta(seconds=10)
    best.save()


@change("two players' slips changed")
def _(night: Night) -> None:
    one, other = slip(night, 4, 1), slip(night, 4, 3)
    Slip.objects.filter(pk=one.pk).update(player=other.player, version=9)
    Slip.objects.filter(pk=other.pk).update(player=one.player, version=9)


@change("a turn less")
def _(night: Night) -> None:
    Turn.objects.filter(number=4).delete()


def _verdict(night: Night, turn: int, table: int) -> QuerySet[Verdict]:
    return Verdict.objects.filter(pk=night.verdict(table, turn).pk)


VERDICTS: dict[str, Change] = {
    "a verdict with other points": lambda night: _verdict(night, 4, 1).update(points=F("points") + 100),
    "a verdict by a judge who did not decide": lambda night: _verdict(night, 4, 1).update(
        points=999, bonus=999 - (night.verdict(1, 4).move_score or 0), penalty=0, decided_by="judge"
    ),
    "a decided verdict with a warning more": lambda night: _verdict(night, 2, 2).update(warnings=["score_wrong"]),
    "a decided verdict with a penalty": lambda night: _verdict(night, 2, 2).update(penalty=50),
    "a zero as if of several slips": lambda night: _verdict(night, 4, 7).update(
        result="zero", reason="several_slips", points=0, move_score=None, penalty=0, bonus=0, warnings=[], word=""
    ),
    "an average with other points": lambda night: _verdict(night, 3, 3).update(points=F("points") + 1),
    "another solo": lambda night: Turn.objects.filter(number=2).update(solo=1),
    "another top": lambda night: Turn.objects.filter(number=2).update(top=F("top") + 1),
    "another move on the board": lambda night: Turn.objects.filter(number=4).update(master_word="CASA"),
}
"""What follows from facts, written over: nothing is derived anew."""


def entries(kind: str) -> QuerySet[LedgerEntry]:
    return LedgerEntry.objects.filter(kind=kind)


def rewritten(night: Night, without: str) -> None:
    """The whole chain sealed anew, without the entries of this kind."""
    last: dict[str, object] | None = None
    kept = list(LedgerEntry.objects.exclude(kind=without).order_by("n"))
    LedgerEntry.objects.all().delete()
    for row in kept:
        last = sealed(last, at=row.at.isoformat(timespec="microseconds"), kind=row.kind, by=row.by, data=row.data)
        LedgerEntry.objects.create(game=night.game, **{**last, "at": row.at})


LEDGER: dict[str, Change] = {
    "no ledger": lambda night: LedgerEntry.objects.all().delete(),
    "without its last entry": lambda night: LedgerEntry.objects.latest("n").delete(),
    "without its last five entries": lambda night: LedgerEntry.objects.filter(
        n__gt=LedgerEntry.objects.latest("n").n - 5
    ).delete(),
    "without an entry in its middle": lambda night: entries("pause").delete(),
    "other points in an entry": lambda night: entries("slip_ruling").update(data={"points": 999}),
    "another judge": lambda night: entries("slip_ruling").update(by="nobody"),
    "another time": lambda night: entries("close").update(at=night.now),
    "another kind": lambda night: entries("warning").update(kind="note"),
    "sealed anew without a decision": lambda night: rewritten(night, "slip_ruling"),
    "sealed anew without a warning": lambda night: rewritten(night, "warning"),
    "sealed anew without a pause": lambda night: rewritten(night, "pause"),
    "sealed anew without slips": lambda night: rewritten(night, "slips"),
    "sealed anew without players": lambda night: rewritten(night, "players"),
    "sealed anew without the end": lambda night: rewritten(night, "end"),
    "an event without names, and so without a ledger": lambda night: (
        type(night.event).objects.update(ledger_has_names=True, forgotten_at=night.now),
        LedgerEntry.objects.all().delete(),
    ),
}


def by_file(night: Night) -> list[str]:
    """As `manage.py verify` reads the archive."""
    archive = read_archive(json.dumps(export_game(night.refresh())))
    return [one.where for one in verify(archive, lexicons.graph_of(lexicons.of_game(night.game)))]


def by_desk(night: Night) -> list[str]:
    return [one.where for each in verify_game(night.refresh(), night.room) for one in each.differences]


def not_reported(night: Night, changes: dict[str, Change], then: Change = lambda night: None) -> list[str]:
    """The changes that verification of the archive or the check at the desk does not report; each is undone again."""
    silent = []
    for name, act in changes.items():
        with transaction.atomic():
            act(night)
            then(night)
            if not (by_file(night) and by_desk(night)):
                silent.append(name)
            transaction.set_rollback(True)
    return silent


@pytest.fixture
def played(judge: User) -> Night:
    return play(judge)


def test_each_change_of_the_database_is_reported(played: Night) -> None:
    assert by_file(played) == by_desk(played) == []
    assert [each.unchecked for each in verify_game(played.game, played.room)] == [[]]
    derive_all(played)
    assert by_file(played) == []
    assert Verdict.objects.filter(reason="average_of_others").count() == 1
    assert Verdict.objects.filter(reason="late").count() == 1
    assert not_reported(played, CHANGES, then=derive_all) == []
    assert not_reported(played, VERDICTS) == []
    with unprotected():
        assert not_reported(played, LEDGER) == []
    assert by_file(played) == []


def test_a_deadline_that_is_moved_while_the_clock_runs_is_reported_too(night: Night) -> None:
    """The program closes such a clock by the wrong deadline; the ledger tells the acts from which the right one
    follows."""
    night.begin_turn()
    TurnClock.objects.update(deadline=F("deadline") + timedelta(hours=1))
    night.phone(1, "ZZZZ", "8H", 20, after=600)
    night.close()
    assert Slip.objects.get().in_time
    night.place()
    assert "ledger, turn 1, clock" in by_file(night)


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


def test_a_difference_names_the_fact_that_no_entry_tells(played: Night) -> None:
    for name, where in WHERE.items():
        with transaction.atomic():
            CHANGES[name](played)
            derive_all(played)
            assert where in by_file(played), name
            transaction.set_rollback(True)


def test_a_ledger_rewritten_with_its_facts_is_told_only_by_a_hash_that_somebody_wrote_down(played: Night) -> None:
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


def test_a_game_without_names_verifies_and_its_pseudonyms_are_sealed_too(played: Night) -> None:
    salts = set(Player.objects.values_list("salt", flat=True))
    seals = [entry["seal"] for row in entries("players") for entry in row.data["people"].values()]
    forgetting.forget(event=played.event, by=played.judge, now=played.later())
    assert by_file(played) == by_desk(played) == []
    archive = export_game(played.refresh())
    text = json.dumps(archive)
    assert "Rossi" not in text
    assert not any(salt in text for salt in salts)
    assert all(seal in text for seal in seals)
    assert unchecked(archive) == []  # type: ignore[arg-type]
    assert not_reported(played, {"names": swap("name", "salt"), "a name": set_player(3, name="Carla Neri")}) == []


def test_the_names_of_an_archive_with_nicknames_are_not_checked(played: Night) -> None:
    players.rename(player=played.player(1), name="Anna Rossi", nickname="Fox", by=played.judge, now=played.later())
    archive = read_archive(json.dumps(export_game(played.refresh(), for_hall=True)))
    assert archive["players"][0]["name"] == "Fox"
    assert verify(archive, lexicons.graph_of(lexicons.of_game(played.game))) == []
    assert unchecked(archive) == ["names"]


def test_a_player_who_is_renamed_or_moved_in_the_next_game_is_told_in_all_ledgers(played: Night) -> None:
    first = played.game
    played.game = events.add_game(event=played.event, by=played.judge, now=played.later(), seed=NEXT_SEED)
    players.rename(player=played.player(1), name="Anna Bo", by=played.judge, now=played.later())
    players.add_players(event=played.event, players=[NewPlayer(8, "Ugo")], by=played.judge, now=played.later())
    tables.swap(event=played.event, table=8, other=9, by=played.judge, now=played.later())
    assert by_file(played) == []
    played.game = first
    assert by_file(played) == []
