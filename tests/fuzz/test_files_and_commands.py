"""Damaged files and command lines never cause a traceback: they are read, or refused with a sentence."""

from __future__ import annotations

import io
import json
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.apps import apps
from django.conf import settings
from django.core.management import CommandError, load_command_class
from django.db import connection, transaction

from engine.__main__ import COMMANDS, main
from engine.rules.profile import profile_codes
from engine.tiles.edition import EDITIONS, edition_codes
from referee.management.commands.print import FROM_A_FILE
from referee.results.files import FILES
from tests.fuzz.event import make_event, uploads
from tests.fuzz.fuzzing import SECONDS, Fault, FuzzRun
from tests.fuzz.mutations import Mutator
from tests.referee.live.live_game import WORDS, install_words
from tests.tournaments.club_game import create_club_game, play_turn, seeded_random
from tournaments.backups import backup_file
from tournaments.backups.restore import restore_backup
from tournaments.errors import Refused
from tournaments.now import utc_now
from tournaments.players.cell_tables import read_cells
from tournaments.players.roster_table import parse_player_rows
from tournaments.players.roster_text import parse_players
from tournaments.prepared.services import prepared_games
from tournaments.staff.services.login_links import first_judge

pytestmark = [pytest.mark.sqlite_file, pytest.mark.endurance, pytest.mark.timeout(SECONDS + 1_200)]
ARGUMENTS_ONLY = {"serve", "rehearse", "simulate", "restore"}  # run for ever, or on a database of their own
OF_THE_PROJECT = {"makemessages"}  # writes into the catalogues of this folder
WRITES = ("--out", "--to")  # neither these nor what follows is changed, so that nothing is written elsewhere
OF_FILES = 6  # the commands that read a whole game stand first and come more often
TOO_LONG = {"bench", "bench-judge", "warm"}  # engine commands that measure for minutes: arguments only
LINE = {"board": ["." * 15] * 15, "rack": "CORNOAT", "slip": {"word": "CORNO", "ref": "8D", "declared": 22}, "id": 1}


@dataclass
class Files:
    """A valid file of each kind, and the folder for the changed ones."""

    folder: Path
    valid: Mapping[str, bytes]

    def write(self, name: str, content: bytes) -> str:
        """Write a file into the folder; return its path."""
        path = self.folder / name
        path.write_bytes(content)
        return str(path)

    def changed(self, random: Mutator, name: str) -> str:
        """Write a valid file, mostly changed, into the folder; return its path."""
        return self.write(name, self.content(random, name))

    def content(self, random: Mutator, name: str) -> bytes:
        """Return the bytes of a file, mostly changed in a way that suits its kind."""
        whole = self.valid[name]
        if random.often(0.05):
            return whole
        if random.often(0.05):
            return self.valid[random.choice(list(self.valid))]
        if name.endswith((".zip", ".xlsx")):
            return random.changed_zip(whole, random.changed_text_file)
        if name.endswith(".json") and random.often(0.8):
            return random.json_text(json.loads(whole)).encode("utf-8", "surrogatepass")
        return random.changed_text_file(whole) if random.often(0.7) else random.changed_bytes(whole)


@pytest.fixture
def files(tmp_path: Path, transactional_db: None) -> Files:
    """Files made from a game in progress."""
    game = create_club_game(first_judge())
    for _turn in range(2):
        play_turn(game, seeded_random(1))
    bundle = backup_file.write_backup(
        tmp_path,
        database=Path(str(connection.settings_dict["NAME"])),
        data=Path(settings.DATA_DIR),
        secret_key="a key that signs the seats of the phones",
        now=utc_now(),
    )
    install_words(Path(settings.DATA_DIR) / "lexicons")
    edition = (EDITIONS / "it.toml").read_bytes()
    return Files(
        tmp_path,
        {
            **uploads(),
            "words.txt": "\n".join(WORDS.split()).encode(),
            "words.zip": _zip("words.txt", "\n".join(WORDS.split()).encode()),
            "edition.toml": edition,
            "backup.zip": bundle.read_bytes(),
        },
    )


def test_no_damaged_file_ends_in_a_traceback(files: Files) -> None:
    judge = first_judge()

    def script(random: Mutator) -> None:
        name = random.choice(("game.json", "script.json", "game.xml"))
        text = files.content(random, name).decode("utf-8", "replace")
        prepared_games.import_game(text=text, title=random.text(), lexicon="few", by=judge, now=utc_now())

    def backup(random: Mutator) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(files.changed(random, "backup.zip"))
            restore_backup(path, data=Path(folder), now=utc_now())

    readers: Sequence[Callable[[Mutator], object]] = (
        lambda random: parse_player_rows(
            read_cells(files.content(random, random.choice(("players.csv", "players.xlsx"))))
        ),
        lambda random: parse_players(files.content(random, "players.csv").decode("utf-8", "replace")),
        script,
        backup,
    )

    def step(_number: int, random: Mutator) -> None:
        read = random.choice(readers)
        try:
            with _undone():
                read(random)
        except Refused as refused:
            _demand_one_sentence(str(refused))

    FuzzRun("files", 0.2).run(step)


