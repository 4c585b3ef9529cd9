"""Whatever writes a fact of a game tells the ledger. Every public function of the services is in one of two lists.

A new service fails here until somebody has said how it is called, or why it writes no fact of a game.
"""

from __future__ import annotations

import importlib
import inspect
import json
import pkgutil
from collections.abc import Callable
from datetime import timedelta
from uuid import uuid4

import pytest
from django.contrib.auth.models import User

from engine.ledger import first_bad_link
from tests.tournaments.night import NEXT_SEED, Night, begin, chance, play_turn
from tests.tournaments.prepared import play_on, prepared_game
from tournaments import services
from tournaments.enums import DrawMode, Ruling
from tournaments.errors import Refused
from tournaments.models import Appeal, LedgerEntry, Membership, Room, TurnClock, Typing
from tournaments.selectors.archive import export_game
from tournaments.selectors.looks import present_version
from tournaments.services import (
    agreed_words,
    appeals,
    arrivals,
    clocks,
    disqualifying,
    double_typing,
    drawing,
    ending,
    event_options,
    events,
    following,
    forgetting,
    heartbeats,
    looking,
    paper,
    players,
    playing_along,
    preparing,
    public_page,
    pursuing,
    rehearsing,
    reopening,
    rooms,
    rounds,
    rules,
    rulings,
    seats,
    settling,
    slips,
    staff,
    tables,
    warning,
)
from tournaments.services.players import NewPlayer

pytestmark = pytest.mark.django_db

Scenario = Callable[[Night], object]
ACTS: dict[str, tuple[str, Scenario, Scenario]] = {}
"""By service the kind of its entry, what comes before, and the act itself."""

NO_FACT = {
    "access": "who may come in, and nothing of a game",
    "acting": "what every act shares",
    "colleagues": "refuses",
    "discarding": "a part of undo, of the end and of other rules, which tell it",
    "documents": "sheets, made of facts",
    "game_rules": "reads and checks rules before they are stored",
    "judging": "verdicts, which follow from facts",
    "nicknames": "a part of joining and renaming, which tell it",
    "player_lists": "reads a list",
    "player_sheets": "reads a file",
    "rules.put_first_rack_back": "a part of other rules, which tell it",
    "rules.refuse_once_begun": "refuses",
    "practising": "games that one person plays alone, of no event",
    "foreseeing": "what an act shares with others: what follows from it",
    "heartbeats.beat": "signs of life of the server",
    "heartbeats.take_up": "signs of life of the server",
    "heartbeats.wake": "signs of life of the server",
    "heartbeats.restored": "signs of life of the server",
    "events.free_code": "a code for an event that is being made",
    "players.restore_place": "a part of coming back, which tells it",
    "rulings.judge_anew": "a part of rulings, which tell it",
    "ending.finish": "a part of the end and of the draw, which tell it",
    "forgetting.what_is_kept": "reads",
    "forgetting.demand_not_forgotten": "refuses",
    "players.staying": "reads",
    "players.seat": "a part of other acts, which tell it",
    "players.enter": "a part of other acts, which tell it",
    "preparing.ask": "a script, which is of no event yet",
    "preparing.make": "a script, which is of no event yet",
    "preparing.progress": "a script, which is of no event yet",
    "preparing.fail": "a script, which is of no event yet",
    "preparing.give_up_unfinished": "a script, which is of no event yet",
    "preparing.choose_master": "refused once a game follows the script",
    "preparing.bring": "a script, which is of no event yet",
    "preparing.throw_away": "refused once a game follows the script",
    "rooms.demand_over": "refuses",
    "rules.rules_in_play": "reads",
    "rules.may_change_rules": "reads",
    "rulings.carry_over": "a part of the next game, which tells it",
    "rulings.demand_seen": "refuses",
    "rulings.demand_word_changes": "refuses",
    "reopening.in_time_again": "a part of undo, which tells it",
    "reopenable": "refuses",
    "appeals.answer": "a part of judging again, which tells it",
    "appeals.answered_by": "reads",
    "rulings.unplaced": "refuses",
    "rulings.unshown": "refuses",
    "rulings.tile_text": "reads",
    "seats.doorman": "refuses",
    "slips.read_paper": "reads",
    "slips.paper_slip": "reads",
    "double_typing.stands_beside": "reads",
    "double_typing.digest_of": "reads",
    "own_slips": "reads and refuses",
    "slips.player_at_table": "reads",
    "slips.open_turn": "reads",
    "slips.why_not_in_turn": "reads",
    "paper.read_line": "reads",
    "staff.set_password": "of an account, not of an event",
    "staff.seen": "a sign of life of a desk",
}


