"""One file a model; import them from here."""

from tournaments.backups.models import Heartbeat
from tournaments.documents.models import Document, Letterhead
from tournaments.events.models.event import Event, Room
from tournaments.events.models.round import Round
from tournaments.installation.models import Installation
from tournaments.judging.models.appeal import Appeal
from tournaments.judging.models.review import GroupLook
from tournaments.judging.models.rulings import GivenWarning, SlipRuling, WordRuling
from tournaments.judging.models.verdict import Verdict
from tournaments.ledger.models import LedgerEntry
from tournaments.members.models import ColumnChoice, DistinctMembers, KnownGuest, Member, MemberAct, PlayerMember
from tournaments.play.models.final_slip import FinalSlip
from tournaments.play.models.game import Entry, Game, players_in, plays
from tournaments.play.models.slip import Slip
from tournaments.play.models.turn import Turn, TurnClock
from tournaments.play.models.typing import Typing
from tournaments.players.models import Player, ReversibleAct, new_salt
from tournaments.prepared.models import Practice, PracticeLink, PreparedGame
from tournaments.publishing.models import ApiToken, Club, ResultMail, Webhook, WebhookDelivery, WebsiteRun
from tournaments.ratings.models import ExportTemplate, OpenRating, RatingRun
from tournaments.results.models import PublicPage
from tournaments.seasons.models import EventSummary, PlayerResult, Ranking, Season, SeasonException
from tournaments.simultaneous.models import ClubReturn, InvitedClub, OpenedPackage, Simultaneous, SimultaneousGame
from tournaments.staff.models import LoginLink, Membership
from tournaments.training.models import Exercise

__all__ = [
    "ApiToken",
    "Appeal",
    "Club",
    "ClubReturn",
    "ColumnChoice",
    "DistinctMembers",
    "Document",
    "Entry",
    "Event",
    "EventSummary",
    "Exercise",
    "ExportTemplate",
    "FinalSlip",
    "Game",
    "GivenWarning",
    "GroupLook",
    "Heartbeat",
    "Installation",
    "InvitedClub",
    "KnownGuest",
    "LedgerEntry",
    "Letterhead",
    "LoginLink",
    "Member",
    "MemberAct",
    "Membership",
    "OpenRating",
    "OpenedPackage",
    "Player",
    "PlayerMember",
    "PlayerResult",
    "Practice",
    "PracticeLink",
    "PreparedGame",
    "PublicPage",
    "Ranking",
    "RatingRun",
    "ResultMail",
    "ReversibleAct",
    "Room",
    "Round",
    "Season",
    "SeasonException",
    "Simultaneous",
    "SimultaneousGame",
    "Slip",
    "SlipRuling",
    "Turn",
    "TurnClock",
    "Typing",
    "Verdict",
    "Webhook",
    "WebhookDelivery",
    "WebsiteRun",
    "WordRuling",
    "new_salt",
    "players_in",
    "plays",
]
