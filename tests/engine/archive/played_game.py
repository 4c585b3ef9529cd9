"""Small games played through the engine alone, as archives: what the tests of the replay verify and spoil.

Six players: 1 finds the top, 3 hands in paper, 4 is late at times, 5 hands in nothing or nonsense, 6 comes late, the
others play what they see. In turn 2 the judge decides on the slip of table 2, in turn 4 he chooses the master move.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache, partial
from hashlib import sha256
from typing import Any, cast

from engine.archive.ledger import head_hash, seal_entry
from engine.archive.schema import Archive, format_timestamp, tile_set, word_list_sha256
from engine.board.board import Board
from engine.board.coordinates import Direction
from engine.board.move import Move
from engine.draw.reproducible import DrawnRack, GameOver, check_typed_rack, commitment, draw_key, draw_next_rack
from engine.judging.placement import Position
from engine.judging.verdict import Verdict, judge_slip
from engine.lexicon.graph import Lexicon
from engine.play.turn import apply_master_move
from engine.rules.profile import Profile, load_profile
from engine.search.game_solver import GameSolver
from engine.slips.slip import Slip
from engine.standings.game import TurnResult, standings
from engine.tiles.edition import load_edition
from engine.tiles.tiles import Tiles
from engine.turn_results.bonuses import apply_bonuses, find_solo_table
from engine.turn_results.master_move import choose_master
from engine.turn_results.ties import order_tops
from engine.variants.variant import Variant, load_variant

IT = load_edition("it")
BOX = load_profile("it-box")
SEED = sha256(b"5").digest()
START = datetime(2026, 1, 31, 20, 30, tzinfo=UTC)
THREE_MINUTES = timedelta(minutes=3)
JUST_LATE = timedelta(seconds=1, microseconds=1)
TABLES = (1, 2, 3, 4, 5, 6)
LATE_COMER, LATE_COMER_TURN = 6, 3
JUDGED_TABLE, JUDGED_TURN = 2, 2
JUDGES_MASTER_TURN = 4
_LIST = """
AD AH AI AL CI CU DA DI DO ED EH FA FU GE GI GO HA HI HO IL IN IO LA LE LI LO MA ME MI NE NI NO OD OH OR PI RE SA SE
SI SO SU TA TE TI TU UN UNA UNO VA VE VI VO ABE ACE AGO ALA ALE ALI AMA AMO ANA ANO APE API ARA ARE ARO ARTE ASO ATI
AVA AVE BAR BE BIS BLU BUE BUIO CANE CANI CARA CARE CARI CARO CASA CASE CASO CENA CERA CERO CIMA CIME CODA CODE CONO
COSA COSE COTE DADO DADI DAMA DARE DATA DATE DATI DATO DEA DEE DEI DENTE DENTI DIO DIRE DITA DITO DONA DONE DONI DONO
DOSE DOTE DUE DUO ECO ERA ERE ERI ERO ESCA ESCE ESCO ETA FAMA FARE FARO FATA FATE FATO FEDE FILA FILE FILO FINE FINI
FIORE FOCA FOTO FUMO GARA GARE GATTO GATTI GELO GENE GENI GIRO GIRI GOLA GOTA IDEA IDEE IRA IRE ISOLA ISOLE LAGO LAMA
LAME LANA LATO LATI LAVA LEGA LENA LENTE LENTI LINO LIRA LIRE LITE LITI LODE LOTO LUCE LUNA LUNE MAGA MAGO MALE MALI
MANO MARE MARI META METE MIELE MILA MINA MIO MIRA MITE MODA MODE MODI MODO MORA MORE MOTO MURA MURO NAVE NAVI NERA
NERE NERI NERO NEVE NIDO NODI NODO NOME NOMI NOTA NOTE NOVE ODE ODI OGNI OLIO OLTRE ONDA ONDE ONERE ORA ORE ORO ORSA
ORSO ORTO OSA OSE OSO OTRE OTTO OVE PACE PALA PALE PALO PANE PANI PARE PARI PARO PASTA PATO PERA PERE PERO PESO PESI
PINO PINI POCA POCO PONE POSA POSE POSTA POSTO POTA RADIO RAME RAMI RAMO RANA RANE RARA RARE RARI RARO RASA RASO RATA
RATE REA REI REO RESA RESE RESO RETE RETI RIDE RIDO RIMA RIME RISO RITO RITI ROSA ROSE ROSI ROSO RUOTA SALA SALE SALI
SALTO SANA SANE SANI SANO SARTA SARTE SARTI SARTO SEDE SEDI SEI SENO SERA SERE SETA SETE SETTE SIA SINE SOLA SOLE SOLI
SOLO SONO SORTE STARE STELLA STIMA SUE SUO TALE TANA TANE TARA TARE TAPPO TASSA TELA TELE TENDA TENERE TENORE TERRA
TESA TESE TESI TESO TESTA TIRA TIRO TITOLO TOSSE TRE TREMA TRENO TRENI TRI UOMO UOVA UOVO URNA URNE USA USO USI UVA
UVE VANO VANE VASO VELA VELE VELO VENA VENE VERA VERE VERI VERO VIA VIE VINO VINI VISO VITA VITE VOLO VOLTA VOTO ZERO
ZERI ZIA ZIE ZII ZIO ZONA ZONE TAXI RADIOSE SENATORE NOTARESI
"""
WORDS = _LIST.split()

Rulings = Mapping[str, tuple[tuple[str, ...], int]]
"""Words accepted or struck, and from which turn on."""

RULINGS: Rulings = {"struck": (("ORSO",), 5), "accepted": (("POEMI",), 6)}


@cache
def lexicon() -> Lexicon:
    return Lexicon.build(IT, WORDS)


@cache
def lexicon_with_rulings(accepted: tuple[str, ...], struck: tuple[str, ...]) -> Lexicon:
    return lexicon().with_rulings(accepted, struck) if accepted or struck else lexicon()


@dataclass
class GameState:
    """Rules of the game, and the turns played so far."""

    profile: Profile
    variant: Variant
    seed: bytes
    hall_word: str | None
    typed: bool
    rulings: Rulings
    rng: random.Random
    turns: list[dict[str, Any]] = field(default_factory=list)
    ledger: list[dict[str, object]] = field(default_factory=list)
    results: dict[int, list[TurnResult]] = field(default_factory=lambda: {table: [] for table in TABLES})
    warnings: Counter[int] = field(default_factory=Counter)
    bonuses: Counter[int] = field(default_factory=Counter)

    def words(self, turn: int) -> Lexicon:
        in_force = {kind: words for kind, (words, since) in self.rulings.items() if since <= turn}
        return lexicon_with_rulings(in_force.get("accepted", ()), in_force.get("struck", ()))

    def solver(self, turn: int) -> GameSolver:
        return GameSolver(self.words(turn), self.profile, self.variant)

    def note(self, kind: str, now: datetime, **data: object) -> None:
        last = self.ledger[-1] if self.ledger else None
        self.ledger.append(seal_entry(last, at=format_timestamp(now), kind=kind, by="giudice", data=data))

    def entry(self, move: Move) -> dict[str, Any]:
        ref = move.reference_text(self.profile.notation)
        return {"word": move.word_text(IT), "ref": ref, "score": move.score}


def play_game_archive(
    profile: Profile = BOX,
    *,
    turns: int = 6,
    seed: bytes = SEED,
    hall_word: str | None = "girasole",
    typed: bool = False,
    rulings: Rulings = RULINGS,
    variant: str = "normal",
) -> Archive:
    """The archive of a game of at most so many turns; `typed`: the racks come out of a physical bag."""
    played_by = load_variant(variant)
    profile = played_by.apply_to(profile)
    table = GameState(profile, played_by, seed, hall_word, typed, rulings, random.Random(7))  # noqa: S311
    board, kept, end = Board.empty(IT), Tiles.none(IT), "judge"
    for number in range(1, turns + 1):
        drawn = _draw(table, Position(board=board, rack=kept, turn=number), Tiles.full_bag(IT) - board.tiles - kept)
        if isinstance(drawn, GameOver):
            end = drawn.why
            break
        stock, most = played_by.stock(board, drawn.rack), played_by.most_laid(profile)
        move = _play_turn(table, Position(board, drawn.rack, number, stock, most), kept, drawn)
        after = apply_master_move(board, drawn.rack, move, profile, played_by)
        board, kept = after.board, after.kept
    bag = Tiles.full_bag(IT) - board.tiles - kept
    return _archive(table, {"why": end, "kept": kept.text, "bag": bag.text})


def _draw(table: GameState, before: Position, bag: Tiles) -> DrawnRack | GameOver:
    """The rack, drawn before the judge rules on words of this turn; a physical bag is another seed."""
    solver = table.solver(before.turn - 1)
    key = draw_key(table.seed[::-1] if table.typed else table.seed, table.hall_word)
    drawn = draw_next_rack(
        key,
        before.turn,
        before.rack,
        bag,
        table.profile,
        partial(solver.has_move, before.board),
        variant=table.variant,
        letters_of_blank=partial(solver.letters_of_blank, before.board),
    )
    if table.typed and isinstance(drawn, DrawnRack) and not drawn.rejected:
        checked = check_typed_rack(drawn.rack.text, before.rack, bag, before.turn, table.profile, table.variant)
        assert checked == drawn.rack
    return drawn


def _play_turn(table: GameState, position: Position, kept: Tiles, drawn: DrawnRack) -> Move | None:
    number = position.turn
    start = START + number * timedelta(minutes=5)
    solver, words = table.solver(number), table.words(number)
    # In an order of their own: among equal scores the search may change its order, and this game must not.
    found = solver.ranked(position.board, position.rack)
    moves = sorted(found, key=lambda move: (-move.score, move.word, move.reference))
    top = moves[0].score if moves else 0
    tops = order_tops(solver.best(position.board, position.rack), position.board, position.rack, words, table.profile)
    slips = [_slip(table, player, number, moves, start) for player in TABLES if _is_playing(player, number)]
    verdicts = {slip["table"]: _verdict(table, slip, position, words) for slip in slips}
    verdicts = apply_bonuses(verdicts, top, table.profile, table.bonuses)
    solo = find_solo_table(verdicts, top)
    chosen = choose_master(verdicts.values(), tops, position.board, position.rack, words, table.profile)
    move, by = (chosen.move, str(chosen.chosen_by)) if chosen else (None, "")
    if number == JUDGES_MASTER_TURN and len(moves):
        move, by = moves[min(3, len(moves) - 1)], "judge"
    for slip in slips:
        slip["verdict"] = verdicts[slip["table"]].as_json()
        _count(table, slip["table"], number, verdicts[slip["table"]], solo)
    table.turns.append(
        {
            "number": number,
            "kept": kept.text,
            "rejected": [rack.text for rack in drawn.rejected],
            "rack": drawn.rack.text,
            "board": position.board.rows,
            "started_at": format_timestamp(start),
            "deadline": format_timestamp(start + THREE_MINUTES),
            "closed_at": format_timestamp(start + THREE_MINUTES + JUST_LATE),
            "grace_ms": 1000,
            "top": top,
            "tops": [table.entry(one.move) for one in tops],
            "master": {**table.entry(move), "chosen_by": by, "why": None} if move else None,
            "slips": slips,
            "solo": solo,
        }
    )
    table.note("draw", start, turn=number, rack=drawn.rack.text, rejected=[rack.text for rack in drawn.rejected])
    table.note("place", start + timedelta(minutes=4), turn=number, word=move.word_text(IT) if move else None)
    return move


def _is_playing(player: int, number: int) -> bool:
    return player != LATE_COMER or number >= LATE_COMER_TURN


def _slip(table: GameState, player: int, number: int, moves: Sequence[Move], start: datetime) -> dict[str, Any]:
    """Slip of the player of this table, by their habits."""
    nothing: dict[str, Any] = {"word": "", "ref": "", "score": None}
    seen = moves[0 if player == 1 else table.rng.randrange(min(30, len(moves)))] if len(moves) else None
    written = table.entry(seen) if seen else nothing
    slip = {
        "table": player,
        "source": "paper" if player == 3 else "phone",
        "received_at": format_timestamp(start + timedelta(seconds=100 + player, microseconds=number)),
        "in_time": True,
        "word": written["word"],
        "ref": written["ref"],
        "direction": None,
        "hook": "",
        "declared": written["score"],
        "decided_by": "rule",
        "reason": None,
    }
    return slip | _habit_of_player(player, number, start)


def _habit_of_player(player: int, number: int, start: datetime) -> dict[str, Any]:
    """Peculiarities of a slip."""
    end = start + THREE_MINUTES
    habits: dict[tuple[int, int], dict[str, Any]] = {
        (4, 0): {"received_at": format_timestamp(end + JUST_LATE), "in_time": False},
        (4, 1): {"received_at": format_timestamp(end + timedelta(seconds=1)), "declared": 1},
        (4, 2): {"source": "paper", "in_time": False},
        (5, 0): {"source": None, "received_at": None, "in_time": False, "word": "", "ref": "", "declared": None},
        (5, 1): {"word": "XYLOFON", "ref": "8H"},
        (5, 2): {"word": "TROTTOLA", "ref": "8H", "direction": "down"},
    }
    if (player, number) == (3, 5):
        return {"ref": "Z99"}
    if (player, number) == (JUDGED_TABLE, JUDGED_TURN):
        return {"word": "SGHIMBESCIO", "ref": "8A", "decided_by": "judge", "reason": "scritto male"}
    return habits.get((player, number % 3), {})


def _verdict(table: GameState, slip: Mapping[str, Any], position: Position, words: Lexicon) -> Verdict:
    if slip["decided_by"] == "judge":
        return Verdict("zero", "judge", 0, None)
    written = Slip(
        slip["word"],
        slip["ref"],
        slip["declared"],
        Direction(slip["direction"]) if slip["direction"] else None,
        received="in_time" if slip["in_time"] else "late",
    )
    prior = table.warnings[slip["table"]]
    return judge_slip(written, position, table.profile, words, prior_warnings=prior)


def _count(table: GameState, player: int, number: int, verdict: Verdict, solo: int | None) -> None:
    warned = len(verdict.warnings)
    table.warnings[player] += warned
    table.bonuses[player] += verdict.bonus
    result = TurnResult(number, verdict.points, warned, verdict.penalty, solo == player, verdict.bonus)
    table.results[player].append(result)


def _archive(table: GameState, end: dict[str, str]) -> Archive:
    words, checksum = word_list_sha256(WORDS)
    rulings = {
        kind: [{"word": word, "from_turn": since, "reason": "deciso in sala"} for word in ruled_words]
        for kind, (ruled_words, since) in table.rulings.items()
    }
    tops = [turn["top"] for turn in table.turns]
    archive = {
        "format": "duplicate-game",
        "version": 1,
        "event": {"name": "Serata di prova", "date": "2026-01-31", "place": "Torino"},
        "room": "Sala",
        "edition": "it",
        "tile_set": tile_set(IT),
        "formula": table.variant.code,
        "rhythm_s": 180,
        "across": table.profile.notation.value,
        "profile": table.profile.switches(),
        "lexicon": {"name": "prova", "words": words, "sha256": checksum, "accepted": [], "struck": [], **rulings},
        "draw": {
            "mode": "typed" if table.typed else "seeded",
            "commitment": commitment(table.seed),
            "seed": table.seed.hex(),
            "hall_word": table.hall_word,
        },
        "players": [
            {"table": player, "name": f"Giocatore {player}", "club": None, "series": None} for player in TABLES
        ],
        "turns": table.turns,
        "end": end,
        "standings": [line.as_json() for line in standings(table.results, tops, table.profile)],
        "ledger": {"entries": table.ledger, "head": head_hash(table.ledger)},
    }
    return cast(Archive, archive)