def act(service: str, kind: str, before: Scenario = lambda night: None) -> Callable[[Scenario], Scenario]:
    def enter(scenario: Scenario) -> Scenario:
        ACTS[service] = kind, before, scenario
        return scenario

    return enter


def running(night: Night) -> None:
    night.begin_turn("ACEIRST")


def closed(night: Night) -> None:
    running(night)
    night.phone(2, "CARTE", "8H", 18)
    night.paper("3 8H TRISCEA 70")
    night.close()


def spot_checked(night: Night) -> None:
    event_options.set_judging(event=night.event, anonymous=False, spot_check=100, by=night.judge, now=night.later())
    closed(night)


def placed(night: Night) -> None:
    closed(night)
    night.place()


def over(night: Night) -> None:
    placed(night)
    ending.end_game(game=night.refresh(), by=night.judge, now=night.later())


def paused(night: Night) -> None:
    running(night)
    clocks.pause(turn=night.turn, room=night.room, now=night.later(), by=night.judge)


def typed(night: Night) -> None:
    night.game = begin(night.judge, draw_mode=DrawMode.TYPED).game
    night.room = night.game.event.rooms.get()


def struck(night: Night) -> None:
    closed(night)
    night.rule("CARTE", Ruling.STRUCK)


def decided(night: Night) -> None:
    closed(night)
    decide(night)


def appealed(night: Night) -> None:
    placed(night)
    appeals.appeal_on_paper(player=night.player(2), turn=night.turn, sentence="", by=night.judge, now=night.later())


def given_again(night: Night) -> None:
    group = night.verdict(2).group
    reopening.decide(turn=night.turn, group=group, points=7, reason="seen", by=night.judge, now=night.later())


def given_again_after_an_appeal(night: Night) -> None:
    appealed(night)
    given_again(night)


def came_by_phone(night: Night) -> None:
    players.join(event=night.event, name="Zeno", table=None, now=night.later(), token="z" * 22)


def warned(night: Night) -> None:
    running(night)
    warn(night)


def decide(night: Night) -> None:
    rulings.decide_group(
        turn=night.turn,
        group=night.verdict(2).group,
        points=0,
        reason="twice",
        by=night.judge,
        now=night.later(),
    )


def warn(night: Night) -> None:
    warning.give_warning(
        turn=night.turn, player=night.player(1), code="discipline", reason="", by=night.judge, now=night.later()
    )


def robbed(night: Night) -> None:
    running(night)
    heartbeats.beat(now=night.now)
    heartbeats.wake(now=night.later(40))


def away(night: Night) -> None:
    players.leave(player=night.player(1), now=night.later(), by=night.judge)


def disqualified(night: Night) -> None:
    disqualifying.disqualify(player=night.player(1), reason="shouted", by=night.judge, now=night.later())


def arrived(night: Night) -> None:
    arrivals.mark_here(player=night.player(1), by=night.judge, now=night.later())


def with_phone(night: Night) -> None:
    players.join(event=night.event, name="", table=1, now=night.later(), token="phone")


def two_rooms(night: Night) -> None:
    rooms.add_room(event=night.event, name="Upstairs", offset_s=None, by=night.judge, now=night.later())


def upstairs(night: Night) -> Room:
    return Room.objects.get(event=night.event, name="Upstairs")


def drawn_below(night: Night) -> None:
    two_rooms(night)
    rooms.move_player(player=night.player(1), room=upstairs(night), by=night.judge, now=night.later())
    night.draw()
    clocks.announce(turn=night.turn, room=night.room, now=night.later(), by=night.judge)


def played_above(night: Night) -> None:
    drawn_below(night)
    pursuing.announce_next(game=night.refresh(), room=upstairs(night), now=night.later(), by=night.judge)
    for room in (night.room, upstairs(night)):
        clocks.close_now(turn=night.turn, room=room, now=night.later(), by=night.judge)
    night.place()


