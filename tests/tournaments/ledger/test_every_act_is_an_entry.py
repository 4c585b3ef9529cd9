"""Every act that writes a fact of a game appends a ledger entry.

Every public function of the services is in one of two lists: acts with a scenario, or functions that write no fact,
with the reason. The tests fail for a new function until it is listed.
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

import tournaments
from engine.archive.ledger import find_bad_link_number
from tests.tournaments.club_game import NEXT_SEED, ClubGame, create_club_game, play_turn, seeded_random
from tests.tournaments.prepared.sample_game import create_prepared_game, follow_script
from tournaments.backups.services import heartbeats
from tournaments.enums import DrawMode, Ruling
from tournaments.errors import Refused
from tournaments.events.services import events, options, rehearsals, rooms, rounds, rule_changes
from tournaments.judging.queries.reviews import present_version
from tournaments.judging.services import agreed_words, appeals, rejudging, reviews, rulings, warnings
from tournaments.judging.services.ruling_request import RulingRequest
from tournaments.models import Appeal, LedgerEntry, Membership, ReversibleAct, Room, TurnClock, Typing
from tournaments.play.services import (
    clocks,
    double_entry,
    draw_rack,
    game_end,
    paper_slips,
    playing_judge,
    room_follow,
    slips,
    typing_conflicts,
)
from tournaments.players.cell_tables import read_cells
from tournaments.players.roster_changes import compare_roster
from tournaments.players.roster_table import parse_player_rows
from tournaments.players.services import (
    anonymise,
    check_in,
    disqualification,
    players,
    roster_import,
    seats,
    tables,
    undo,
)
from tournaments.players.services.players import NewPlayer
from tournaments.prepared.services import prepared_games, scripted_game
from tournaments.results.queries.archive import export_game
from tournaments.results.services import public_page
from tournaments.staff.services import staff

pytestmark = pytest.mark.django_db

Scenario = Callable[[ClubGame], object]
ACTS: dict[str, tuple[str, Scenario, Scenario]] = {}
"""By service the kind of its entry, what comes before, and the act itself."""

NO_FACT = {
    "login_links": "who may come in, and nothing of a game",
    "game_lock": "what every act shares",
    "return_rack": "a part of undo, of the end and of other rules, which tell it",
    "documents": "sheets, made of facts",
    "letterheads": "logo and texts of the organiser on sheets, and nothing of a game",
    "round_setup": "reads what is planned for a round",
    "game_rules": "reads and checks rules before they are stored",
    "judge_slips": "verdicts, which follow from facts",
    "closed_rooms": "verdicts, which follow from facts",
    "slips.store_slips": "the part of a batch that writes the entry",
    "room_follow.seal_finished_games": "the entry `seal` of show_turn after a crash; play/test_three_rooms.py shows it",
    "nicknames": "a part of joining and renaming, which tell it",
    "rule_changes.return_first_rack": "a part of other rules, which tell it",
    "rule_changes.require_not_begun": "refuses",
    "club": "a package of a simultaneous game; the games that it begins follow a script, which tells it",
    "hub": "a simultaneous game, of no event of this installation",
    "returns": "returns of clubs, of no event of this installation",
    "solo_practice": "games that one person plays alone, of no event",
    "rejudging_forecast": "what an act shares with others: what follows from it",
    "heartbeats.record_heartbeat": "signs of life of the server",
    "heartbeats.continue_timeline": "signs of life of the server",
    "heartbeats.record_start": "signs of life of the server",
    "heartbeats.record_restore": "signs of life of the server",
    "events.free_code": "a code for an event that is being made",
    "players.restore_place": "a part of coming back, which tells it",
    "rulings.rejudge": "a part of rulings, which tell it",
    "rulings.search_turn": "a part of rulings, which tell it",
    "game_end.finish_game": "a part of the end and of the draw, which tell it",
    "anonymise.preview_anonymisation": "reads",
    "anonymise.require_not_anonymised": "refuses",
    "players.list_staying_players": "reads",
    "players.change_details": "a part of other acts, which tell it",
    "reversible_acts": "copies for an undo, which tells it",
    "tables.store_tables": "a part of other acts, which tell it",
    "tables.require_movable": "refuses",
    "players.store_players": "a part of other acts, which tell it",
    "players.create_entries": "a part of other acts, which tell it",
    "prepared_games.order_game": "a script, which is of no event yet",
    "prepared_games.generate_game": "a script, which is of no event yet",
    "prepared_games.record_progress": "a script, which is of no event yet",
    "prepared_games.record_failure": "a script, which is of no event yet",
    "prepared_games.fail_unfinished": "a script, which is of no event yet",
    "prepared_games.choose_master_move": "refused once a game follows the script",
    "prepared_games.import_game": "a script, which is of no event yet",
    "prepared_games.delete_game": "refused once a game follows the script",
    "rooms.require_game_over": "refuses",
    "rule_changes.rules_in_play": "reads",
    "rule_changes.may_change_rules": "reads",
    "rulings.carry_over_rulings": "a part of the next game, which tells it",
    "ruling_storage": "a part of rulings and of undo, which tell it",
    "ruling_checks": "refuses",
    "appeals.answer_appeals": "a part of judging again, which tells it",
    "appeals.find_appeals_to_answer": "reads",
    "seats.make_admission_check": "refuses",
    "slips.read_paper_line": "reads",
    "slips.make_paper_slip": "reads",
    "double_entry.find_compared_slip": "reads",
    "double_entry.digest_of": "reads",
    "own_slips": "reads and refuses",
    "slips.player_at_table": "reads",
    "slips.get_open_turn": "reads",
    "slips.why_not_in_turn": "reads",
    "paper_slips.read_line": "reads",
    "staff.set_password": "of an account, not of an event",
    "staff.record_presence": "a sign of life of a desk",
}


def act(service: str, kind: str, before: Scenario = lambda club_game: None) -> Callable[[Scenario], Scenario]:
    def enter(scenario: Scenario) -> Scenario:
        ACTS[service] = kind, before, scenario
        return scenario

    return enter


def running(club_game: ClubGame) -> None:
    club_game.begin_turn("ACEIRST")


def closed(club_game: ClubGame) -> None:
    running(club_game)
    club_game.phone(2, "CARTE", "8H", 18)
    club_game.paper("3 8H TRISCEA 70")
    club_game.close()


def spot_checked(club_game: ClubGame) -> None:
    options.set_judging(
        event=club_game.event, anonymous=False, spot_check=100, by=club_game.judge, now=club_game.later()
    )
    closed(club_game)


def placed(club_game: ClubGame) -> None:
    closed(club_game)
    club_game.place()


def over(club_game: ClubGame) -> None:
    placed(club_game)
    game_end.end_game(game=club_game.refresh(), by=club_game.judge, now=club_game.later())


def paused(club_game: ClubGame) -> None:
    running(club_game)
    clocks.pause_clock(turn=club_game.turn, room=club_game.room, now=club_game.later(), by=club_game.judge)


def typed(club_game: ClubGame) -> None:
    club_game.game = create_club_game(club_game.judge, draw_mode=DrawMode.TYPED).game
    club_game.room = club_game.game.event.rooms.get()


def struck(club_game: ClubGame) -> None:
    closed(club_game)
    club_game.rule("CARTE", Ruling.STRUCK)


def decided(club_game: ClubGame) -> None:
    closed(club_game)
    decide(club_game)


def appealed(club_game: ClubGame) -> None:
    placed(club_game)
    appeals.submit_paper_appeal(
        player=club_game.player(2), turn=club_game.turn, sentence="", by=club_game.judge, now=club_game.later()
    )


def given_again(club_game: ClubGame) -> None:
    group = club_game.verdict(2).group
    rejudging.decide_group(
        turn=club_game.turn,
        group=group,
        points=7,
        request=RulingRequest(reason="seen", by=club_game.judge, now=club_game.later()),
    )


def given_again_after_an_appeal(club_game: ClubGame) -> None:
    appealed(club_game)
    given_again(club_game)


def came_by_phone(club_game: ClubGame) -> None:
    players.join_event(event=club_game.event, name="Zeno", table=None, now=club_game.later(), token="z" * 22)


def warned(club_game: ClubGame) -> None:
    running(club_game)
    warn(club_game)


def decide(club_game: ClubGame) -> None:
    rulings.decide_groups(
        turn=club_game.turn,
        groups=[club_game.verdict(2).group],
        points=0,
        request=RulingRequest(reason="twice", by=club_game.judge, now=club_game.later()),
    )


def warn(club_game: ClubGame) -> None:
    warnings.set_warning(
        turn=club_game.turn,
        player=club_game.player(1),
        code="discipline",
        given=True,
        request=RulingRequest(reason="", by=club_game.judge, now=club_game.later()),
    )


def robbed(club_game: ClubGame) -> None:
    running(club_game)
    heartbeats.record_heartbeat(now=club_game.now)
    heartbeats.record_start(now=club_game.later(40))


def away(club_game: ClubGame) -> None:
    players.leave_game(player=club_game.player(1), now=club_game.later(), by=club_game.judge)


def disqualified(club_game: ClubGame) -> None:
    disqualification.disqualify(player=club_game.player(1), reason="shouted", by=club_game.judge, now=club_game.later())


def arrived(club_game: ClubGame) -> None:
    check_in.mark_here(player=club_game.player(1), by=club_game.judge, now=club_game.later())


def with_phone(club_game: ClubGame) -> None:
    players.join_event(event=club_game.event, name="", table=1, now=club_game.later(), token="phone")


def two_rooms(club_game: ClubGame) -> None:
    rooms.add_room(event=club_game.event, name="Upstairs", offset_s=None, by=club_game.judge, now=club_game.later())


def upstairs(club_game: ClubGame) -> Room:
    return Room.objects.get(event=club_game.event, name="Upstairs")


def removed(club_game: ClubGame) -> None:
    players.remove_player(player=club_game.player(1), now=club_game.later(), by=club_game.judge)


def imported(club_game: ClubGame) -> None:
    sheet = parse_player_rows(read_cells(b"Cognome,Nome,Circolo,Tessera\nRossi,Anna,Torino,A1\n"))
    shown = compare_roster(club_game.event, sheet, {}).digest
    roster_import.import_roster(
        event=club_game.event, sheet=sheet, answers={}, shown=shown, by=club_game.judge, now=club_game.later()
    )


def drawn_below(club_game: ClubGame) -> None:
    two_rooms(club_game)
    rooms.move_players(
        players=[club_game.player(1)], room=upstairs(club_game), by=club_game.judge, now=club_game.later()
    )
    club_game.draw()
    clocks.announce_turn(turn=club_game.turn, room=club_game.room, now=club_game.later(), by=club_game.judge)


def played_above(club_game: ClubGame) -> None:
    drawn_below(club_game)
    room_follow.announce_next(
        game=club_game.refresh(), room=upstairs(club_game), now=club_game.later(), by=club_game.judge
    )
    for room in (club_game.room, upstairs(club_game)):
        clocks.close_clock(turn=club_game.turn, room=room, now=club_game.later(), by=club_game.judge)
    club_game.place()


def shown_above(club_game: ClubGame) -> None:
    played_above(club_game)
    room_follow.show_turn(turn=club_game.turn, room=upstairs(club_game), now=club_game.later(), by=club_game.judge)


def due_above(club_game: ClubGame) -> None:
    drawn_below(club_game)
    Room.objects.filter(event=club_game.event, name="Upstairs").update(offset_s=1)
    club_game.later(5)


def rehearsal(club_game: ClubGame) -> None:
    club_game.game = rehearsals.open_rehearsal(by=club_game.judge, now=club_game.later(), seed=NEXT_SEED, language="en")


def rehearsed(club_game: ClubGame) -> None:
    rehearsal(club_game)
    rehearsals.begin_turn(event=club_game.event, seconds=60, now=club_game.later())


def rehearsed_to_the_end(club_game: ClubGame) -> None:
    rehearsed(club_game)
    rehearsals.end_turn(event=club_game.event, now=club_game.later())


def colleague(club_game: ClubGame) -> None:
    staff.invite_colleague(event=club_game.event, name="Ugo", role="typist", by=club_game.judge, now=club_game.later())


def place_of_colleague(club_game: ClubGame) -> Membership:
    return Membership.objects.exclude(user=club_game.judge).get(event=club_game.event)


act("clocks.announce_turn", "announce", lambda club_game: club_game.draw())(lambda club_game: club_game.announce())
act("clocks.pause_clock", "pause", running)(
    lambda club_game: clocks.pause_clock(
        turn=club_game.turn, room=club_game.room, now=club_game.later(), by=club_game.judge
    )
)
act("clocks.resume_clock", "resume", paused)(
    lambda club_game: clocks.resume_clock(
        turn=club_game.turn, room=club_game.room, now=club_game.later(), by=club_game.judge
    )
)
act("clocks.add_time", "add_time", running)(
    lambda club_game: clocks.add_time(
        turn=club_game.turn, room=club_game.room, seconds=30, now=club_game.later(), by=club_game.judge
    )
)
act("clocks.close_clock", "close", running)(lambda club_game: club_game.close())
act("clocks.close_due_clocks", "close", running)(lambda club_game: clocks.close_due_clocks(now=club_game.later(600)))
act("clocks.give_time_back", "give_back", running)(
    lambda club_game: clocks.give_time_back(
        turn=club_game.turn, room=club_game.room, seconds=30, now=club_game.later(), by=club_game.judge
    )
)
act("draw_rack.draw_turn", "draw")(lambda club_game: club_game.draw())
act("draw_rack.type_rack", "draw", typed)(
    lambda club_game: draw_rack.type_rack(
        game=club_game.game, text="ACEIRST", now=club_game.later(), by=club_game.judge
    )
)


@act("draw_rack.take_back_rack", "rack_taken_back", typed)
def _take_back(club_game: ClubGame) -> None:
    draw_rack.type_rack(game=club_game.game, text="ACEIRST", now=club_game.later(), by=club_game.judge)
    draw_rack.take_back_rack(game=club_game.refresh(), now=club_game.later(), by=club_game.judge)


act("game_end.end_game", "end", placed)(
    lambda club_game: game_end.end_game(game=club_game.refresh(), by=club_game.judge, now=club_game.later())
)


def public(club_game: ClubGame) -> object:
    return public_page.set_page(
        event=club_game.event,
        is_on=True,
        delay=1,
        own_sheets=True,
        may_be_found=False,
        by=club_game.judge,
        now=club_game.later(),
    )


act("public_page.set_page", "public_page")(public)
act("public_page.change_address", "public_page", public)(
    lambda club_game: public_page.change_address(event=club_game.event, by=club_game.judge, now=club_game.later())
)
act("options.set_season_on_wall", "options")(
    lambda club_game: options.set_season_on_wall(
        event=club_game.event, is_on=True, by=club_game.judge, now=club_game.later()
    )
)
act("options.set_judging", "options")(
    lambda club_game: options.set_judging(
        event=club_game.event, anonymous=True, spot_check=5, by=club_game.judge, now=club_game.later()
    )
)
act("options.set_teams", "options")(
    lambda club_game: options.set_teams(
        event=club_game.event, best=2, of_each_game=True, by=club_game.judge, now=club_game.later()
    )
)
act("options.set_handicap", "options")(
    lambda club_game: options.set_handicap(
        event=club_game.event, unit="points", series={"A": 3}, by=club_game.judge, now=club_game.later()
    )
)
act("check_in.mark_here", "arrivals")(
    lambda club_game: check_in.mark_here(player=club_game.player(1), by=club_game.judge, now=club_game.later())
)
act("check_in.mark_expected", "arrivals", arrived)(
    lambda club_game: check_in.mark_expected(player=club_game.player(1), by=club_game.judge, now=club_game.later())
)
act("check_in.mark_absent", "arrivals")(
    lambda club_game: check_in.mark_absent(player=club_game.player(1), by=club_game.judge, now=club_game.later())
)
act("check_in.mark_rest_absent", "arrivals", arrived)(
    lambda club_game: check_in.mark_rest_absent(event=club_game.event, by=club_game.judge, now=club_game.later())
)
act("check_in.add_walk_in", "players")(
    lambda club_game: check_in.add_walk_in(
        event=club_game.event, player=NewPlayer(None, "Elio"), by=club_game.judge, now=club_game.later()
    )
)
act("rounds.plan_round", "round")(
    lambda club_game: rounds.plan_round(
        event=club_game.event, number=2, name="Evening", starts_at=None, by=club_game.judge, now=club_game.later()
    )
)
act("rounds.change_game_setup", "rules")(
    lambda club_game: rounds.change_game_setup(
        game=club_game.refresh(), turns=7, by=club_game.judge, now=club_game.later()
    )
)
act("tables.assign_tables", "tables")(
    lambda club_game: tables.assign_tables(
        event=club_game.event,
        order="list",
        first_table=5,
        here_first=False,
        seed=1,
        by=club_game.judge,
        now=club_game.later(),
    )
)
act("tables.swap_tables", "tables")(
    lambda club_game: tables.swap_tables(
        event=club_game.event, table=1, other=2, by=club_game.judge, now=club_game.later()
    )
)
act("events.create_event", "created")(
    lambda club_game: setattr(club_game, "game", create_club_game(club_game.judge).game)
)
act("events.add_game", "created", over)(
    lambda club_game: setattr(
        club_game,
        "game",
        events.add_game(event=club_game.event, by=club_game.judge, now=club_game.later(), seed=NEXT_SEED),
    )
)
act("events.set_hall_word", "hall_word")(
    lambda club_game: events.set_hall_word(game=club_game.game, word="zucca", by=club_game.judge, now=club_game.later())
)
act("scripted_game.follow_script", "prepared")(
    lambda club_game: scripted_game.follow_script(
        prepared=create_prepared_game(club_game.judge), event=club_game.event, by=club_game.judge, now=club_game.later()
    )
)
act("anonymise.anonymise_event", "forgotten", over)(
    lambda club_game: anonymise.anonymise_event(event=club_game.event, by=club_game.judge, now=club_game.later())
)
act("anonymise.anonymise_player", "forgotten", over)(
    lambda club_game: anonymise.anonymise_player(player=club_game.player(1), by=club_game.judge, now=club_game.later())
)
act("anonymise.set_retention_days", "keep_names")(
    lambda club_game: anonymise.set_retention_days(
        event=club_game.event, days=30, by=club_game.judge, now=club_game.later()
    )
)
act("heartbeats.settle_lost_time", "give_back", robbed)(
    lambda club_game: heartbeats.settle_lost_time(give_back=True, now=club_game.later(), by=club_game.judge)
)
act("appeals.submit_appeal", "appeal", placed)(
    lambda club_game: appeals.submit_appeal(
        player=club_game.player(2), turn=club_game.turn, client_id=uuid4(), sentence="Why?", now=club_game.later()
    )
)
act("appeals.submit_paper_appeal", "appeal", placed)(
    lambda club_game: appeals.submit_paper_appeal(
        player=club_game.player(2), turn=club_game.turn, sentence="Why?", by=club_game.judge, now=club_game.later()
    )
)
act("appeals.reject_appeal", "appeal_answer", appealed)(
    lambda club_game: appeals.reject_appeal(
        appeal=Appeal.objects.get(), reason="As ruled.", by=club_game.judge, now=club_game.later()
    )
)
act("appeals.uphold_appeal", "appeal_answer", given_again_after_an_appeal)(
    lambda club_game: appeals.uphold_appeal(
        appeal=Appeal.objects.get(), reason="Yes.", by=club_game.judge, now=club_game.later()
    )
)
act("appeals.set_appeal_limits", "appeal_limits")(
    lambda club_game: appeals.set_appeal_limits(
        game=club_game.game, minutes=5, end_minutes=0, by=club_game.judge, now=club_game.later()
    )
)
act("rejudging.rule_word", "reopened", placed)(
    lambda club_game: rejudging.rule_word(
        turn=club_game.turn,
        word="CARTE",
        ruling=Ruling.STRUCK,
        request=RulingRequest(reason="no", by=club_game.judge, now=club_game.later()),
    )
)
act("rejudging.decide_group", "reopened", placed)(given_again)
act("rejudging.set_warning", "reopened", placed)(
    lambda club_game: rejudging.set_warning(
        turn=club_game.turn,
        player=club_game.player(1),
        code="discipline",
        given=True,
        request=RulingRequest(reason="noise", by=club_game.judge, now=club_game.later()),
    )
)
act("placement.place_move", "place", closed)(lambda club_game: club_game.place())
act("placement.undo_placement", "undo", placed)(lambda club_game: club_game.undo())
act("players.add_players", "players")(
    lambda club_game: players.add_players(event=club_game.event, players=[NewPlayer(9, "Ivo")], now=club_game.later())
)
act("players.rename_player", "rename")(
    lambda club_game: players.rename_player(
        club_game.player(1), players.PlayerDetails(name="Anna Bo"), now=club_game.later(), by=club_game.judge
    )
)
act("players.remove_player", "remove")(
    lambda club_game: players.remove_player(player=club_game.player(1), now=club_game.later(), by=club_game.judge)
)
act("undo.undo_act", "restored_players", removed)(
    lambda club_game: undo.undo_act(
        event=club_game.event, key=ReversibleAct.objects.get().pk, by=club_game.judge, now=club_game.later()
    )
)
act("roster_import.import_roster", "players_updated")(imported)
act("players.remove_unknown_players", "remove", came_by_phone)(
    lambda club_game: players.remove_unknown_players(
        event=club_game.event, expected=1, now=club_game.later(), by=club_game.judge
    )
)
act("players.leave_game", "leave")(
    lambda club_game: players.leave_game(player=club_game.player(1), now=club_game.later(), by=club_game.judge)
)
act("players.record_departure", "leave")(
    lambda club_game: players.record_departure(
        game=club_game.refresh(), player=club_game.player(1), now=club_game.later(), by=club_game.judge
    )
)
act("disqualification.disqualify", "disqualify")(disqualified)
act("disqualification.reinstate", "reinstate", disqualified)(
    lambda club_game: disqualification.reinstate(player=club_game.player(1), by=club_game.judge, now=club_game.later())
)
act("players.return_to_game", "come_back", away)(
    lambda club_game: players.return_to_game(player=club_game.player(1), now=club_game.later(), by=club_game.judge)
)
act("players.join_event", "join")(
    lambda club_game: players.join_event(event=club_game.event, name="", table=1, now=club_game.later(), token="phone")
)
act(
    "prepared_games.record_access",
    "script_opened",
    lambda club_game: follow_script(club_game, create_prepared_game(club_game.judge)),
)(
    lambda club_game: prepared_games.record_access(
        prepared=club_game.refresh().prepared or create_prepared_game(club_game.judge),
        act="opened",
        by=club_game.judge,
        now=club_game.later(),
    )
)
act("room_follow.announce_next", "announce", drawn_below)(
    lambda club_game: room_follow.announce_next(
        game=club_game.refresh(), room=upstairs(club_game), now=club_game.later(), by=club_game.judge
    )
)
act("room_follow.show_turn", "show", played_above)(
    lambda club_game: room_follow.show_turn(
        turn=club_game.turn, room=upstairs(club_game), now=club_game.later(), by=club_game.judge
    )
)
act("room_follow.reopen_turn", "show", shown_above)(
    lambda club_game: room_follow.reopen_turn(
        game=club_game.refresh(), room=upstairs(club_game), now=club_game.later(), by=club_game.judge
    )
)
act("room_follow.advance_due_rooms", "announce", due_above)(
    lambda club_game: room_follow.advance_due_rooms(now=club_game.later())
)
act("rehearsals.open_rehearsal", "created")(rehearsal)
act("rehearsals.seat_phones", "players", rehearsal)(
    lambda club_game: rehearsals.seat_phones(
        event=club_game.event, phones=2, token=iter("ab").__next__, now=club_game.later()
    )
)
act("rehearsals.begin_turn", "announce", rehearsal)(
    lambda club_game: rehearsals.begin_turn(event=club_game.event, seconds=60, now=club_game.later())
)
act("rehearsals.create_phone_players", "players", rehearsal)(
    lambda club_game: rehearsals.create_phone_players(event=club_game.event, phones=2, now=club_game.later())
)
act("rehearsals.lengthen_turn", "add_time", rehearsed)(
    lambda club_game: rehearsals.lengthen_turn(event=club_game.event, now=club_game.later())
)
act("rehearsals.end_turn", "close", rehearsed)(
    lambda club_game: rehearsals.end_turn(event=club_game.event, now=club_game.later())
)
act("rehearsals.place_master_move", "place", rehearsed_to_the_end)(
    lambda club_game: rehearsals.place_master_move(event=club_game.event, now=club_game.later())
)
act("rooms.add_room", "room")(two_rooms)
act("rooms.change_room", "room", two_rooms)(
    lambda club_game: rooms.change_room(
        room=upstairs(club_game), name="Downstairs", offset_s=None, by=club_game.judge, now=club_game.later()
    )
)
act("rooms.remove_room", "room", two_rooms)(
    lambda club_game: rooms.remove_room(room=upstairs(club_game), by=club_game.judge, now=club_game.later())
)
act("rooms.move_players", "move", two_rooms)(
    lambda club_game: rooms.move_players(
        players=[club_game.player(1)], room=upstairs(club_game), by=club_game.judge, now=club_game.later()
    )
)
act("rooms.withdraw_room", "withdraw", two_rooms)(
    lambda club_game: rooms.withdraw_room(room=upstairs(club_game), by=club_game.judge, now=club_game.later())
)
act("rule_changes.change_rules", "rules")(
    lambda club_game: rule_changes.change_rules(
        game=club_game.game, profile="it-box", switches={"min_early": 1}, by=club_game.judge, now=club_game.later()
    )
)
act("rule_changes.change_rules_in_play", "rules", running)(
    lambda club_game: rule_changes.change_rules_in_play(
        game=club_game.game, switches={"wrong_score": "zero"}, by=club_game.judge, now=club_game.later()
    )
)
act("rule_changes.settle_reversed_places", "options", running)(
    lambda club_game: rule_changes.settle_reversed_places(
        game=club_game.game, count=False, by=club_game.judge, now=club_game.later()
    )
)
act("agreed_words.agree_words", "word_ruling")(
    lambda club_game: agreed_words.agree_words(
        game=club_game.game, text="ENI", by=club_game.judge, now=club_game.later()
    )
)
act("rulings.rule_word", "word_ruling", closed)(lambda club_game: club_game.rule("CARTE", Ruling.STRUCK))
act("rulings.revoke_word", "word_ruling", struck)(
    lambda club_game: rulings.revoke_word(
        turn=club_game.turn, word="CARTE", request=RulingRequest(by=club_game.judge, now=club_game.later())
    )
)
act("rulings.decide_groups", "slip_ruling", closed)(
    lambda club_game: rulings.decide_groups(
        turn=club_game.turn,
        groups=[club_game.verdict(2).group, club_game.verdict(3).group],
        points=9,
        request=RulingRequest(reason="agreed", by=club_game.judge, now=club_game.later()),
    )
)
act("reviews.accept_groups", "look", closed)(
    lambda club_game: reviews.accept_groups(
        turn=club_game.turn,
        groups=[club_game.verdict(2).group],
        version=present_version(club_game.turn, club_game.room, [club_game.verdict(2).group]),
        by=club_game.judge,
        now=club_game.later(),
    )
)
act("reviews.accept_clear_groups", "look", closed)(
    lambda club_game: reviews.accept_clear_groups(turn=club_game.turn, by=club_game.judge, now=club_game.later())
)
act("reviews.mark_slip_checked", "look", spot_checked)(
    lambda club_game: reviews.mark_slip_checked(
        turn=club_game.turn, slip_id=club_game.verdict(2).slip_id or 0, by=club_game.judge, now=club_game.later()
    )
)
act("rulings.revoke_group", "slip_ruling", decided)(
    lambda club_game: rulings.revoke_group(
        turn=club_game.turn,
        group=club_game.verdict(2).group,
        request=RulingRequest(by=club_game.judge, now=club_game.later()),
    )
)
act("seats.release_phone", "free_phone", with_phone)(
    lambda club_game: seats.release_phone(player=club_game.player(1), now=club_game.later(), by=club_game.judge)
)
act("seats.replace_seat_code", "seat_code")(
    lambda club_game: seats.replace_seat_code(player=club_game.player(1), now=club_game.later(), by=club_game.judge)
)
act("seats.set_seat_codes", "options")(
    lambda club_game: seats.set_seat_codes(
        event=club_game.event, wanted=not club_game.event.seat_codes, now=club_game.later(), by=club_game.judge
    )
)
act("seats.set_listed_only", "options")(
    lambda club_game: seats.set_listed_only(
        event=club_game.event, wanted=True, now=club_game.later(), by=club_game.judge
    )
)
act("seats.set_members_may_join", "options")(
    lambda club_game: seats.set_members_may_join(
        event=club_game.event, wanted=True, now=club_game.later(), by=club_game.judge
    )
)
act("slips.submit_batch", "slips", running)(lambda club_game: club_game.phone(1, "CARTE", "8H", 18))
act("paper_slips.enter_line", "slips", running)(
    lambda club_game: paper_slips.enter_line(
        game=club_game.game,
        typed=paper_slips.DeskLine("1,2 8H CARTE 18"),
        room=club_game.room,
        judges=True,
        now=club_game.later(),
        by=club_game.judge,
    )
)
act("slips.submit_paper_line", "slips", running)(lambda club_game: club_game.paper("1 8H CARTE 18"))


def typed_in_two_ways(club_game: ClubGame) -> None:
    double_entry.set_double_typing(event=club_game.event, wanted=True, by=club_game.judge, now=club_game.later())
    running(club_game)
    club_game.paper("1 8H CARTE 18")
    slips.submit_paper_line(
        game=club_game.refresh(), line="1 8H CERTA 18", now=club_game.later(), by=User.objects.create(username="ben")
    )


def place_of_judge(club_game: ClubGame) -> Membership:
    return Membership.objects.select_related("event", "user").get(event=club_game.event, user=club_game.judge)


def plays_along(club_game: ClubGame) -> None:
    playing_judge.start_playing(place=place_of_judge(club_game), table=1, by=club_game.judge, now=club_game.later())


def plays_along_in_a_turn(club_game: ClubGame) -> None:
    plays_along(club_game)
    running(club_game)
    club_game.phone(1, "CARTE", "8H", 18)


def plays_along_and_time_is_up(club_game: ClubGame) -> None:
    plays_along_in_a_turn(club_game)
    club_game.close()


def on_paper(club_game: ClubGame) -> slips.IncomingSlip:
    read = slips.read_paper_line(game=club_game.refresh(), line="1 8H CARTE 18")
    return slips.make_paper_slip(player=club_game.player(1), turn=club_game.turn, slip=read.slip, now=club_game.later())


act("slips.store_paper_slips", "slips", running)(
    lambda club_game: slips.store_paper_slips([on_paper(club_game)], now=club_game.later(), by=club_game.judge)
)
act("slips.submit_typed_slips", "slips", running)(
    lambda club_game: slips.submit_typed_slips(
        game=club_game.refresh(),
        typed=[on_paper(club_game)],
        raw="1 8H CARTE 18",
        now=club_game.later(),
        by=club_game.judge,
    )
)
act("double_entry.record_typing", "typing", running)(
    lambda club_game: double_entry.record_typing(
        game=club_game.refresh(),
        typed=on_paper(club_game),
        raw="1 8H CARTE 18",
        now=club_game.later(),
        by=club_game.judge,
    )
)
act("double_entry.set_double_typing", "options")(
    lambda club_game: double_entry.set_double_typing(
        event=club_game.event, wanted=True, by=club_game.judge, now=club_game.later()
    )
)
act("typing_conflicts.choose_typing", "typing", typed_in_two_ways)(
    lambda club_game: typing_conflicts.choose_typing(
        turn=club_game.turn,
        typing_id=Typing.objects.latest("pk").pk,
        by=club_game.judge,
        now=club_game.later(),
        room=club_game.room,
    )
)
act("typing_conflicts.retype_slip", "typing", typed_in_two_ways)(
    lambda club_game: typing_conflicts.retype_slip(
        turn=club_game.turn, line="1 8H CARTE 18", by=club_game.judge, now=club_game.later(), room=club_game.room
    )
)
act("playing_judge.start_playing", "plays_along")(plays_along)
act("playing_judge.stop_playing", "plays_along", plays_along)(
    lambda club_game: playing_judge.stop_playing(
        place=place_of_judge(club_game), by=club_game.judge, now=club_game.later()
    )
)
act("playing_judge.mark_slip_final", "final_slip", plays_along_in_a_turn)(
    lambda club_game: playing_judge.mark_slip_final(
        place=place_of_judge(club_game), by=club_game.judge, now=club_game.later()
    )
)
act("playing_judge.record_desk_opened", "final_slip", plays_along_and_time_is_up)(
    lambda club_game: playing_judge.record_desk_opened(
        place=place_of_judge(club_game), by=club_game.judge, now=club_game.later()
    )
)
act("staff.invite_colleague", "staff")(colleague)
act("staff.change_role", "staff", colleague)(
    lambda club_game: staff.change_role(
        place=place_of_colleague(club_game), role="judge", by=club_game.judge, now=club_game.later()
    )
)
act("staff.revoke_role", "staff", colleague)(
    lambda club_game: staff.revoke_role(place=place_of_colleague(club_game), by=club_game.judge, now=club_game.later())
)


@act("staff.add_colleague", "staff", colleague)
def _colleague_of_another_event(club_game: ClubGame) -> None:
    username = place_of_colleague(club_game).user.username
    club_game.game = create_club_game(club_game.judge).game
    staff.add_colleague(
        event=club_game.event, username=username, role="judge", by=club_game.judge, now=club_game.later()
    )


act("warnings.set_warning", "warning", running)(warn)


CLUB = ("members", "ratings", "seasons", "publishing", "training")
"""Domains that read results and write no fact of an event."""


def service_modules() -> dict[str, str]:
    """The modules of all `services` packages: dotted path by module name. A name occurs once in all domains."""
    found: dict[str, str] = {}
    for module in pkgutil.walk_packages(tournaments.__path__, "tournaments."):
        package, _, name = module.name.rpartition(".")
        if package.endswith(".services") and package.split(".")[1] not in CLUB:
            assert name not in found, f"two services are called {name}"
            found[name] = module.name
    return found


def public_functions() -> set[str]:
    """Every public function of every service, as "module.function"."""
    found = set()
    for module, path in service_modules().items():
        loaded = importlib.import_module(path)
        for name, member in vars(loaded).items():
            if inspect.isfunction(member) and member.__module__ == loaded.__name__ and not name.startswith("_"):
                found.add(f"{module}.{name}")
    return found


def test_every_service_is_in_one_of_the_lists() -> None:
    told = {name for name in public_functions() if name in NO_FACT or name.partition(".")[0] in NO_FACT}
    assert public_functions() - told - ACTS.keys() == set(), "say here how it is called, or why it writes no fact"
    assert ACTS.keys() - public_functions() == set(), "this service is not there any more"
    assert not ACTS.keys() & told


def test_what_is_said_to_write_no_fact_takes_no_part_in_a_judges_act() -> None:
    """A function with `by` and `now`, or a request that holds them, is an act, unless it is part of another act or
    concerns no event."""
    parts = {
        "game_end.finish_game",
        "rulings.carry_over_rulings",
        "prepared_games",
        "solo_practice",
        "club",
        "hub",
        "returns",
        "ruling_storage",
        "ruling_checks",
        "return_rack",
        "game_lock",
        "slips.store_slips",
    }
    modules = service_modules()
    for name in public_functions() - ACTS.keys():
        module, _, function = name.partition(".")
        takes = inspect.signature(getattr(importlib.import_module(modules[module]), function))
        is_act = {"by", "now"} <= takes.parameters.keys() or "request" in takes.parameters
        assert not is_act or name in parts or module in parts, name


@pytest.mark.parametrize("service", sorted(ACTS))
def test_the_act_adds_an_entry_and_the_chain_holds(service: str, club_game: ClubGame) -> None:
    kind, before, scenario = ACTS[service]
    before(club_game)
    last = LedgerEntry.objects.order_by("pk").last()
    scenario(club_game)
    added = LedgerEntry.objects.filter(pk__gt=last.pk if last else 0)
    assert kind in list(added.values_list("kind", flat=True))
    for game in {entry.game for entry in LedgerEntry.objects.select_related("game")}:
        entries = json.loads(json.dumps(export_game(game)))["ledger"]["entries"]
        assert find_bad_link_number(entries) is None


def test_taking_a_warning_back_is_an_entry_too(club_game: ClubGame) -> None:
    warned(club_game)
    request = RulingRequest(by=club_game.judge, now=club_game.later())
    warnings.set_warning(
        turn=club_game.turn, player=club_game.player(1), code="discipline", given=False, request=request
    )
    entries = LedgerEntry.objects.filter(kind="warning").order_by("n")
    assert [entry.data["given"] for entry in entries] == [True, False]


def test_going_on_without_the_lost_time_is_an_entry_too(club_game: ClubGame) -> None:
    robbed(club_game)
    deadline = TurnClock.objects.get().deadline
    heartbeats.settle_lost_time(give_back=False, now=club_game.later(), by=club_game.judge)
    entry = LedgerEntry.objects.get(kind="go_on")
    assert entry.data == {"turn": 1, "room": "Hall", "away_s": 40}
    assert entry.by == "judge"
    assert TurnClock.objects.get().deadline == deadline


def test_another_master_move_is_told_with_who_chose_it_and_why(club_game: ClubGame) -> None:
    closed(club_game)
    club_game.place(word="RESTI", ref="8H", why="nicer")
    entry = LedgerEntry.objects.get(kind="place")
    assert {name: entry.data[name] for name in ("word", "ref", "chosen_by", "why")} == {
        "word": "RESTI",
        "ref": "8H",
        "chosen_by": "judge",
        "why": "nicer",
    }


def test_a_correction_on_paper_is_another_entry_beside_the_first(club_game: ClubGame) -> None:
    running(club_game)
    club_game.paper("1 8H CARTE 18")
    club_game.paper("1 8H RESTI 18")
    entries = LedgerEntry.objects.filter(kind="slips")
    assert [entry.data["tables"] for entry in entries] == [[1], [1]]
    assert len({entry.data["digest"] for entry in entries}) == 2


def test_the_words_that_a_new_game_brings_along_stand_in_its_first_entry(club_game: ClubGame) -> None:
    struck(club_game)
    club_game.place()
    game_end.end_game(game=club_game.refresh(), by=club_game.judge, now=club_game.later())
    second = events.add_game(event=club_game.event, by=club_game.judge, now=club_game.later(), seed=NEXT_SEED)
    created = LedgerEntry.objects.get(game=second, kind="created")
    assert created.data["rulings"] == [["CARTE", "struck"]]


def test_an_act_that_is_refused_leaves_nothing(club_game: ClubGame) -> None:
    running(club_game)
    before = LedgerEntry.objects.count()
    with pytest.raises(Refused):
        club_game.place()
    with pytest.raises(Refused):
        club_game.paper("99 8H CARTE 18")
    assert LedgerEntry.objects.count() == before


def test_no_name_of_a_player_is_in_the_ledger(club_game: ClubGame) -> None:
    """Acts of the scenario use players' names; ledger entries use tables only."""
    names = ("Anna Rossi", "Bruno Verdi", "Carla Neri", "Dario Bianchi", "Elena Galli", "Fabio Moro", "Gina Serra")
    players.add_players(event=club_game.event, players=[NewPlayer(5, "Elena Galli", "Torino")], now=club_game.later())
    players.join_event(event=club_game.event, name="Fabio Moro", table=None, now=club_game.later(), token="a")
    players.rename_player(
        club_game.player(5), players.PlayerDetails(name="Gina Serra"), now=club_game.later(), by=club_game.judge
    )
    rng = seeded_random(4)
    play_turn(club_game, rng)
    running(club_game)
    warn(club_game)
    players.leave_game(player=club_game.player(1), now=club_game.later(), by=club_game.judge)
    club_game.close()
    club_game.place()
    game_end.end_game(game=club_game.refresh(), by=club_game.judge, now=club_game.later())
    second = events.add_game(event=club_game.event, by=club_game.judge, now=club_game.later(), seed=NEXT_SEED)
    club_game.game = second
    players.remove_player(player=club_game.player(17), now=club_game.later(), by=club_game.judge)
    follow_script(club_game, create_prepared_game(club_game.judge))
    written = json.dumps(list(LedgerEntry.objects.values_list("data", "by")), ensure_ascii=False)
    assert LedgerEntry.objects.count() > 20
    assert all(str(part) not in written for name in names for part in name.split())
    kept = json.dumps(export_game(club_game.game), ensure_ascii=False)
    assert "Gina Serra" in kept


def test_a_clock_that_runs_out_by_itself_is_nobodys_act(club_game: ClubGame) -> None:
    running(club_game)
    clocks.close_due_clocks(now=club_game.now + timedelta(minutes=10))
    assert LedgerEntry.objects.get(kind="close").by == ""
