from __future__ import annotations

from django.db import models

from tournaments.enums import DrawMode, EndReason, GameState
from tournaments.models.event import Event, Room
from tournaments.models.player import Player
from tournaments.models.prepared import PreparedGame


class Game(models.Model):
    """A script of racks and master moves, and the rules and word list it is played by.

    `edition_toml` is the edition's file as it was when the game began; empty in games of older versions, which are
    played with the installed one. `lexicon_parts`, only of a game with two word lists, are these: a list of {"name",
    "words", "sha256"}; the other fields of the word list are those of the combined one. `switches` holds every switch
    of the profile with its value (formats: profile).
    `prepared` is the game that was made before and is followed, its racks and its master moves; most games have none.
    `seed` stays secret until the game is over; `commitment` is public from the start. A game that goes on after its
    seed was shown has a new one, from turn `draws_from` on; `earlier_draws` are those before, all public: a list of
    {"from_turn", "commitment", "seed", "hall_word"}. `typed_rejected` are the racks
    of the turn to come that were drawn from a physical bag and had to go back. `seq` grows with every change that
    somebody can see. A player may appeal for `appeal_minutes` after his room was shown a turn, and in any case until
    `appeal_end_minutes` after its last one; both 0: not at all.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="games")
    number = models.PositiveIntegerField(default=1)
    state = models.CharField(max_length=10, choices=GameState.choices, default=GameState.READY)
    edition = models.CharField(max_length=20)
    edition_toml = models.TextField(blank=True)
    profile = models.CharField(max_length=40)
    switches = models.JSONField()
    formula = models.CharField(max_length=20, default="normal")
    rhythm_s = models.PositiveIntegerField()
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
    """A player's place in a game: he has a slip for every turn from `first_turn` on, through `last_turn` if he left.

    `room` is where he plays this game; in a later one he may sit in another. A disqualified player has no rank; from
    turn `disqualified_from` on their slips count for no average, solo or bonus. `disqualified_for` is the reason.
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


def players_in(game: Game | int, room: Room | int) -> models.QuerySet[Entry, int]:
    """For `player__in`: those who play this game in this room."""
    return Entry.objects.filter(game=game, room=room).values_list("player", flat=True)