def shown_above(night: Night) -> None:
    played_above(night)
    pursuing.show(turn=night.turn, room=upstairs(night), now=night.later(), by=night.judge)


def due_above(night: Night) -> None:
    drawn_below(night)
    Room.objects.filter(event=night.event, name="Upstairs").update(offset_s=1)
    night.later(5)


def rehearsal(night: Night) -> None:
    night.game = rehearsing.open_rehearsal(by=night.judge, now=night.later(), seed=NEXT_SEED, language="en")


def rehearsed(night: Night) -> None:
    rehearsal(night)
    rehearsing.begin_turn(event=night.event, seconds=60, now=night.later())


def rehearsed_to_the_end(night: Night) -> None:
    rehearsed(night)
    rehearsing.end_turn(event=night.event, now=night.later())


def colleague(night: Night) -> None:
    staff.invite(event=night.event, name="Ugo", role="typist", by=night.judge, now=night.later())


def place_of_colleague(night: Night) -> Membership:
    return Membership.objects.exclude(user=night.judge).get(event=night.event)


act("clocks.announce", "announce", lambda night: night.draw())(lambda night: night.announce())
act("clocks.pause", "pause", running)(
    lambda night: clocks.pause(turn=night.turn, room=night.room, now=night.later(), by=night.judge)
)
act("clocks.resume", "resume", paused)(
    lambda night: clocks.resume(turn=night.turn, room=night.room, now=night.later(), by=night.judge)
)
act("clocks.add_time", "add_time", running)(
    lambda night: clocks.add_time(turn=night.turn, room=night.room, seconds=30, now=night.later(), by=night.judge)
)
act("clocks.close_now", "close", running)(lambda night: night.close())
act("clocks.close_due", "close", running)(lambda night: clocks.close_due(now=night.later(600)))
act("clocks.give_back", "give_back", running)(
    lambda night: clocks.give_back(turn=night.turn, room=night.room, seconds=30, now=night.later(), by=night.judge)
)
act("drawing.draw_turn", "draw")(lambda night: night.draw())
act("drawing.type_rack", "draw", typed)(
    lambda night: drawing.type_rack(game=night.game, text="ACEIRST", now=night.later(), by=night.judge)
)


@act("drawing.take_back_rack", "rack_taken_back", typed)
def _take_back(night: Night) -> None:
    drawing.type_rack(game=night.game, text="ACEIRST", now=night.later(), by=night.judge)
    drawing.take_back_rack(game=night.refresh(), now=night.later(), by=night.judge)


act("ending.end_game", "end", placed)(
    lambda night: ending.end_game(game=night.refresh(), by=night.judge, now=night.later())
)


def public(night: Night) -> object:
    return public_page.set_page(
        event=night.event,
        is_on=True,
        delay=1,
        own_sheets=True,
        may_be_found=False,
        by=night.judge,
        now=night.later(),
    )


