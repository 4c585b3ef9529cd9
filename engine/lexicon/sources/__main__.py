"""``python -m engine.lexicon.sources it --out FILE``: build a word list from packages.

Writes FILE (one word a line, UTF-8, sorted by code point) and FILE.json (sources of the words). Both are written
atomically. Progress goes to stderr, one line for each step.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path

from . import LANGUAGES, UNAVAILABLE, Progress, WordList, rules_fingerprint, word_source
from .packages import SourcesUnavailableError, fetch

FETCHING = 0.3
"""Share of the total progress that is assigned to the download."""

STOPPED = 130
"""Exit code after Ctrl+C, by the convention of shells."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return 0 if the list is written, else 1, `UNAVAILABLE` or `STOPPED` after a message."""
    options = _parser().parse_args(arguments)
    report = _report_json if options.json_progress else _report_text
    # Ended by another program it tidies up, too, as it does after Ctrl+C.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        words = build(options.language, options.packages, report)
        write(words, options.out)
    except SourcesUnavailableError as error:
        print(error, file=sys.stderr)
        return UNAVAILABLE
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    except OSError as error:
        where = f" ({error.filename})" if error.filename else ""
        print(f"The word list could not be built: {error.strerror or error}{where}.", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("Stopped: the word list was not built, and nothing is changed.", file=sys.stderr)
        return STOPPED
    return 0


def build(code: str, packages_dir: Path | None, progress: Progress) -> WordList:
    """Build the list of a language; its packages are downloaded to a temporary folder unless a folder is given."""
    source = word_source(code)
    if packages_dir is not None:
        return source.build(packages_dir, progress)
    with tempfile.TemporaryDirectory(prefix="word-sources-") as folder:
        progress(f"Fetching the {source.name} word sources", 0.0)
        fetch(code, Path(folder), progress=_part_of(progress, 0.0, FETCHING))
        return source.build(Path(folder), _part_of(progress, FETCHING, 1.0))


def write(words: WordList, out: Path) -> None:
    """Write the list and its sources (``<out>.json``).

    The list is moved into place last, so that its presence means that both files are complete.
    """
    content = "".join(f"{word}\n" for word in words.words).encode()
    out.parent.mkdir(parents=True, exist_ok=True)
    _replace(out.with_name(out.name + ".json"), _provenance(words, content))
    _replace(out, content)


def _provenance(words: WordList, content: bytes) -> bytes:
    facts = {
        "name": f"Multiplo {words.language}",
        "language": words.language,
        "words": words.count,
        "sha256": sha256(content).hexdigest(),
        "sources": [asdict(credit) for credit in words.sources],
        "official": words.official,
        "note": words.note,
        "rules": rules_fingerprint(words.language),
    }
    return (json.dumps(facts, ensure_ascii=False, indent=2) + "\n").encode()


def _replace(path: Path, content: bytes) -> None:
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        unfinished.write_bytes(content)
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def _part_of(progress: Progress, start: float, end: float) -> Progress:
    return lambda text, share: progress(text, start + share * (end - start))


def _report_text(text: str, share: float) -> None:
    print(f"{share:4.0%} {text}", file=sys.stderr, flush=True)


def _report_json(text: str, share: float) -> None:
    print(json.dumps({"text": text, "share": round(share, 3)}), file=sys.stderr, flush=True)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m engine.lexicon.sources", description="Build a word list from the data of packages."
    )
    parser.add_argument("language", choices=sorted(LANGUAGES), help="language of the list")
    parser.add_argument("--out", type=Path, required=True, help="file to write; FILE.json tells its origin")
    parser.add_argument("--packages", type=Path, help="folder with the unpacked packages (default: fetch them)")
    parser.add_argument("--json-progress", action="store_true", help="report progress as JSON lines")
    return parser


if __name__ == "__main__":
    sys.exit(main())
