"""Prepared games: order, generate, open, change, import and delete them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any, cast

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from engine.archive.schema import LexiconEntry, format_timestamp
from engine.board.coordinates import UnreadableReference, parse_reference
from engine.board.move import Move
from engine.draw.reproducible import SEED_BYTES
from engine.judging.placement import Fault, Position, place_word
from engine.judging.verdict_text import reason_sentence
from engine.prepared.prepare_game import FoundGame, GameCriteria, JudgeChoice, find_game, play_game, preparable_profile
from engine.prepared.prepare_game import PreparedGame as Played
from engine.prepared.script import Script, ScriptError, edition_of, profile_of, read_script, script_of, variant_of
from engine.prepared.script_check import check_replayable, check_seeded_game, position
from engine.search.game_solver import GameSolver
from engine.tiles.edition import EditionError, UnknownLetter, load_edition
from engine.variants.variant import NORMAL
from tournaments import signals, validators
from tournaments.enums import GameState, PreparationState, ScriptKind
from tournaments.errors import Refused
from tournaments.events.services.game_rules import require_possible, rules_of_first_game
from tournaments.lexicons import word_lists
from tournaments.lexicons.word_lists import LexiconFile, Rulings
from tournaments.models import Game, PreparedGame
from tournaments.play.services.game_lock import append_to_ledger, lock_game
from tournaments.prepared import scripts

MOST_TURNS_WITH_BINGO = 20
LARGEST_FILE = 30_000_000


@dataclass(frozen=True, slots=True)
class Order:
    """Settings of a game to generate: those of a new event, and the wishes."""

    edition: str
    profile: str
    lexicon: str | None
    wishes: GameCriteria = field(default_factory=GameCriteria)
    variant: str = NORMAL
    turn_seconds: int | None = None
    switches: Mapping[str, object] | None = None


def order_game(*, title: str, order: Order, by: User, now: datetime, secret: bytes) -> PreparedGame:
    """Order a game, which `make_game` generates on the signal `preparation_requested`.

    The engine's top is always placed: with the best slip, nothing after the first rack could be known in advance.
    `secret` holds 32 random bytes, from which the seeds are derived.
    """
    name = _title(title)
    _check_wishes(order.wishes)
    if len(secret) != SEED_BYTES:
        raise ValueError(f"a secret has {SEED_BYTES} bytes, not {len(secret)}")
    game = _game_of(order)
    with transaction.atomic():
        prepared = PreparedGame.objects.create(
            by=by,
            kind=ScriptKind.PREPARED,
            title=name,
            created_at=now,
            order={**game, "wishes": asdict(order.wishes), "secret": secret.hex(), "language": get_language() or "en"},
            acts=[_act("made", by, now)],
        )
        signals.send_preparation_requested(prepared)
    return prepared


def generate_game(*, prepared: PreparedGame, go_on: Callable[[int], bool]) -> None:
    """Search for the ordered game. `go_on` is called with the number of each attempt and may end the search."""
    order = prepared.order
    wishes = GameCriteria(**order["wishes"])
    empty = _draft(prepared)
    try:
        solver = _solver(empty)
        found = find_game(bytes.fromhex(order["secret"]), solver, profile_of(empty), wishes, go_on=go_on)
    except Refused as refused:
        record_failure(prepared=prepared, sentence=refused.sentence)
        return
    if found is None:
        record_failure(prepared=prepared, sentence=_nothing_found_error())
        return
    _store_game(prepared, empty, found)


def record_progress(*, prepared: PreparedGame, percent: int) -> None:
    """Record the progress of the search, 0 to 99."""
    PreparedGame.objects.filter(pk=prepared.pk, state=PreparationState.MAKING).update(progress=max(0, min(99, percent)))


def record_failure(*, prepared: PreparedGame, sentence: str) -> None:
    """Record that the game could not be generated; `sentence` is for the user who ordered it."""
    PreparedGame.objects.filter(pk=prepared.pk).update(state=PreparationState.FAILED, error=sentence[:400])


def fail_unfinished() -> int:
    """Mark games as failed whose generation a restart interrupted. Return their number."""
    sentence = _("The program was restarted before the game was ready; prepare another one.")
    return PreparedGame.objects.filter(state=PreparationState.MAKING).update(
        state=PreparationState.FAILED, error=sentence
    )


def record_access(*, prepared: PreparedGame, act: str, by: User, now: datetime) -> PreparedGame:
    """Record access to the secret script: `act` is "opened", "printed" or "saved". The ledger of every game that
    follows the script records it too."""
    with transaction.atomic():
        locked = _lock_ready_game(prepared)
        _append_act(locked, act, by, now)
        for game in Game.objects.filter(prepared=locked).exclude(state=GameState.FINISHED):
            with lock_game(game) as playing:
                append_to_ledger(
                    game=playing, kind="script_opened", by=by, now=now, data={"title": locked.title, "act": act}
                )
    return locked


def choose_master_move(
    *, prepared: PreparedGame, turn: int, word: str, ref: str, why: str, by: User, now: datetime
) -> PreparedGame:
    """Place another move in a turn. All later turns are drawn and searched again; later choices are dropped.

    Refused once a game follows the script, and for replays, whose moves are given. An empty word removes the judge's
    choice of this turn.
    """
    reason = validators.reason(why)
    with transaction.atomic():
        locked = _lock_ready_game(prepared)
        _require_unplayed(locked)
        script = scripts.script_of(locked)
        solver = _solver(script)
        choices = {number: choice for number, choice in _choices(script, solver).items() if number < turn}
        if word.strip():
            choices[turn] = JudgeChoice(_legal(script, solver, turn, word, ref), reason)
        game = play_game(bytes.fromhex(script["draw"]["seed"] or ""), solver, profile_of(script), choices)
        locked.script = _build_script(game, script)
        _append_act(locked, "changed", by, now)
        locked.save(update_fields=["script"])
    return locked


def import_game(*, text: str, title: str, lexicon: str | None, by: User, now: datetime) -> PreparedGame:
    """Import a prepared game, or an archive as a game to replay, ranked among its players.

    Verdicts need a word list: the one of the file by its checksum, else, for replays only, the one named by `lexicon`;
    words missing from it are accepted from the turn in which they were played.
    """
    try:
        script = read_script(text, title=title.strip())
        edition_of(script), profile_of(script), variant_of(script)
        brought = _verify_sealed_script(script) if script["draw"]["seed"] else _import_archive(script, lexicon)
    except ScriptError as error:
        raise Refused(_("This file cannot be used. %(why)s") % {"why": error}) from None
    kind = ScriptKind.PREPARED if brought["draw"]["seed"] else ScriptKind.REPLAY
    return PreparedGame.objects.create(
        by=by,
        kind=kind,
        title=_title(title or brought["title"]),
        created_at=now,
        state=PreparationState.READY,
        progress=100,
        script=brought,
        acts=[_act("brought", by, now)],
    )


def delete_game(*, prepared: PreparedGame) -> None:
    """Delete a prepared game with its practice links; refused while games belong to it."""
    with transaction.atomic():
        locked = PreparedGame.objects.select_for_update().get(pk=prepared.pk)
        if Game.objects.filter(prepared=locked).exists():
            raise Refused(_("Games have been played by this script; it stays with them."))
        if locked.simultaneous.exists():
            raise Refused(_("A simultaneous game was made of this game; it stays with it."))
        locked.delete()


def _title(text: str) -> str:
    cleaned = validators.short_text(text, longest=validators.NAME_LENGTH, what=_("title"))
    if not cleaned:
        raise Refused(_("Give the game a title."))
    return cleaned


def _check_wishes(wishes: GameCriteria) -> None:
    if not 0 <= wishes.bingo_turns <= MOST_TURNS_WITH_BINGO:
        raise Refused(_("Ask for a bingo in 0 to %(most)d turns.") % {"most": MOST_TURNS_WITH_BINGO})
    if not 0 <= wishes.single_tops <= 100:
        raise Refused(_("The share of turns with a single best move is 0 to 100 percent."))
    least, most = wishes.least_total or 0, wishes.most_total
    if least < 0 or (most is not None and most < max(1, least)):
        raise Refused(_("The total must lie between a smaller and a larger number."))


def _game_of(order: Order) -> dict[str, Any]:
    """Build the script without the draw and the turns."""
    chosen = rules_of_first_game(
        profile=order.profile, switches=order.switches or {}, variant=order.variant, turn_seconds=order.turn_seconds
    )
    rules = preparable_profile(chosen.rules)
    require_possible(rules, chosen.variant)
    try:
        edition = load_edition(order.edition)
    except EditionError as error:
        raise Refused(_("This edition cannot be used. %(why)s") % {"why": error}) from None
    words = word_lists.choose_list(order.edition, order.lexicon)
    return {
        "edition": edition.code,
        "edition_toml": edition.toml,
        "formula": chosen.variant.code,
        "rhythm_s": rules.clock_s,
        "across": rules.notation.value,
        "profile": rules.switches(),
        "lexicon": _lexicon_entry(words),
    }


def _lexicon_entry(words: LexiconFile) -> LexiconEntry:
    return cast(LexiconEntry, {**words.facts, "accepted": [], "struck": []})


def _draft(prepared: PreparedGame) -> Script:
    """The script of an order, without turns."""
    order = prepared.order
    draft = {name: order[name] for name in ("edition", "formula", "rhythm_s", "across", "profile", "lexicon")}
    more = {"title": prepared.title, "edition_file": order["edition_toml"]}
    return cast(Script, {**draft, **more, "turns": [], "draw": {"commitment": "", "seed": None}})


def _solver(script: Script) -> GameSolver:
    return word_lists.get_solver(scripts.to_unsaved_game(script), 1, Rulings())


def _build_script(game: Played, script: Script) -> Script:
    facts = {"title": script["title"], "rhythm_s": script["rhythm_s"], "lexicon": script["lexicon"]}
    return script_of(game, edition_of(script), profile_of(script), variant_of(script), **facts)


def _store_game(prepared: PreparedGame, draft: Script, found: FoundGame) -> None:
    PreparedGame.objects.filter(pk=prepared.pk, state=PreparationState.MAKING).update(
        state=PreparationState.READY, progress=100, script=_build_script(found.game, draft), order={}
    )


def _nothing_found_error() -> str:
    return _("No game with these conditions was found; ask for less, such as fewer turns with a bingo.")


def _act(kind: str, by: User, now: datetime) -> dict[str, str]:
    return {"at": format_timestamp(now), "by": by.get_username(), "kind": kind}


def _append_act(locked: PreparedGame, kind: str, by: User, now: datetime) -> None:
    locked.acts = [*locked.acts, _act(kind, by, now)]
    locked.save(update_fields=["acts"])


def _lock_ready_game(prepared: PreparedGame) -> PreparedGame:
    """Lock and return the row of a game that is ready."""
    locked = PreparedGame.objects.select_for_update().get(pk=prepared.pk)
    if locked.state != PreparationState.READY:
        raise Refused(_("This game is not ready yet."))
    return locked


def _require_unplayed(prepared: PreparedGame) -> None:
    if prepared.kind == ScriptKind.REPLAY:
        raise Refused(_("This game was played before: its moves stay as they were."))
    if Game.objects.filter(prepared=prepared).exists():
        raise Refused(_("A game follows this script already: its moves stay as they are."))
    if prepared.simultaneous.exists():
        raise Refused(_("A simultaneous game was made of this game: its moves stay as they are."))


def _choices(script: Script, solver: GameSolver) -> dict[int, JudgeChoice]:
    """The judge's choices in a script, by turn."""
    return {turn.number: turn.choice for turn in check_seeded_game(script, solver).turns if turn.choice}


