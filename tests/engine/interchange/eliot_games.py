"""Saved games of Eliot as the tests make them: the printed games of a French club in the words of that program."""

from __future__ import annotations

from typing import Any
from xml.sax.saxutils import quoteattr

from tests.engine.archive.test_published_games import FILES, GAMES, RULES, Played

LETTERS = " ".join("ABCDEFGHIJKLMNOPQRSTUVWXYZ?")
VARIANTS = {"normal": "", "joker": "<Variant>bingo</Variant>"}


def eliot_game(name: str, **changes: Any) -> str:
    """A printed game, with two players and the program itself: Odile has every master move and two warnings, Rémi half
    of the words wrong, a penalty in turn 2 and a solo in turn 3. The last turn has a rack and no move."""
    options = {"mode": "arbitration", "player": "playerId", "letters": LETTERS, "tables": True, **changes}
    turns = "".join(_turn(played, options) for played in GAMES[name])
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<EliotGame format="2">\n<Dictionary><Name>ODS 8</Name>'
        f"<Type>dawg</Type><Letters>{options['letters']}</Letters><WordNb>402325</WordNb></Dictionary>\n<Game><Mode>{options['mode']}</Mode>"
        f"{VARIANTS[FILES[name]['formula']]}{_players(options)}<Turns>{len(GAMES[name]) + 1}</Turns></Game>\n"
        f"<History>{turns}<Turn><GameRack>A+B</GameRack></Turn></History>\n</EliotGame>\n"
    )


def _players(options: dict[str, Any]) -> str:
    named = [("0", "Odile", "human", 4), ("1", "Rémi & Zoé", "human", 9), ("2", "Eliot", "computer", 0)]
    return "".join(
        f'<Player id="{key}"><Name>{name.replace("&", "&amp;")}</Name><Type>{kind}</Type>'
        + ("<Level>100</Level>" if kind == "computer" else "")
        + (f"<TableNb>{table}</TableNb>" if options["tables"] else "")
        + "</Player>"
        for key, name, kind, table in named
    )


def _turn(played: Played, options: dict[str, Any]) -> str:
    ref = played.move.reference_text(RULES.notation)
    word = played.word
    master = f'points="{played.points}" type="valid" word={quoteattr(word)} coord="{ref}"'
    who = options["player"]
    lines = [f"<GameRack>{played.printed_rack}</GameRack>"]
    lines += [f'<PlayerRack {who}="{key}">{played.printed_rack}</PlayerRack>' for key in "012"]
    lines += [f'<PlayerMove {who}="0" {master} />', f'<PlayerMove {who}="1" points="0" type="none" />']
    lines.append(f'<PlayerMove {who}="1" {_of_remi(played, master)} />')
    lines.append(f'<PlayerMove {who}="2" {master} />')
    lines += {
        1: [f'<Warning {who}="0" />', f'<Warning {who}="0" />'],
        2: [f'<Penalty {who}="1" points="-5" />'],
        3: [f'<Solo {who}="1" points="10" />'],
    }.get(played.number, [])
    return f"<Turn>{''.join(lines)}<MasterMove {master} /><GameMove {master} /></Turn>\n"


def _of_remi(played: Played, master: str) -> str:
    return master if played.number % 2 else 'points="0" type="invalid" word="ZZZ" coord="Q99"'
