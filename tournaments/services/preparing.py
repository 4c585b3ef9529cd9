"""Games prepared in advance: ordered, made, opened, changed, brought from a file, thrown away."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any, cast

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from engine.archive import LexiconEntry, moment_text
from engine.coords import UnreadableReference, parse_reference
from engine.draw import SEED_BYTES
from engine.edition import EditionError, UnknownLetter, load_edition
from engine.formulas import NORMAL
from engine.game_solver import GameSolver
from engine.move import Move
from engine.prepare import Choice, Found, Wishes, find, play, preparable
from engine.prepare import PreparedGame as Played
from engine.rules.place import Fault, Position, lay
from engine.rules.sentences import reason_sentence
from engine.script import Script, ScriptError, edition_of, formula_of, profile_of, read_script, script_of
from engine.script_check import check_seeded, position, replayable
from tournaments import lexicons, scripts, signals, validators
from tournaments.enums import GameState, MakingState, ScriptKind
from tournaments.errors import Refused
from tournaments.lexicons import LexiconFile, Rulings
from tournaments.models import Game, PreparedGame
from tournaments.services.acting import acting_on, record
from tournaments.services.game_rules import demand_possible, rules_of_first

MOST_TURNS_WITH_BINGO = 20
LARGEST_FILE = 30_000_000


@dataclass(frozen=True, slots=True)
class Order:
    """What a game is to be made by: as for a new event, and the wishes."""

    edition: str
    profile: str
    lexicon: str | None
    wishes: Wishes = field(default_factory=Wishes)
    formula: str = NORMAL
    rhythm_s: int | None = None
    switches: Mapping[str, object] | None = None


def ask(*, title: str, order: Order, by: User, now: datetime, secret: bytes) -> PreparedGame:
    """Order a game; it is made by `make`, which the signal `preparing_asked` asks for.

    The engine's top goes on the board whatever the rules say, since with the best slip nothing after the first rack
    could be known before. `secret` are 32 random bytes, from which the seeds follow.
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
        signals.preparing(prepared)
    return prepared


def make(*, prepared: PreparedGame, go_on: Callable[[int], bool]) -> None:
    """Find the game that was ordered. `go_on` is told the number of each attempt, and may end the search."""
    order = prepared.order
    wishes = Wishes(**order["wishes"])
    empty = _draft(prepared)
    try:
        solver = _solver(empty)
        found = find(bytes.fromhex(order["secret"]), solver, profile_of(empty), wishes, go_on=go_on)
    except Refused as refused:
        fail(prepared=prepared, sentence=refused.sentence)
        return
    if found is None:
        fail(prepared=prepared, sentence=_nothing_found())
        return
    _keep(prepared, empty, found)


def progress(*, prepared: PreparedGame, percent: int) -> None:
    """Say how far the search has come, 0 to 99."""
    PreparedGame.objects.filter(pk=prepared.pk, state=MakingState.MAKING).update(progress=max(0, min(99, percent)))


def fail(*, prepared: PreparedGame, sentence: str) -> None:
    """The game could not be made; `sentence` is for whoever ordered it."""
    PreparedGame.objects.filter(pk=prepared.pk).update(state=MakingState.FAILED, error=sentence[:400])


def give_up_unfinished() -> int:
    """After a restart: games that a dead process was making have failed. Gives their number."""
    sentence = _("The program was restarted before the game was ready; prepare another one.")
    return PreparedGame.objects.filter(state=MakingState.MAKING).update(state=MakingState.FAILED, error=sentence)


def opened(*, prepared: PreparedGame, act: str, by: User, now: datetime) -> PreparedGame:
    """Note that somebody looks behind the seal: `act` is "opened", "printed" or "saved". The ledger of every game that
    follows the script tells it too."""
    with transaction.atomic():
        locked = _ready(prepared)
        _note(locked, act, by, now)
        for game in Game.objects.filter(prepared=locked).exclude(state=GameState.FINISHED):
            with acting_on(game) as playing:
                record(game=playing, kind="script_opened", by=by, now=now, data={"title": locked.title, "act": act})
    return locked