act("public_page.set_page", "public_page")(public)
act("public_page.change_address", "public_page", public)(
    lambda night: public_page.change_address(event=night.event, by=night.judge, now=night.later())
)
act("event_options.set_judging", "options")(
    lambda night: event_options.set_judging(
        event=night.event, anonymous=True, spot_check=5, by=night.judge, now=night.later()
    )
)
act("event_options.set_teams", "options")(
    lambda night: event_options.set_teams(
        event=night.event, best=2, of_each_game=True, by=night.judge, now=night.later()
    )
)
act("event_options.set_handicap", "options")(
    lambda night: event_options.set_handicap(
        event=night.event, unit="points", series={"A": 3}, by=night.judge, now=night.later()
    )
)
act("arrivals.mark_here", "arrivals")(
    lambda night: arrivals.mark_here(player=night.player(1), by=night.judge, now=night.later())
)
act("arrivals.mark_expected", "arrivals", arrived)(
    lambda night: arrivals.mark_expected(player=night.player(1), by=night.judge, now=night.later())
)
act("arrivals.mark_absent", "arrivals")(
    lambda night: arrivals.mark_absent(player=night.player(1), by=night.judge, now=night.later())
)
act("arrivals.mark_rest_absent", "arrivals", arrived)(
    lambda night: arrivals.mark_rest_absent(event=night.event, by=night.judge, now=night.later())
)
act("arrivals.walk_in", "players")(
    lambda night: arrivals.walk_in(event=night.event, player=NewPlayer(None, "Elio"), by=night.judge, now=night.later())
)
act("rounds.plan_round", "round")(
    lambda night: rounds.plan_round(
        event=night.event, number=2, name="Evening", starts_at=None, by=night.judge, now=night.later()
    )
)
act("rounds.set_up", "rules")(
    lambda night: rounds.set_up(game=night.refresh(), turns=7, by=night.judge, now=night.later())
)
act("tables.assign", "tables")(
    lambda night: tables.assign(
        event=night.event, order="list", first_table=5, here_first=False, seed=1, by=night.judge, now=night.later()
    )
)
act("tables.swap", "tables")(
    lambda night: tables.swap(event=night.event, table=1, other=2, by=night.judge, now=night.later())
)
act("events.create_event", "created")(lambda night: setattr(night, "game", begin(night.judge).game))
act("events.add_game", "created", over)(
    lambda night: setattr(
        night,
        "game",
        events.add_game(event=night.event, by=night.judge, now=night.later(), seed=NEXT_SEED),
    )
)
act("events.set_hall_word", "hall_word")(
    lambda night: events.set_hall_word(game=night.game, word="zucca", by=night.judge, now=night.later())
)
act("following.play", "prepared")(
    lambda night: following.play(
        prepared=prepared_game(night.judge), event=night.event, by=night.judge, now=night.later()
    )
)
act("forgetting.forget", "forgotten", over)(
    lambda night: forgetting.forget(event=night.event, by=night.judge, now=night.later())
)
act("forgetting.keep_names", "keep_names")(
    lambda night: forgetting.keep_names(event=night.event, days=30, by=night.judge, now=night.later())
)
act("heartbeats.answer", "give_back", robbed)(
    lambda night: heartbeats.answer(give_back=True, now=night.later(), by=night.judge)
)
act("appeals.appeal", "appeal", placed)(
    lambda night: appeals.appeal(
        player=night.player(2), turn=night.turn, client_id=uuid4(), sentence="Why?", now=night.later()
    )
)
act("appeals.appeal_on_paper", "appeal", placed)(
    lambda night: appeals.appeal_on_paper(
        player=night.player(2), turn=night.turn, sentence="Why?", by=night.judge, now=night.later()
    )
)
act("appeals.reject", "appeal_answer", appealed)(
    lambda night: appeals.reject(appeal=Appeal.objects.get(), reason="As ruled.", by=night.judge, now=night.later())
)
act("appeals.uphold", "appeal_answer", given_again_after_an_appeal)(
    lambda night: appeals.uphold(appeal=Appeal.objects.get(), reason="Yes.", by=night.judge, now=night.later())
)
act("appeals.set_limits", "appeal_limits")(
    lambda night: appeals.set_limits(game=night.game, minutes=5, end_minutes=0, by=night.judge, now=night.later())
)
act("reopening.rule_word", "reopened", placed)(
    lambda night: reopening.rule_word(
        turn=night.turn, word="CARTE", ruling=Ruling.STRUCK, reason="no", by=night.judge, now=night.later()
    )
)
act("reopening.decide", "reopened", placed)(given_again)
act("reopening.warn", "reopened", placed)(
    lambda night: reopening.warn(
        turn=night.turn,
        player=night.player(1),
        code="discipline",
        given=True,
        reason="noise",
        by=night.judge,
        now=night.later(),
    )
)
act("placing.place", "place", closed)(lambda night: night.place())
act("placing.undo", "undo", placed)(lambda night: night.undo())
act("players.add_players", "players")(
    lambda night: players.add_players(event=night.event, players=[NewPlayer(9, "Ivo")], now=night.later())
)
act("players.rename", "rename")(
    lambda night: players.rename(player=night.player(1), name="Anna Bo", now=night.later(), by=night.judge)
)
act("players.remove", "remove")(lambda night: players.remove(player=night.player(1), now=night.later(), by=night.judge))
act("players.remove_unknown", "remove", came_by_phone)(
    lambda night: players.remove_unknown(event=night.event, expected=1, now=night.later(), by=night.judge)
)
act("players.leave", "leave")(lambda night: players.leave(player=night.player(1), now=night.later(), by=night.judge))
act("players.note_departure", "leave")(
    lambda night: players.note_departure(
        game=night.refresh(), player=night.player(1), now=night.later(), by=night.judge
    )
)
act("disqualifying.disqualify", "disqualify")(disqualified)
act("disqualifying.reinstate", "reinstate", disqualified)(
    lambda night: disqualifying.reinstate(player=night.player(1), by=night.judge, now=night.later())
)
act("players.come_back", "come_back", away)(
    lambda night: players.come_back(player=night.player(1), now=night.later(), by=night.judge)
)
act("players.join", "join")(
    lambda night: players.join(event=night.event, name="", table=1, now=night.later(), token="phone")
)
act("preparing.opened", "script_opened", lambda night: play_on(night, prepared_game(night.judge)))(
    lambda night: preparing.opened(
        prepared=night.refresh().prepared or prepared_game(night.judge),
        act="opened",
        by=night.judge,
        now=night.later(),
    )
)
act("pursuing.announce_next", "announce", drawn_below)(
    lambda night: pursuing.announce_next(game=night.refresh(), room=upstairs(night), now=night.later(), by=night.judge)
)
act("pursuing.show", "show", played_above)(
    lambda night: pursuing.show(turn=night.turn, room=upstairs(night), now=night.later(), by=night.judge)
)
act("pursuing.take_back", "show", shown_above)(
    lambda night: pursuing.take_back(game=night.refresh(), room=upstairs(night), now=night.later(), by=night.judge)
)
act("pursuing.follow_due", "announce", due_above)(lambda night: pursuing.follow_due(now=night.later()))
act("rehearsing.open_rehearsal", "created")(rehearsal)
act("rehearsing.seat_phones", "players", rehearsal)(
    lambda night: rehearsing.seat_phones(event=night.event, phones=2, token=iter("ab").__next__, now=night.later())
)
act("rehearsing.begin_turn", "announce", rehearsal)(
    lambda night: rehearsing.begin_turn(event=night.event, seconds=60, now=night.later())
)
act("rehearsing.expect_phones", "players", rehearsal)(
    lambda night: rehearsing.expect_phones(event=night.event, phones=2, now=night.later())
)
act("rehearsing.lengthen_turn", "add_time", rehearsed)(
    lambda night: rehearsing.lengthen_turn(event=night.event, now=night.later())
)
act("rehearsing.end_turn", "close", rehearsed)(lambda night: rehearsing.end_turn(event=night.event, now=night.later()))
act("rehearsing.place_turn", "place", rehearsed_to_the_end)(
    lambda night: rehearsing.place_turn(event=night.event, now=night.later())
)
act("rooms.add_room", "room")(two_rooms)
act("rooms.change_room", "room", two_rooms)(
    lambda night: rooms.change_room(
        room=upstairs(night), name="Downstairs", offset_s=None, by=night.judge, now=night.later()
    )
)
act("rooms.remove_room", "room", two_rooms)(
    lambda night: rooms.remove_room(room=upstairs(night), by=night.judge, now=night.later())
)
act("rooms.move_player", "move", two_rooms)(
    lambda night: rooms.move_player(player=night.player(1), room=upstairs(night), by=night.judge, now=night.later())
)
act("rooms.withdraw", "withdraw", two_rooms)(
    lambda night: rooms.withdraw(room=upstairs(night), by=night.judge, now=night.later())
)
act("rules.change_rules", "rules")(
    lambda night: rules.change_rules(
        game=night.game, profile="it-box", switches={"min_early": 1}, by=night.judge, now=night.later()
    )
)
act("rules.change_in_play", "rules", running)(
    lambda night: rules.change_in_play(
        game=night.game, switches={"wrong_score": "zero"}, by=night.judge, now=night.later()
    )
)
act("rules.settle_reversed_places", "options", running)(
    lambda night: rules.settle_reversed_places(game=night.game, count=False, by=night.judge, now=night.later())
)
act("agreed_words.agree_words", "word_ruling")(
    lambda night: agreed_words.agree_words(game=night.game, text="ENI", by=night.judge, now=night.later())
)
act("rulings.rule_word", "word_ruling", closed)(lambda night: night.rule("CARTE", Ruling.STRUCK))
act("rulings.revoke_word", "word_ruling", struck)(
    lambda night: rulings.revoke_word(turn=night.turn, word="CARTE", by=night.judge, now=night.later())
)
act("rulings.decide_group", "slip_ruling", closed)(decide)
act("rulings.decide_groups", "slip_ruling", closed)(
    lambda night: rulings.decide_groups(
        turn=night.turn,
        groups=[night.verdict(2).group, night.verdict(3).group],
        points=9,
        reason="agreed",
        by=night.judge,
        now=night.later(),
    )
)
act("looking.accept", "look", closed)(
    lambda night: looking.accept(
        turn=night.turn,
        groups=[night.verdict(2).group],
        version=present_version(night.turn, night.room, [night.verdict(2).group]),
        by=night.judge,
        now=night.later(),
    )
)
act("looking.accept_clear", "look", closed)(
    lambda night: looking.accept_clear(turn=night.turn, by=night.judge, now=night.later())
)
act("looking.check_slip", "look", spot_checked)(
    lambda night: looking.check_slip(
        turn=night.turn, slip_id=night.verdict(2).slip_id or 0, by=night.judge, now=night.later()
    )
)
act("rulings.revoke_group", "slip_ruling", decided)(
    lambda night: rulings.revoke_group(turn=night.turn, group=night.verdict(2).group, by=night.judge, now=night.later())
)
act("seats.free_phone", "free_phone", with_phone)(
    lambda night: seats.free_phone(player=night.player(1), now=night.later(), by=night.judge)
)
act("seats.new_seat_code", "seat_code")(
    lambda night: seats.new_seat_code(player=night.player(1), now=night.later(), by=night.judge)
)
act("seats.set_seat_codes", "options")(
    lambda night: seats.set_seat_codes(
        event=night.event, wanted=not night.event.seat_codes, now=night.later(), by=night.judge
    )
)
act("seats.set_listed_only", "options")(
    lambda night: seats.set_listed_only(event=night.event, wanted=True, now=night.later(), by=night.judge)
)
act("slips.hand_in_batch", "slips", running)(lambda night: night.phone(1, "CARTE", "8H", 18))
act("paper.enter_line", "slips", running)(
    lambda night: paper.enter_line(
        game=night.game,
        typed=paper.Typed("1,2 8H CARTE 18"),
        room=night.room,
        judges=True,
        now=night.later(),
        by=night.judge,
    )
)
act("slips.enter_paper", "slips", running)(lambda night: night.paper("1 8H CARTE 18"))


