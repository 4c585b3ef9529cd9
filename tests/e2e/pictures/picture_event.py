"""The tournament that is seen on the pictures: always the same players, racks and slips, stored in a data folder.

A round is over, in the next one three turns are on the board and the fourth is drawn; beside it a small event in which
two people type each slip. Import it when Django is set up (studio.py).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from random import Random

from django.contrib.auth.models import User
from django.utils import translation

from engine.board.move import Move
from engine.judging.placement import LegalMove, place_word
from engine.tiles.edition import LETTER_MASK
from referee.pdf.catalogue import DOCUMENTS
from referee.pdf.pictures import render_pages
from tournaments.enums import DrawMode, Role
from tournaments.events.queries.events import get_drawing_room
from tournaments.events.services import events, rounds
from tournaments.judging.services import appeals
from tournaments.lexicons.word_lists import get_solver, open_lexicon
from tournaments.models import Event, Game, Membership, Player, Turn
from tournaments.now import utc_now
from tournaments.play.position import board_before, edition_of, position_of, profile_of, rack_of
from tournaments.play.services import clocks, double_entry, draw_rack, paper_slips, placement
from tournaments.play.simulation import make_simulated_players, play_game, write_slip
from tournaments.players.services import check_in
from tournaments.players.services.players import NewPlayer
from tournaments.results.services import public_page
from tournaments.staff.services.login_links import first_judge

CODE, TWICE, CLUBS = "CRN57", "DBL22", ("Torino", "Ivrea", "Asti", "Alba")
NAMES = (
    *("Anna Rossi", "Bruno Neri", "Carla Blu", "Dario Verdi", "Elena Galli", "Fabio Moro"),
    *("Gina Fontana", "Ugo Serra", "Irene Sala", "Luca Marino", "Marta Greco", "Nino Conti"),
    *("Olga Ricci", "Pino Gallo", "Rita Bruno", "Sara Costa", "Teo Villa", "Vera Longo"),
    *("Aldo Rizzo", "Bice Leone", "Ciro Mele", "Dora Pace", "Enzo Sanna", "Fede Caruso"),
)
TURNS_OF_FIRST, TURNS_OF_SECOND = 9, 3
WORD_OF_NO_LIST, APPEALED_TABLE, DOUBTFUL_TABLE, TABLE_WITH_PHONE = "It is in my dictionary, edition of 2025.", 3, 8, 5


class _Everything:
    def __contains__(self, word: object) -> bool:
        return True


@dataclass(frozen=True)
class ScreenshotData:
    """Codes, addresses, slips to type and pages of printed sheets, for the browsers."""

    code: str
    twice: str
    public: str
    lines: list[str]
    pile: tuple[str, list[str]]
    """Content of the most frequent slip, and its tables."""
    table: int
    own: tuple[str, str, int]
    """Word, reference and points of the slip that this table writes on its phone."""
    sheets: dict[str, bytes]


def make_screenshot_data() -> ScreenshotData:
    """Store it in the database of the settings."""
    with translation.override("en"):
        game = _two_rounds()
        turn = draw_rack.draw_turn(game=game, now=utc_now(), by=first_judge())
        assert turn is not None
        *piles, highest = sorted(_piles(_slips(turn)), key=lambda pile: len(pile[1]))
        second = next(move for move in _moves(turn) if move.score < (turn.top or 0))
        page = public_page.set_page(
            event=game.event, is_on=True, delay=1, own_sheets=True, may_be_found=False, by=first_judge(), now=utc_now()
        )
        return ScreenshotData(
            code=game.event.code,
            twice=_typed_twice().code,
            public=page.token,
            lines=[f"{DOUBTFUL_TABLE} {_word_of_no_list(turn)}", *_lines(piles)],
            pile=highest,
            table=TABLE_WITH_PHONE,
            own=(second.word_text(edition_of(game)), second.reference_text(profile_of(game).notation), second.score),
            sheets=_sheets(game),
        )


def _event(code: str, name: str, players: Sequence[NewPlayer], seed: bytes, **options: object) -> Game:
    game = events.create_event(
        events.NewEvent(
            name=name,
            date=date(2026, 3, 7),
            place="Torino",
            language="en",
            edition="it",
            profile="club",
            switches=options or None,
            draw_mode=DrawMode.SEEDED,
        ),
        players=players,
        by=first_judge(),
        now=utc_now() - timedelta(hours=3),
        seed=seed,
    )
    Event.objects.filter(pk=game.event_id).update(code=code, wall_token=f"the-wall-of-{code.lower()}")
    return Game.objects.select_related("event").get(pk=game.pk)


def _two_rounds() -> Game:
    players = [
        NewPlayer(table, name, CLUBS[table % 4], "AB"[table % 2], nickname=name.split()[0] if table % 5 == 0 else "")
        for table, name in enumerate(NAMES, 1)
    ]
    judge, chance = first_judge(), _chance(11)
    User.objects.filter(pk=judge.pk).update(first_name="Giulia")
    first = _event(CODE, "Spring tournament", players, bytes(range(32)), max_turns=TURNS_OF_FIRST)
    for number, name in ((1, "Morning"), (2, "Afternoon")):
        rounds.plan_round(event=first.event, number=number, name=name, starts_at=None, by=judge, now=utc_now())
    start = utc_now() - timedelta(hours=2)
    room = get_drawing_room(first.event)
    play_game(game=first, room=room, by=judge, rng=chance, start=start, progress=lambda turn: None)
    second = events.add_game(event=first.event, by=judge, now=utc_now(), seed=bytes(range(50, 82)), turns=None)
    for player in Player.objects.filter(event=first.event).exclude(name__icontains="ri"):
        check_in.mark_here(player=player, by=judge, now=utc_now())
    for number in range(1, TURNS_OF_SECOND + 1):
        _play_turn(second, chance, utc_now() - timedelta(minutes=20 - 5 * number), number == TURNS_OF_SECOND)
    return Game.objects.select_related("event").get(pk=second.pk)


def _play_turn(game: Game, chance: Random, now: datetime, has_appeal: bool) -> None:
    """All slips on paper; in one turn somebody writes a word of no list, and appeals."""
    judge, room = first_judge(), get_drawing_room(game.event)
    turn = draw_rack.draw_turn(game=game, now=now, by=judge)
    assert turn is not None
    clocks.announce_turn(turn=turn, room=room, now=now, by=judge)
    lines = _lines(_piles(_slips(turn, chance)))
    if has_appeal:
        lines.append(f"{APPEALED_TABLE} {_word_of_no_list(turn)}")
    for number, line in enumerate(lines):
        _type(game, line, now + timedelta(seconds=30 + number), judge)
    closing = now + timedelta(seconds=180)
    clocks.close_clock(turn=turn, room=room, now=closing, by=judge)
    placement.place_move(turn=turn, by=judge, now=closing + timedelta(seconds=30))
    if has_appeal:
        player = Player.objects.get(event=game.event, table=APPEALED_TABLE)
        turn.refresh_from_db()
        appeals.submit_paper_appeal(
            player=player, turn=turn, sentence=WORD_OF_NO_LIST, by=judge, now=utc_now(), was_in_time=True
        )


def _type(game: Game, line: str, now: datetime, by: User) -> None:
    typed = paper_slips.DeskLine(line)
    paper_slips.enter_line(game=game, typed=typed, room=get_drawing_room(game.event), judges=True, now=now, by=by)


def _slips(turn: Turn, chance: Random | None = None) -> dict[int, str]:
    """By table what is on the paper; some hand in nothing."""
    rng = chance or _chance(5)
    moves, notation = _moves(turn), profile_of(turn.game).notation
    written = {}
    for each in make_simulated_players(list(Player.objects.filter(event=turn.game.event)), rng):
        slip = write_slip(each.strength**0.5, moves, edition_of(turn.game), notation, rng)
        if slip is not None and (chance or each.player.table not in (DOUBTFUL_TABLE, TABLE_WITH_PHONE)):
            written[each.player.table] = f"{slip.ref} {slip.word} {slip.declared}"
    return written


def _piles(slips: dict[int, str]) -> list[tuple[str, list[str]]]:
    """Equal slips together, as a typist sorts them: what they say, and their tables."""
    piles = defaultdict(list)
    for table, content in slips.items():
        piles[content].append(str(table))
    return list(piles.items())


def _lines(piles: Sequence[tuple[str, list[str]]]) -> list[str]:
    return [f"{','.join(tables)} {content}" for content, tables in piles]


def _moves(turn: Turn) -> Sequence[Move]:
    return get_solver(turn.game, turn.number).ranked(board_before(turn), rack_of(turn))


def _word_of_no_list(turn: Turn) -> str:
    """A slip with a word that looks like one and is in no list: the best that differs from a move by its last vowel."""
    edition, profile = edition_of(turn.game), profile_of(turn.game)
    words = open_lexicon(turn.game, turn.number)
    found = (move for move in _almost(turn) if tuple(code & LETTER_MASK for code in move.word) not in words)
    move = max(found, key=lambda each: (each.score, each.word))
    return f"{move.reference_text(profile.notation)} {move.word_text(edition)} {move.score}"


def _almost(turn: Turn) -> Iterator[Move]:
    edition, profile, position = edition_of(turn.game), profile_of(turn.game), position_of(turn)
    words = open_lexicon(turn.game, turn.number)
    for move in _moves(turn)[:400]:
        if not 5 <= len(move.word) <= 8:
            continue
        for vowel in "AEIO":
            word = (*move.word[:-1], edition.letters.index(vowel))
            laid = place_word(word, move.reference, position, profile, _Everything())
            sound = place_word(word, move.reference, position, profile, words)
            if isinstance(laid, LegalMove) and not isinstance(sound, LegalMove) and word != move.word:
                yield laid.move


def _typed_twice() -> Event:
    """The small event: its turn runs, Ada has typed all slips, Berto most of them, and one otherwise."""
    players = [NewPlayer(table, name, CLUBS[table % 4]) for table, name in enumerate(NAMES[:8], 1)]
    game = _event(TWICE, "Regional cup", players, bytes(range(90, 122)))
    judge, now = first_judge(), utc_now()
    ada, berto = (_typist(game.event, name) for name in ("Ada", "Berto"))
    double_entry.set_double_typing(event=game.event, wanted=True, now=now, by=judge)
    turn = draw_rack.draw_turn(game=game, now=now, by=judge)
    assert turn is not None
    clocks.announce_turn(turn=turn, room=get_drawing_room(game.event), now=now, by=judge)
    game.refresh_from_db()
    best = [move.word_text(edition_of(game)) for move in _moves(turn)[:3]]
    for who, lines in ((ada, (0, 1, 2, 0, 1, 2)), (berto, (0, 1, 2))):
        for table, number in enumerate(lines, 1):
            wrong = who is berto and table == 2
            _type(game, f"{table} 8D {best[number]} {47 if wrong else 74}", now, who)
    return game.event


def _typist(event: Event, name: str) -> User:
    user = User.objects.create(username=name.lower(), first_name=name)
    Membership.objects.create(event=event, user=user, role=Role.TYPIST)
    return user


def _sheets(game: Game) -> dict[str, bytes]:
    """The first page of some documents, of the round that is over."""
    first = Game.objects.select_related("event").get(event=game.event, number=1)
    room = get_drawing_room(game.event)
    made = {}
    for name, choice in (("player-sheets", "t1"), ("certificates", ""), ("table-cards", "")):
        draw = DOCUMENTS[name].make_chosen
        assert draw is not None, name
        made[name] = render_pages(draw(first, room, choice, language="en"), most=1, width=720)[0]
    return made


def _chance(seed: int) -> Random:
    return Random(seed)  # noqa: S311  the same pictures in every run, nothing secret
