"""One file a model; import them from here."""

from tournaments.models.access import LoginLink, Membership
from tournaments.models.appeal import Appeal
from tournaments.models.document import Document
from tournaments.models.event import Event, Room
from tournaments.models.final_slip import FinalSlip
from tournaments.models.game import Entry, Game, players_in, plays
from tournaments.models.heartbeat import Heartbeat
from tournaments.models.ledger import LedgerEntry
from tournaments.models.looks import GroupLook
from tournaments.models.player import Player, new_salt
from tournaments.models.prepared import Practice, PracticeLink, PreparedGame
from tournaments.models.public_page import PublicPage
from tournaments.models.round import Round
from tournaments.models.rulings import GivenWarning, SlipRuling, WordRuling
from tournaments.models.slip import Slip
from tournaments.models.turn import Turn, TurnClock
from tournaments.models.typing import Typing
from tournaments.models.verdict import Verdict

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
    "LoginLink",
    "Membership",
    "Player",
    "Practice",
    "PracticeLink",
    "PreparedGame",
    "PublicPage",
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