def typed_in_two_ways(night: Night) -> None:
    double_typing.set_double_typing(event=night.event, wanted=True, by=night.judge, now=night.later())
    running(night)
    night.paper("1 8H CARTE 18")
    slips.enter_paper(
        game=night.refresh(), line="1 8H CERTA 18", now=night.later(), by=User.objects.create(username="ben")
    )


def place_of_judge(night: Night) -> Membership:
    return Membership.objects.select_related("event", "user").get(event=night.event, user=night.judge)


def plays_along(night: Night) -> None:
    playing_along.play_at(place=place_of_judge(night), table=1, by=night.judge, now=night.later())


def plays_along_in_a_turn(night: Night) -> None:
    plays_along(night)
    running(night)
    night.phone(1, "CARTE", "8H", 18)


def plays_along_and_time_is_up(night: Night) -> None:
    plays_along_in_a_turn(night)
    night.close()


def on_paper(night: Night) -> slips.Incoming:
    read = slips.read_paper(game=night.refresh(), line="1 8H CARTE 18")
    return slips.paper_slip(player=night.player(1), turn=night.turn, slip=read.slip, now=night.later())


act("slips.store_paper", "slips", running)(
    lambda night: slips.store_paper([on_paper(night)], now=night.later(), by=night.judge)
)
act("slips.take_paper", "slips", running)(
    lambda night: slips.take_paper(
        game=night.refresh(), typed=[on_paper(night)], raw="1 8H CARTE 18", now=night.later(), by=night.judge
    )
)
act("double_typing.note", "typing", running)(
    lambda night: double_typing.note(
        game=night.refresh(), typed=on_paper(night), raw="1 8H CARTE 18", now=night.later(), by=night.judge
    )
)
act("double_typing.set_double_typing", "options")(
    lambda night: double_typing.set_double_typing(event=night.event, wanted=True, by=night.judge, now=night.later())
)
act("settling.choose_typing", "typing", typed_in_two_ways)(
    lambda night: settling.choose_typing(
        turn=night.turn,
        typing_id=Typing.objects.latest("pk").pk,
        by=night.judge,
        now=night.later(),
        room=night.room,
    )
)
act("settling.type_anew", "typing", typed_in_two_ways)(
    lambda night: settling.type_anew(
        turn=night.turn, line="1 8H CARTE 18", by=night.judge, now=night.later(), room=night.room
    )
)
act("playing_along.play_at", "plays_along")(plays_along)
act("playing_along.play_no_more", "plays_along", plays_along)(
    lambda night: playing_along.play_no_more(place=place_of_judge(night), by=night.judge, now=night.later())
)
act("playing_along.slip_is_final", "final_slip", plays_along_in_a_turn)(
    lambda night: playing_along.slip_is_final(place=place_of_judge(night), by=night.judge, now=night.later())
)
act("playing_along.desk_opened", "final_slip", plays_along_and_time_is_up)(
    lambda night: playing_along.desk_opened(place=place_of_judge(night), by=night.judge, now=night.later())
)
act("staff.invite", "staff")(colleague)
act("staff.change_role", "staff", colleague)(
    lambda night: staff.change_role(place=place_of_colleague(night), role="judge", by=night.judge, now=night.later())
)
act("staff.revoke", "staff", colleague)(
    lambda night: staff.revoke(place=place_of_colleague(night), by=night.judge, now=night.later())
)


