"""Whether a turn that is on the board may be judged again, and what of it."""

from __future__ import annotations

from django.utils.translation import gettext as _

from tournaments.errors import Refused
from tournaments.models import Entry, Game, Player, Slip, Turn, Verdict, plays
from tournaments.position import profile_of
from tournaments.selectors.preview import Change
from tournaments.verdicts import written


def placed(game: Game, turn: Turn) -> Turn:
    """The turn as it is now, if it may be judged again."""
    current = Turn.objects.filter(pk=turn.pk, game=game).first()
    if current is None or current.placed_at is None:
        raise Refused(_("Turn %(turn)d is not on the board: decide on it in the game.") % {"turn": turn.number})
    if game.event.forgotten_at is not None:
        raise Refused(_("The names of this event are forgotten: its results stay as they are."))
    current.game = game
    return current


def slip_of(turn: Turn, group: str) -> Slip:
    """One of the slips of a group, which somebody handed in."""
    one = Verdict.objects.filter(turn=turn, group=group).select_related("slip").first()
    if one is None:
        raise Refused(_("This group of slips is not there any more; look at the desk again."))
    if one.slip is None or written(one.slip).is_blank:
        raise Refused(_("Nothing was handed in here, and a turn on the board takes no more slips."))
    return one.slip


def demand_own_player(turn: Turn, player: Player) -> None:
    """Refuse a player who has no slip in this turn."""
    if not Entry.objects.filter(plays(turn.number), game=turn.game_id, player=player).exists():
        raise Refused(_("Table %(table)d does not play turn %(turn)d.") % {"table": player.table, "turn": turn.number})


def demand_same_racks(change: Change) -> None:
    """Where nobody was correct and the rule plays the same letters again, that has happened, or has not."""
    if profile_of(change.game).nobody_correct != "same_rack":
        return
    before = dict(Turn.objects.filter(game=change.game, placed_at__isnull=False).values_list("pk", "top"))
    for facts in change.facts:
        turn = facts.turn
        if turn.pk in before and turn.master_score is None and bool(before[turn.pk]) != bool(facts.top):
            raise Refused(
                _(
                    "By this ruling it would be another matter whether the letters of turn %(turn)d were to be played "
                    "again, which cannot be changed any more: give points to the slips instead."
                )
                % {"turn": turn.number}
            )