def _legal(script: Script, solver: GameSolver, number: int, word: str, ref: str) -> Move:
    """Parse the judge's move in a turn of the script; raise `Refused` when it is not legal there."""
    rules, edition, variant = profile_of(script), edition_of(script), variant_of(script)
    turns = check_seeded_game(script, solver).turns
    if not 1 <= number <= len(turns):
        raise Refused(_("This game has no turn %(turn)d.") % {"turn": number})
    try:
        reference = parse_reference(ref, rules.notation)
        codes = edition.parse_word(validators.one_line(word))
    except UnreadableReference:
        raise Refused(_("“%(ref)s” is no reference such as 8H or H8.") % {"ref": ref[:20]}) from None
    except UnknownLetter as error:
        raise Refused(_("No tile of this edition shows %(sign)s.") % {"sign": error.sign[:10]}) from None
    turn = turns[number - 1]
    at: Position = position(turn.board, turn.rack, number, rules, variant)
    laid = place_word(codes, reference, at, rules, solver.lexicon)
    if isinstance(laid, Fault):
        raise Refused(reason_sentence(laid.reason, laid.word or "", _, laid.details))
    return laid.move


def _verify_sealed_script(script: Script) -> Script:
    """Verify that an imported prepared game follows from its seed with the same word list."""
    try:
        check_seeded_game(script, _solver(script))
    except Refused:
        raise Refused(
            _("This game was prepared with the word list %(name)s (%(words)d words), which is not installed here.")
            % {"name": script["lexicon"]["name"], "words": script["lexicon"]["words"]}
        ) from None
    return {**script, "lexicon": {**script["lexicon"], "accepted": [], "struck": []}}


