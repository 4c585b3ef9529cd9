"""Re-deriving a game from its archive alone: draws, boards, tops, verdicts, master moves, standings, hash chain.

archive = read_archive(text)
for difference in verify(archive, lexicon):  # with two word lists: verify(archive, first, second)
    print(difference.where, difference.stored, difference.derived)
"""

from __future__ import annotations

from engine.archive.replay.facts import Facts
from engine.archive.replay.findings import Difference, Findings
from engine.archive.replay.head import check_head
from engine.archive.replay.ledger import check_ledger, check_shown, unchecked_topics
from engine.archive.replay.results import check_end, check_standings
from engine.archive.replay.slips import Scores
from engine.archive.replay.turns import ReplayState, check_turn
from engine.archive.schema import Archive
from engine.board.board import Board
from engine.lexicon.graph import Lexicon
from engine.tiles.tiles import Tiles

__all__ = ["Difference", "check_shown", "unchecked_topics", "verify"]


def verify(archive: Archive, *lists: Lexicon) -> list[Difference]:
    """Everything in the archive that does not follow from the rest of it, in the order of the game.

    `lists` is the word list of the game before rulings, or the two of a game with two, in any order; another one shows
    as a wrong checksum. `ArchiveError` when the archive names an edition, a switch or a variant that this program does
    not have, or the number of word lists is another one than the game had.
    """
    facts, findings = Facts(archive, *lists), Findings()
    check_head(facts, findings)
    scores = Scores({player["table"]: [] for player in archive["players"]})
    state = ReplayState(Board.empty(facts.edition), Tiles.none(facts.edition), scores)
    for stored, turn in zip(archive["turns"], facts.turns, strict=True):
        findings.compare(f"turn {turn['number']}, number", stored["number"], turn["number"])
        check_turn(facts, state, turn, findings)
    check_standings(facts, scores, findings)
    check_end(facts, state, findings)
    check_ledger(facts, findings)
    return findings.differences
