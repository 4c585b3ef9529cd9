"""Choices of stored fields."""

from __future__ import annotations

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _


class Role(TextChoices):
    DIRECTOR = "director", _("director")
    JUDGE = "judge", _("judge")
    TYPIST = "typist", _("typist")
    WALL = "wall", _("wall")


class DrawMode(TextChoices):
    SEEDED = "seeded", _("drawn by the program")
    TYPED = "typed", _("drawn from a bag and typed")


class GameState(TextChoices):
    READY = "ready", _("ready")
    RUNNING = "running", _("running")
    FINISHED = "finished", _("finished")


class EndReason(TextChoices):
    TILES_OUT = "tiles_out", _("all tiles are used")
    MINIMUM = "minimum", _("vowels or consonants are used up")
    NO_MOVE = "no_move", _("no move is possible")
    TURNS = "turns", _("the agreed number of turns is played")
    JUDGE = "judge", _("the judge ended the game")


class ClockState(TextChoices):
    """State of a room's clock in a turn. `phase` in engine.play.clock tells whether an open clock has run out."""

    READY = "ready", _("not announced")
    OPEN = "open", _("running")
    PAUSED = "paused", _("paused")
    CLOSED = "closed", _("closed")


class SlipSource(TextChoices):
    PHONE = "phone", _("phone")
    PAPER = "paper", _("paper")


class ChosenBy(TextChoices):
    ENGINE = "engine", _("engine")
    SLIP = "slip", _("best slip")
    JUDGE = "judge", _("judge")


class Ruling(TextChoices):
    ACCEPTED = "accepted", _("accepted")
    STRUCK = "struck", _("struck")


class AppealState(TextChoices):
    OPEN = "open", _("open")
    UPHELD = "upheld", _("upheld")
    REJECTED = "rejected", _("rejected")


class JudgeWarningCode(TextChoices):
    """Warnings that judges give themselves (`engine.judging.warning_quota`), in the order in which verdicts list
    them."""

    UNREADABLE = "unreadable", _("unclear slip")
    DISCIPLINE = "discipline", _("discipline")


class ScriptKind(TextChoices):
    PREPARED = "prepared", _("prepared game")
    REPLAY = "replay", _("game to replay")
    SEALED = "sealed", _("game of a simultaneous game")


class PreparationState(TextChoices):
    MAKING = "making", _("being prepared")
    READY = "ready", _("ready")
    FAILED = "failed", _("failed")


class RunState(TextChoices):
    """State of a task in the background."""

    QUEUED = "queued", _("waiting")
    RUNNING = "running", _("being prepared")
    DONE = "done", _("ready")
    FAILED = "failed", _("failed")


class DocumentState(TextChoices):
    QUEUED = "queued", _("waiting")
    RUNNING = "running", _("being prepared")
    DONE = "done", _("ready")
    FAILED = "failed", _("failed")


class ReturnFault(TextChoices):
    """Fault of a file that came back from a club."""

    LATE = "late", _("too late")
    FOREIGN = "foreign", _("of another game")
    IMPOSTOR = "impostor", _("not from the club it names")
    ALTERED = "altered", _("altered after it was sealed")


class ReturnState(TextChoices):
    WAITING = "waiting", _("waits to be judged again")
    JUDGED = "judged", _("judged again")
    FAILED = "failed", _("cannot be judged")


class ReturnCounts(TextChoices):
    """State of a return: its players are in the ranking or not. One return of a club counts at a time."""

    COUNTED = "counted", _("counts")
    HELD = "held", _("waits for the organiser")
    REPLACED = "replaced", _("replaced")
    WITHDRAWN = "withdrawn", _("withdrawn")
