"""What goes on the board in a turn, by the profile."""

from __future__ import annotations

from engine.rules.master import Master, choose_master
from tournaments import lexicons
from tournaments.models import Turn, Verdict, players_in
from tournaments.position import board_before, profile_of, rack_of
from tournaments.scripts import master_by_script
from tournaments.selectors.events import first_room
from tournaments.tops import stored_tops
from tournaments.verdicts import Reader


def choose(*, turn: Turn) -> Master | None:
    """The best slip or the engine's top; in a game that follows a script its move. None when no move is possible, or
    when nobody was correct and the profile plays the same rack again.

    Of several rooms the slips of the drawing room decide: the others may play the turn much later.
    """
    profile = profile_of(turn.game)
    reader = Reader(turn.game)
    here = players_in(turn.game, first_room(turn.game.event))
    one_a_group = {row.group: row for row in Verdict.objects.filter(turn=turn, player__in=here)}
    verdicts = [reader.judgement(row) for row in one_a_group.values()]
    board, rack = board_before(turn), rack_of(turn)
    words = lexicons.open_lexicon(turn.game, turn.number)
    chosen = choose_master(verdicts, stored_tops(turn), board, rack, words, profile)
    return master_by_script(turn, chosen, words, profile)