@act("staff.add_colleague", "staff", colleague)
def _colleague_of_another_event(night: Night) -> None:
    username = place_of_colleague(night).user.username
    night.game = begin(night.judge).game
    staff.add_colleague(event=night.event, username=username, role="judge", by=night.judge, now=night.later())


act("warning.give_warning", "warning", running)(warn)
act("warning.take_warning_back", "warning", warned)(
    lambda night: warning.take_warning_back(
        turn=night.turn, player=night.player(1), code="discipline", by=night.judge, now=night.later()
    )
)


def public_functions() -> set[str]:
    """Every public function of every service, as "module.function"."""
    found = set()
    for module in pkgutil.iter_modules(services.__path__):
        loaded = importlib.import_module(f"{services.__name__}.{module.name}")
        for name, member in vars(loaded).items():
            if inspect.isfunction(member) and member.__module__ == loaded.__name__ and not name.startswith("_"):
                found.add(f"{module.name}.{name}")
    return found


def test_every_service_is_in_one_of_the_lists() -> None:
    told = {name for name in public_functions() if name in NO_FACT or name.partition(".")[0] in NO_FACT}
    assert public_functions() - told - ACTS.keys() == set(), "say here how it is called, or why it writes no fact"
    assert ACTS.keys() - public_functions() == set(), "this service is not there any more"
    assert not ACTS.keys() & told


