"""One file a model; import them from here."""

from tournaments.backups.models import Heartbeat
from tournaments.documents.models import Document, Letterhead
from tournaments.events.models.event import Event, Room
from tournaments.events.models.round import Round
from tournaments.judging.models.appeal import Appeal
from tournaments.judging.models.review import GroupLook
from tournaments.judging.models.rulings import GivenWarning, SlipRuling, WordRuling
from tournaments.judging.models.verdict import Verdict
from tournaments.ledger.models import LedgerEntry
from tournaments.play.models.final_slip import FinalSlip
from tournaments.play.models.game import Entry, Game, players_in, plays
from tournaments.play.models.slip import Slip
from tournaments.play.models.turn import Turn, TurnClock
from tournaments.play.models.typing import Typing
from tournaments.players.models import Player, ReversibleAct, new_salt
from tournaments.prepared.models import Practice, PracticeLink, PreparedGame
from tournaments.results.models import PublicPage
from tournaments.staff.models import LoginLink, Membership

__all__ = [
    "Appeal",
    "Document",
    "Entry",
    "Event",
    "FinalSlip",
    "Game",
    "GivenWarning",
    "GroupLook",
    "Heartbeat",
    "LedgerEntry",
    "Letterhead",
    "LoginLink",
    "Membership",
    "Player",
    "Practice",
    "PracticeLink",
    "PreparedGame",
    "PublicPage",
    "ReversibleAct",
    "Room",
    "Round",
    "Slip",
    "SlipRuling",
    "Turn",
    "TurnClock",
    "Typing",
    "Verdict",
    "WordRuling",
    "new_salt",
    "players_in",
    "plays",
]