def _import_archive(script: Script, lexicon: str | None) -> Script:
    """Import an archive as a game to replay, with an installed word list."""
    rules = preparable_profile(profile_of(script))
    words = _choose_list(script, lexicon)
    again = check_replayable({**script, "profile": rules.switches()}, word_lists.graph_of(words))
    edition = edition_of(script)
    accepted = {ruling["word"]: ruling for ruling in script["lexicon"]["accepted"]}
    for letters, turn in again.missing:
        text = edition.word_text(letters)
        if text not in accepted or accepted[text]["from_turn"] > turn:
            accepted[text] = {"word": text, "from_turn": turn, "reason": _("played in the original game")}
    listed = _lexicon_entry(words)
    listed["accepted"], listed["struck"] = list(accepted.values()), script["lexicon"]["struck"]
    return {**again.script, "lexicon": listed}


def _choose_list(script: Script, lexicon: str | None) -> LexiconFile:
    """The word list named, else the one the game was played with."""
    game = scripts.to_unsaved_game(script)
    fitting = word_lists.lists_for_edition(edition_of(script))
    if lexicon:
        named = next((entry for entry in fitting if entry.name == lexicon), None)
        if named is not None:
            return named
    try:
        return word_lists.word_list_of_game(game)
    except Refused:
        raise Refused(
            _("The word list %(name)s of this game is not installed: choose another one of the edition %(edition)s.")
            % {"name": script["lexicon"]["name"], "edition": script["edition"]}
        ) from None
