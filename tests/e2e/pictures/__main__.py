"""Take pictures of the program: `python -m tests.e2e.pictures KIND [--folder FOLDER] [NAME ...]`.

`documents` takes the pictures of the README and the handbook into docs/pictures. `desk` takes each state of the desk
at 1024×600, 1280×800, 1920×1080 and 360×740, also dark; `screens` takes each state of phone and wall; `simultaneous`
and `rooms` take the pages and sheets of a simultaneous game and of an event in three rooms. These four are for looking
at while designing, and need a folder.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from tests.e2e.pictures import desk_states, documents, phone_and_wall_states, room_states, simultaneous_states

STATES = {
    "desk": desk_states.take_states,
    "screens": phone_and_wall_states.take_states,
    "rooms": room_states.take_states,
    "simultaneous": simultaneous_states.take_states,
}


def main() -> None:
    """Read the command line and take the pictures."""
    parser = argparse.ArgumentParser(prog="python -m tests.e2e.pictures", description="Take pictures of the program.")
    parser.add_argument("kind", choices=("documents", *STATES))
    parser.add_argument("names", nargs="*", help="only these pictures")
    parser.add_argument("--folder", type=Path, help="folder for pictures that belong to no document")
    options = parser.parse_args()
    if options.kind == "documents":
        documents.take_pictures(set(options.names) or set(documents.PICTURES))
        return
    if options.folder is None:
        parser.error("--folder is missing")
    options.folder.mkdir(parents=True, exist_ok=True)
    STATES[options.kind](options.folder, set(options.names))


if __name__ == "__main__":
    main()
