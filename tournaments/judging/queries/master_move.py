"""The master move of a turn: the move that the profile puts on the board."""

from __future__ import annotations

from engine.turn_results.master_move import MasterMove, choose_master
from tournaments.events.queries.events import get_drawing_room
from tournaments.judging.verdicts import VerdictReader
from tournaments.lexicons import word_lists
from tournaments.models import Turn, Verdict, players_in
from tournaments.play.position import board_before, profile_of, rack_of
from tournaments.play.tops import stored_tops
from tournaments.prepared.scripts import choose_scripted_move


def choose_master_move(*, turn: Turn) -> MasterMove | None:
    """The best slip, the engine's top or the move of a script, as the profile requires.

    None if no move is possible, or if nobody was correct and the profile plays the same rack again. Only slips of the
    drawing room count, because other rooms may play the turn much later.
    """
    profile = profile_of(turn.game)
    reader = VerdictReader(turn.game)
    here = players_in(turn.game, get_drawing_room(turn.game.event))
    one_a_group = {row.group: row for row in Verdict.objects.filter(turn=turn, player__in=here)}
    verdicts = [reader.judgement(row) for row in one_a_group.values()]
    board, rack = board_before(turn), rack_of(turn)
    words = word_lists.open_lexicon(turn.game, turn.number)
    chosen = choose_master(verdicts, stored_tops(turn), board, rack, words, profile)
    return choose_scripted_move(turn, chosen, words, profile)