def test_what_is_said_to_write_no_fact_takes_no_part_in_a_judges_act() -> None:
    """Whoever acts for a judge at a time is an act, unless it is a part of another one or concerns no event."""
    acts = {"by", "now"}
    parts = {"ending.finish", "rulings.carry_over", "preparing", "practising", "discarding", "acting"}
    for name in public_functions() - ACTS.keys():
        module, _, function = name.partition(".")
        takes = inspect.signature(getattr(importlib.import_module(f"{services.__name__}.{module}"), function))
        assert not acts <= takes.parameters.keys() or name in parts or module in parts, name


@pytest.mark.parametrize("service", sorted(ACTS))
def test_the_act_adds_an_entry_and_the_chain_holds(service: str, night: Night) -> None:
    kind, before, scenario = ACTS[service]
    before(night)
    last = LedgerEntry.objects.order_by("pk").last()
    scenario(night)
    added = LedgerEntry.objects.filter(pk__gt=last.pk if last else 0)
    assert kind in list(added.values_list("kind", flat=True))
    for game in {entry.game for entry in LedgerEntry.objects.select_related("game")}:
        entries = json.loads(json.dumps(export_game(game)))["ledger"]["entries"]
        assert first_bad_link(entries) is None


def test_going_on_without_the_lost_time_is_an_entry_too(night: Night) -> None:
    robbed(night)
    deadline = TurnClock.objects.get().deadline
    heartbeats.answer(give_back=False, now=night.later(), by=night.judge)
    entry = LedgerEntry.objects.get(kind="go_on")
    assert entry.data == {"turn": 1, "room": "Hall", "away_s": 40}
    assert entry.by == "judge"
    assert TurnClock.objects.get().deadline == deadline