def choose_master(
    *, prepared: PreparedGame, turn: int, word: str, ref: str, why: str, by: User, now: datetime
) -> PreparedGame:
    """Lay another move in a turn; all that follows is drawn and found anew, later choices are dropped.

    Refused once a game follows the script, and for replays, whose moves were made. An empty word takes the judge's
    choice of this turn back.
    """
    reason = validators.reason(why)
    with transaction.atomic():
        locked = _ready(prepared)
        _demand_unplayed(locked)
        script = scripts.script_of(locked)
        solver = _solver(script)
        choices = {number: choice for number, choice in _choices(script, solver).items() if number < turn}
        if word.strip():
            choices[turn] = Choice(_legal(script, solver, turn, word, ref), reason)
        game = play(bytes.fromhex(script["draw"]["seed"] or ""), solver, profile_of(script), choices)
        locked.script = _written(game, script)
        _note(locked, "changed", by, now)
        locked.save(update_fields=["script"])
    return locked


def bring(*, text: str, title: str, lexicon: str | None, by: User, now: datetime) -> PreparedGame:
    """A prepared game or an archive out of a file. An archive becomes a game to replay, ranked among its players.

    Verdicts need a word list: the one of the file by its checksum, else the one named by `lexicon`, which serves for
    replays alone; words that it lacks are accepted from the turn in which they were played.
    """
    try:
        script = read_script(text, title=title.strip())
        edition_of(script), profile_of(script), formula_of(script)
        brought = _sealed(script) if script["draw"]["seed"] else _replayed(script, lexicon)
    except ScriptError as error:
        raise Refused(_("This file cannot be used. %(why)s") % {"why": error}) from None
    kind = ScriptKind.PREPARED if brought["draw"]["seed"] else ScriptKind.REPLAY
    return PreparedGame.objects.create(
        by=by,
        kind=kind,
        title=_title(title or brought["title"]),
        created_at=now,
        state=MakingState.READY,
        progress=100,
        script=brought,
        acts=[_act("brought", by, now)],
    )


def throw_away(*, prepared: PreparedGame) -> None:
    """Delete a prepared game with its practice links; refused while games belong to it."""
    with transaction.atomic():
        locked = PreparedGame.objects.select_for_update().get(pk=prepared.pk)
        if Game.objects.filter(prepared=locked).exists():
            raise Refused(_("Games have been played by this script; it stays with them."))
        locked.delete()


def _title(text: str) -> str:
    cleaned = validators.short_text(text, longest=validators.NAME_LENGTH, what=_("title"))
    if not cleaned:
        raise Refused(_("Give the game a title by which you know it again."))
    return cleaned


def _check_wishes(wishes: Wishes) -> None:
    if not 0 <= wishes.bingo_turns <= MOST_TURNS_WITH_BINGO:
        raise Refused(_("Ask for a bingo in 0 to %(most)d turns.") % {"most": MOST_TURNS_WITH_BINGO})
    if not 0 <= wishes.single_tops <= 100:
        raise Refused(_("The share of single tops is 0 to 100 percent."))
    least, most = wishes.least_total or 0, wishes.most_total
    if least < 0 or (most is not None and most < max(1, least)):
        raise Refused(_("The total must lie between a smaller and a larger number."))


def _game_of(order: Order) -> dict[str, Any]:
    """Everything of the script but the draw and the turns."""
    chosen = rules_of_first(
        profile=order.profile, switches=order.switches or {}, formula=order.formula, rhythm_s=order.rhythm_s
    )
    rules = preparable(chosen.rules)
    demand_possible(rules, chosen.formula)
    try:
        edition = load_edition(order.edition)
    except EditionError as error:
        raise Refused(_("This edition cannot be used. %(why)s") % {"why": error}) from None
    words = lexicons.choose(order.edition, order.lexicon)
    return {
        "edition": edition.code,
        "edition_toml": edition.toml,
        "formula": chosen.formula.code,
        "rhythm_s": rules.clock_s,
        "across": rules.notation.value,
        "profile": rules.switches(),
        "lexicon": _listed(words),
    }


def _listed(words: LexiconFile) -> LexiconEntry:
    return cast(LexiconEntry, {**words.facts, "accepted": [], "struck": []})


def _draft(prepared: PreparedGame) -> Script:
    """The script of an order, without turns."""
    order = prepared.order
    draft = {name: order[name] for name in ("edition", "formula", "rhythm_s", "across", "profile", "lexicon")}
    more = {"title": prepared.title, "edition_file": order["edition_toml"]}
    return cast(Script, {**draft, **more, "turns": [], "draw": {"commitment": "", "seed": None}})


def _solver(script: Script) -> GameSolver:
    return lexicons.solver_for(scripts.as_game(script), 1, Rulings())