def test_no_command_line_ends_in_a_traceback(files: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(files.folder)
    event = make_event("placed").live_game

    def step(_number: int, random: Mutator) -> None:
        line = _line(random, files, event.event.code)
        with _undone():
            _run(line, random)

    FuzzRun("commands", 0.2).run(step)


@contextmanager
def _undone() -> Iterator[None]:
    with transaction.atomic():
        try:
            yield
        finally:
            transaction.set_rollback(True)


def _line(random: Mutator, files: Files, code: str) -> list[str]:
    """Return a command with its arguments, one of them often changed."""
    out = str(files.folder / "out")
    words = files.write("list.txt", files.valid["words.txt"])
    lines: Sequence[Sequence[str]] = (
        ("verify", files.changed(random, "game.json"), "--lexicon", words),
        ("verify", files.changed(random, "game.json"), "--lexicon", files.changed(random, "words.txt")),
        ("print", files.changed(random, "game.json"), "--document", random.choice(sorted(FROM_A_FILE)), "--out", out),
        ("print", files.changed(random, "script.json"), "--document", "prepared", "--out", out, "--turn", "1"),
        ("import_eliot", files.changed(random, "game.xml"), "--out", out),
        ("import_eliot", files.changed(random, "game.xml"), "--event", code, "--lexicon", "few"),
        ("lexicon", "import", files.changed(random, "words.txt"), "--edition", "it", "--name", "fuzz"),
        ("lexicon", "import", files.changed(random, "words.zip"), "--edition", "it", "--name", "fuzz"),
        ("lexicon", "check", "CORNO", random.text(), "--name", "few"),
        ("lexicon", "export", "few"),
        ("lexicon", "list"),
        ("edition", "check", files.changed(random, "edition.toml")),
        ("edition", "copy", random.text(), "--name", random.text()),
        ("edition", "list"),
        ("export_event", code, "--format", random.choice(sorted(FILES)), "--out", out, "--game", "1"),
        ("forget", code, "--yes"),
        ("backup", "--to", out),
        ("serve", "--port", "8000"),
        ("rehearse", "--phones", "10"),
        ("simulate", "--players", "4", "--rhythm", "60", "--seed", "1", "--out", out),
        ("restore", files.changed(random, "backup.zip")),
        ("engine", "judge", "--edition", "it", "--profile", random.choice(profile_codes()), "--words", words),
        ("engine", "solve", "--edition", random.choice(edition_codes()), "--words", words),
        ("engine", "draw", "--edition", "it", "--seed", "00" * 32, "--turn", "1", "--kept", "ABC"),
        ("engine", "lexicon-graph", "--edition", "it", "--words", files.changed(random, "words.txt"), "--out", out),
        ("engine", *random.sample([*COMMANDS, random.text(), "--help"], 2)),
    )
    line = list(random.choice(lines[:OF_FILES] if random.often(0.5) else lines))
    changeable = [at for at, word in enumerate(line) if at and word not in (*WRITES, out)]
    if changeable and random.often(0.3):
        at = random.choice(changeable)
        line[at] = random.changed_text(line[at])[:2_000].replace("\0", "")
    if random.often(0.05):
        line.append(random.choice(("--help", "--version", "--lang", "-1", "--", random.text().replace("\0", ""))))
    return line


def _run(line: Sequence[str], random: Mutator) -> None:
    """Run a command in this process; anything but an answer, a sentence or an exit code is a fault."""
    said = io.StringIO()
    with ExitStack() as stack, pytest.MonkeyPatch.context() as patch:
        stack.enter_context(redirect_stderr(said))
        stack.enter_context(redirect_stdout(io.TextIOWrapper(io.BytesIO(), "utf-8")))
        try:
            lines = "\n".join(random.json_text(LINE) for _ in range(3)).encode("utf-8", "surrogatepass")
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines), "utf-8", "replace"))
            if line[0] == "engine":
                if not TOO_LONG.intersection(line):
                    main(line[1:])
            else:
                _manage(line)
        except CommandError as error:
            said.write(str(error))
        except SystemExit:
            pass
    if "Traceback" in said.getvalue():
        raise Fault(f"{line}: {said.getvalue()[-600:]}")


def _manage(line: Sequence[str]) -> None:
    name, *arguments = line
    package = next((each for each in ("tournaments", "referee") if name in _commands(each)), "")
    if not package or name in OF_THE_PROJECT:
        return
    command = load_command_class(package, name)
    parser = command.create_parser("manage.py", name)
    options = vars(parser.parse_args(arguments))
    if name not in ARGUMENTS_ONLY:
        command.execute(*options.pop("args", ()), **options)


def _commands(package: str) -> set[str]:
    return {path.stem for path in (Path(apps.get_app_config(package).path) / "management" / "commands").glob("*.py")}


def _demand_one_sentence(text: str) -> None:
    if len(text) > 2_000 or "Traceback" in text:
        raise Fault(f"no sentence: {text[:300]}")


def _zip(name: str, content: bytes) -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as packed:
        packed.writestr(name, content)
    return written.getvalue()