def test_another_master_move_is_told_with_who_chose_it_and_why(night: Night) -> None:
    closed(night)
    night.place(word="RESTI", ref="8H", why="nicer")
    entry = LedgerEntry.objects.get(kind="place")
    assert {name: entry.data[name] for name in ("word", "ref", "chosen_by", "why")} == {
        "word": "RESTI",
        "ref": "8H",
        "chosen_by": "judge",
        "why": "nicer",
    }


def test_a_correction_on_paper_is_another_entry_beside_the_first(night: Night) -> None:
    running(night)
    night.paper("1 8H CARTE 18")
    night.paper("1 8H RESTI 18")
    entries = LedgerEntry.objects.filter(kind="slips")
    assert [entry.data["tables"] for entry in entries] == [[1], [1]]
    assert len({entry.data["digest"] for entry in entries}) == 2


def test_the_words_that_a_new_game_brings_along_stand_in_its_first_entry(night: Night) -> None:
    struck(night)
    night.place()
    ending.end_game(game=night.refresh(), by=night.judge, now=night.later())
    second = events.add_game(event=night.event, by=night.judge, now=night.later(), seed=NEXT_SEED)
    created = LedgerEntry.objects.get(game=second, kind="created")
    assert created.data["rulings"] == [["CARTE", "struck"]]


def test_an_act_that_is_refused_leaves_nothing(night: Night) -> None:
    running(night)
    before = LedgerEntry.objects.count()
    with pytest.raises(Refused):
        night.place()
    with pytest.raises(Refused):
        night.paper("99 8H CARTE 18")
    assert LedgerEntry.objects.count() == before


def test_no_name_of_a_player_is_in_the_ledger(night: Night) -> None:
    """The names are all over the evening; the ledger knows tables."""
    names = ("Anna Rossi", "Bruno Verdi", "Carla Neri", "Dario Bianchi", "Elena Galli", "Fabio Moro", "Gina Serra")
    players.add_players(event=night.event, players=[NewPlayer(5, "Elena Galli", "Torino")], now=night.later())
    players.join(event=night.event, name="Fabio Moro", table=None, now=night.later(), token="a")
    players.rename(player=night.player(5), name="Gina Serra", now=night.later(), by=night.judge)
    rng = chance(4)
    play_turn(night, rng)
    running(night)
    warn(night)
    players.leave(player=night.player(1), now=night.later(), by=night.judge)
    night.close()
    night.place()
    ending.end_game(game=night.refresh(), by=night.judge, now=night.later())
    second = events.add_game(event=night.event, by=night.judge, now=night.later(), seed=NEXT_SEED)
    night.game = second
    players.remove(player=night.player(17), now=night.later(), by=night.judge)
    play_on(night, prepared_game(night.judge))
    written = json.dumps(list(LedgerEntry.objects.values_list("data", "by")), ensure_ascii=False)
    assert LedgerEntry.objects.count() > 20
    assert all(str(part) not in written for name in names for part in name.split())
    kept = json.dumps(export_game(night.game), ensure_ascii=False)
    assert "Gina Serra" in kept


def test_a_clock_that_runs_out_by_itself_is_nobodys_act(night: Night) -> None:
    running(night)
    clocks.close_due(now=night.now + timedelta(minutes=10))
    assert LedgerEntry.objects.get(kind="close").by == ""
