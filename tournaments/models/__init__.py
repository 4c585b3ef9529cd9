"""One file a model; import them from here."""

from tournaments.models.access import LoginLink, Membership
from tournaments.models.document import Document
from tournaments.models.event import Event, Room
from tournaments.models.game import Entry, Game
from tournaments.models.heartbeat import Heartbeat
from tournaments.models.ledger import LedgerEntry
from tournaments.models.player import Player
from tournaments.models.rulings import SlipRuling, WordRuling
from tournaments.models.slip import Slip
from tournaments.models.turn import Turn, TurnClock
from tournaments.models.verdict import Verdict

__all__ = [
    "Document",
    "Entry",
    "Event",
    "Game",
    "Heartbeat",
    "LedgerEntry",
    "LoginLink",
    "Membership",
    "Player",
    "Room",
    "Slip",
    "SlipRuling",
    "Turn",
    "TurnClock",
    "Verdict",
    "WordRuling",
]
