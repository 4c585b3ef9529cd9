"""One file a model; import them from here."""

from tournaments.models.access import LoginLink, Membership
from tournaments.models.document import Document
from tournaments.models.event import Event, Room
from tournaments.models.feed import FeedLink, FollowedFeed
from tournaments.models.game import Entry, Game, players_in, plays
from tournaments.models.heartbeat import Heartbeat
from tournaments.models.ledger import LedgerEntry
from tournaments.models.player import Player
from tournaments.models.prepared import Practice, PracticeLink, PreparedGame
from tournaments.models.rulings import GivenWarning, SlipRuling, WordRuling
from tournaments.models.slip import Slip
from tournaments.models.turn import Turn, TurnClock
from tournaments.models.verdict import Verdict

__all__ = [
    "Document",
    "Entry",
    "Event",
    "FeedLink",
    "FollowedFeed",
    "Game",
    "GivenWarning",
    "Heartbeat",
    "LedgerEntry",
    "LoginLink",
    "Membership",
    "Player",
    "Practice",
    "PracticeLink",
    "PreparedGame",
    "Room",
    "Slip",
    "SlipRuling",
    "Turn",
    "TurnClock",
    "Verdict",
    "WordRuling",
    "players_in",
    "plays",
]
