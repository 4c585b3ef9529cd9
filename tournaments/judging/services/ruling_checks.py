"""Checks that a ruling must pass before it is stored, on a turn that is played and on one that is on the board.

Every check raises `Refused` or `AlreadyDone`. The caller has locked the game for those that read the present turn.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from django.utils.translation import gettext as _

from engine.lexicon.nodes import LONGEST_WORD
from engine.lexicon.parsing import SHORTEST_WORD
from engine.tiles.edition import BLANK_BIT, UnknownLetter
from tournaments import validators
from tournaments.enums import GameState, JudgeWarningCode, Ruling
from tournaments.errors import AlreadyDone, Refused
from tournaments.events.queries.events import get_drawing_room
from tournaments.judging.queries.preview import ProposedChange, build_preview
from tournaments.judging.queries.reviews import last_decided, present_version
from tournaments.judging.services.ruling_request import RulingRequest
from tournaments.judging.verdicts import to_written_slip
from tournaments.lexicons import word_lists
from tournaments.models import Entry, Game, GivenWarning, Player, Room, Slip, Turn, TurnClock, Verdict, plays
from tournaments.play.position import edition_of, profile_of
from tournaments.play.queries.phases import current_turn, get_room_turn

MOST_POINTS = 2000


def tile_text(game: Game, word: str) -> str:
    """Convert a typed word to upper-case tile text; `Refused` if it is not a word of this edition."""
    edition = edition_of(game)
    typed = validators.one_line(word)
    try:
        codes = tuple(code & ~BLANK_BIT for code in edition.parse_word(typed))
    except UnknownLetter as error:
        raise Refused(_("No tile of this edition shows %(sign)s.") % {"sign": error.sign[:10]}) from None
    if not SHORTEST_WORD <= len(codes) <= LONGEST_WORD:
        raise Refused(
            _("A word has %(shortest)d to %(longest)d letters.") % {"shortest": SHORTEST_WORD, "longest": LONGEST_WORD}
        )
    return edition.word_text(codes)


def require_ruling(game: Game, word: str, ruling: str) -> str:
    """Return the word of a ruling as tile text; `ValueError` for an unknown ruling."""
    if ruling not in Ruling.values:
        raise ValueError(f"{ruling!r} is no ruling")
    return tile_text(game, word)


def require_reason(text: str) -> str:
    """Return the reason as one clean line; `Refused` if it is empty."""
    reason = validators.reason(text)
    if not reason:
        raise Refused(_("Give a reason for the decision."))
    return reason


def require_points(points: int) -> int:
    """Return the points; `Refused` if a judge may not give so many for a slip."""
    if not 0 <= points <= MOST_POINTS:
        raise Refused(_("Points go from 0 to %(most)d.") % {"most": MOST_POINTS})
    return points


def get_unplaced_turn(game: Game, turn: Turn) -> Turn:
    """The present state of a turn that is not placed; the caller has locked the game."""
    current = current_turn(game)
    if current is None or current.pk != turn.pk or game.state == GameState.FINISHED:
        raise Refused(_("This turn is over; rulings count from the next one on."))
    if current.placed_at is not None:
        sentence = _("Turn %(turn)d is on the board: take its move back, or rule in the next turn.")
        raise Refused(sentence % {"turn": current.number}, act="place", turn=current.number)
    return current


def get_unshown_turn(game: Game, turn: Turn, room: Room) -> Turn:
    """The present state of a turn whose slips may still be decided in a room; the caller has locked the game."""
    if room.is_drawing:
        return get_unplaced_turn(game, turn)
    current = get_room_turn(game, room)
    if current is None or current.pk != turn.pk:
        raise Refused(_("This turn is over; rulings count from the next one on."))
    if TurnClock.objects.filter(turn=current, room=room, shown_at__isnull=False).exists():
        raise Refused(
            _("This room has been shown the move of turn %(turn)d: take it back first.") % {"turn": current.number}
        )
    return current


def get_placed_turn(game: Game, turn: Turn) -> Turn:
    """The present state of a placed turn that may be judged again."""
    current = Turn.objects.filter(pk=turn.pk, game=game).first()
    if current is None or current.placed_at is None:
        raise Refused(_("Turn %(turn)d is not on the board: decide on it in the game.") % {"turn": turn.number})
    if game.event.forgotten_at is not None:
        raise Refused(_("The names of this event are forgotten: its results stay as they are."))
    current.game = game
    return current


def require_current_preview(seen: str | None, change: Callable[[], ProposedChange]) -> None:
    """Refuse a change if its preview differs from the confirmed one; `seen` None skips the check."""
    if seen is not None and build_preview(change()).token != seen:
        raise Refused(_("Something has changed in the meantime: check again who gains and loses."))


def require_word_changes(game: Game, turn: Turn, text: str, ruling: str) -> None:
    """Refuse a ruling that does not change whether the word counts."""
    words = word_lists.open_lexicon(game, turn.number)
    allowed = edition_of(game).parse_word(text) in words
    if ruling == Ruling.ACCEPTED and allowed:
        raise AlreadyDone(_("%(word)s counts as a word already.") % {"word": text}, act="word_ruling", word=text)
    if ruling == Ruling.STRUCK and not allowed:
        sentence = _("%(word)s is not a valid word here anyway.") % {"word": text}
        raise AlreadyDone(sentence, act="word_ruling", word=text)


def require_version(turn: Turn, request: RulingRequest, groups: Collection[str], word: str = "") -> None:
    """Refuse a decision if another judge has decided on these groups since the version that the judge saw.

    The caller has locked the game.
    """
    room, by = request.room or get_drawing_room(turn.game.event), request.by
    if request.version is None or present_version(turn, room, groups) == request.version:
        return
    decided = last_decided(turn, groups, word)
    if decided is None:
        raise Refused(_("Something has changed in the meantime; look at the desk again."))
    if by is not None and decided.by == by:
        raise AlreadyDone(_("You have decided this already: %(what)s.") % {"what": decided.said})
    raise Refused(decided.told)


def require_slip(turn: Turn, group: str) -> Slip:
    """One of the slips of a group; `Refused` if nothing was handed in."""
    one = Verdict.objects.filter(turn=turn, group=group).select_related("slip").first()
    if one is None:
        raise Refused(_("This group of slips no longer exists; look at the desk again."))
    if one.slip is None or to_written_slip(one.slip).is_blank:
        raise Refused(_("Nothing was handed in here, and a turn on the board takes no more slips."))
    return one.slip


def require_own_player(turn: Turn, player: Player) -> None:
    """Refuse a player who has no slip in this turn."""
    if not Entry.objects.filter(plays(turn.number), game=turn.game_id, player=player).exists():
        raise Refused(_("Table %(table)d does not play turn %(turn)d.") % {"table": player.table, "turn": turn.number})


def require_warning_changes(turn: Turn, player: Player, code: str, *, given: bool) -> None:
    """Refuse to give a warning that the player has, or to revoke one that they do not have."""
    if code not in JudgeWarningCode.values:
        raise ValueError(f"{code!r} is no warning of a judge")
    if GivenWarning.objects.filter(turn=turn, player=player, code=code, revoked_at=None).exists() == given:
        has = _("Table %(table)d has this warning already.")
        has_not = _("Table %(table)d does not have this warning.")
        raise AlreadyDone((has if given else has_not) % {"table": player.table})


def require_same_racks(change: ProposedChange) -> None:
    """Refuse a change that would alter which racks were played again because nobody was correct.

    These racks have been played and cannot change.
    """
    if profile_of(change.game).nobody_correct != "same_rack":
        return
    before = dict(Turn.objects.filter(game=change.game, placed_at__isnull=False).values_list("pk", "top"))
    for facts in change.facts:
        turn = facts.turn
        if turn.pk in before and turn.master_score is None and bool(before[turn.pk]) != bool(facts.top):
            raise Refused(
                _(
                    "This ruling would change whether the letters of turn %(turn)d are played again, which is no "
                    "longer possible: give points to the slips instead."
                )
                % {"turn": turn.number}
            )
