from __future__ import annotations

from collections.abc import Collection

from django.db import connection, models

from tournaments.enums import DrawMode, EndReason, GameState
from tournaments.events.models.event import Event, Room
from tournaments.players.models import Player
from tournaments.prepared.models import PreparedGame


class Game(models.Model):
    """A script of racks and master moves, with its rules and word list.

    `edition_toml` is the edition's file at the start of the game; empty in games of older versions, which use the
    installed one. `lexicon_parts` is set only in a game with two word lists: a list of {"name", "words", "sha256"};
    the other fields of the word list describe the combined one. `switches` holds every switch of the profile with its
    value (formats: profile). `prepared` is the prepared game whose racks and master moves are followed, if any.

    `seed` is secret until the game is over; `commitment` is public from the start. A game that continues after its
    seed was shown has a new one, from turn `draws_from` on; `earlier_draws` are those before, all public: a list of
    {"from_turn", "commitment", "seed", "hall_word"}. `typed_rejected` are the rejected racks of the next turn, drawn
    from a physical bag. `seq` grows with every visible change.

    A player may appeal for `appeal_minutes` after the turn was shown in their room, and in any case until
    `appeal_end_minutes` after the last turn; both 0: no appeals.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="games")
    number = models.PositiveIntegerField(default=1)
    state = models.CharField(max_length=10, choices=GameState.choices, default=GameState.READY)
    edition = models.CharField(max_length=20)
    edition_toml = models.TextField(blank=True)
    profile = models.CharField(max_length=40)
    switches = models.JSONField()
    variant = models.CharField(max_length=20, default="normal")
    turn_seconds = models.PositiveIntegerField()
    lexicon_name = models.CharField(max_length=100)
    lexicon_words = models.PositiveIntegerField()
    lexicon_sha256 = models.CharField(max_length=64)
    lexicon_parts = models.JSONField(default=list, blank=True)
    draw_mode = models.CharField(max_length=10, choices=DrawMode.choices, default=DrawMode.SEEDED)
    seed = models.BinaryField(max_length=32)
    commitment = models.CharField(max_length=64)
    hall_word = models.CharField(max_length=100, blank=True)
    draws_from = models.PositiveIntegerField(default=1)
    earlier_draws = models.JSONField(default=list, blank=True)
    prepared = models.ForeignKey(PreparedGame, on_delete=models.PROTECT, null=True, blank=True, related_name="games")
    appeal_minutes = models.PositiveSmallIntegerField(default=15)
    appeal_end_minutes = models.PositiveSmallIntegerField(default=0)
    typed_rejected = models.JSONField(default=list, blank=True)
    end_why = models.CharField(max_length=20, choices=EndReason.choices, blank=True)
    end_kept = models.CharField(max_length=60, blank=True)
    end_bag = models.CharField(max_length=600, blank=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    seq = models.PositiveBigIntegerField(default=0)

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["event", "number"], name="one_game_of_a_number")]

    def __str__(self) -> str:
        return f"{self.event} {self.number}"


class Entry(models.Model):
    """A player's place in a game, from `first_turn` on, through `last_turn` if the player left.

    `room` is the player's room in this game. A disqualified player has no rank; from turn `disqualified_from` on their
    slips count for no average, solo or bonus. `disqualified_for` is the reason.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="entries")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="entries")
    room = models.ForeignKey(Room, on_delete=models.PROTECT, related_name="entries")
    first_turn = models.PositiveIntegerField(default=1)
    last_turn = models.PositiveIntegerField(null=True, blank=True)
    disqualified_from = models.PositiveIntegerField(null=True, blank=True)
    disqualified_for = models.CharField(max_length=300, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "player"], name="one_entry_a_game")]

    def __str__(self) -> str:
        return f"{self.player} from turn {self.first_turn}"


def plays(turn: int | models.F) -> models.Q:
    """The entries that have a slip in the turn of this number."""
    return models.Q(first_turn__lte=turn) & (models.Q(last_turn=None) | models.Q(last_turn__gte=turn))


def players_in(game: Game | int, *rooms: Room | int) -> Collection[int]:
    """For `player__in`: those who play this game in these rooms.

    PostgreSQL gets their keys, and so finds their rows by an index. With a subquery it reads the rows of all rooms
    while its statistics are old, as in the minute after many players came. For SQLite a subquery is faster.
    """
    players = Entry.objects.filter(game=game, room__in=rooms).values_list("player", flat=True)
    return list(players) if connection.vendor == "postgresql" else players