def _written(game: Played, script: Script) -> Script:
    facts = {"title": script["title"], "rhythm_s": script["rhythm_s"], "lexicon": script["lexicon"]}
    return script_of(game, edition_of(script), profile_of(script), formula_of(script), **facts)


def _keep(prepared: PreparedGame, draft: Script, found: Found) -> None:
    PreparedGame.objects.filter(pk=prepared.pk, state=MakingState.MAKING).update(
        state=MakingState.READY, progress=100, script=_written(found.game, draft), order={}
    )


def _nothing_found() -> str:
    return _("No game with these wishes was found in all tries; ask for less, such as fewer turns with a bingo.")


def _act(kind: str, by: User, now: datetime) -> dict[str, str]:
    return {"at": moment_text(now), "by": by.get_username(), "kind": kind}


def _note(locked: PreparedGame, kind: str, by: User, now: datetime) -> None:
    locked.acts = [*locked.acts, _act(kind, by, now)]
    locked.save(update_fields=["acts"])


def _ready(prepared: PreparedGame) -> PreparedGame:
    """The row, locked, of a game that is there to be used."""
    locked = PreparedGame.objects.select_for_update().get(pk=prepared.pk)
    if locked.state != MakingState.READY:
        raise Refused(_("This game is not ready yet."))
    return locked


def _demand_unplayed(prepared: PreparedGame) -> None:
    if prepared.kind == ScriptKind.REPLAY:
        raise Refused(_("This game was played before: its moves stay as they were."))
    if Game.objects.filter(prepared=prepared).exists():
        raise Refused(_("A game follows this script already: its moves stay as they are."))


def _choices(script: Script, solver: GameSolver) -> dict[int, Choice]:
    """The judge's choices in a script, by turn."""
    return {turn.number: turn.choice for turn in check_seeded(script, solver).turns if turn.choice}


def _legal(script: Script, solver: GameSolver, number: int, word: str, ref: str) -> Move:
    """The judge's move in a turn of the script; `Refused` when it is not legal there."""
    rules, edition, formula = profile_of(script), edition_of(script), formula_of(script)
    turns = check_seeded(script, solver).turns
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
    at: Position = position(turn.board, turn.rack, number, rules, formula)
    laid = lay(codes, reference, at, rules, solver.lexicon)
    if isinstance(laid, Fault):
        raise Refused(reason_sentence(laid.reason, laid.word or "", _, laid.details))
    return laid.move


def _sealed(script: Script) -> Script:
    """A prepared game from elsewhere, which must follow from its seed by the very same word list."""
    try:
        check_seeded(script, _solver(script))
    except Refused:
        raise Refused(
            _("This game was prepared with the word list %(name)s (%(words)d words), which is not installed here.")
            % {"name": script["lexicon"]["name"], "words": script["lexicon"]["words"]}
        ) from None
    return {**script, "lexicon": {**script["lexicon"], "accepted": [], "struck": []}}


def _replayed(script: Script, lexicon: str | None) -> Script:
    """An archive as a game to replay, with a word list that is installed here."""
    rules = preparable(profile_of(script))
    words = _list_for(script, lexicon)
    again = replayable({**script, "profile": rules.switches()}, lexicons.graph_of(words))
    edition = edition_of(script)
    accepted = {ruling["word"]: ruling for ruling in script["lexicon"]["accepted"]}
    for letters, turn in again.missing:
        text = edition.word_text(letters)
        if text not in accepted or accepted[text]["from_turn"] > turn:
            accepted[text] = {"word": text, "from_turn": turn, "reason": _("played in the original game")}
    listed = _listed(words)
    listed["accepted"], listed["struck"] = list(accepted.values()), script["lexicon"]["struck"]
    return {**again.script, "lexicon": listed}


def _list_for(script: Script, lexicon: str | None) -> LexiconFile:
    """The word list named, else the one the game was played with."""
    game = scripts.as_game(script)
    fitting = lexicons.fitting(edition_of(script))
    if lexicon:
        named = next((entry for entry in fitting if entry.name == lexicon), None)
        if named is not None:
            return named
    try:
        return lexicons.of_game(game)
    except Refused:
        raise Refused(
            _("The word list %(name)s of this game is not installed: choose another one of the edition %(edition)s.")
            % {"name": script["lexicon"]["name"], "edition": script["edition"]}
        ) from None
