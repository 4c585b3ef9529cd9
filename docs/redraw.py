#!/usr/bin/env python3
"""Draws every rack of an archived game again: `python3 docs/redraw.py game.json`.

Written from docs/formats.md alone, with nothing but the standard library, so that nobody has to trust Multiplo to check
Multiplo. Tells each difference; ends with 0 when there is none, with 1 otherwise, with 2 for a file that is no archive.
"""

import hashlib
import hmac
import json
import re
import sys
from collections import Counter

TILE = re.compile(r"\[[^\]]+\]|.")


def tiles(text):
    """The faces of the tiles in a text; a blank, whatever it stands for, is "?"."""
    return ["?" if face == "?" or face != face.upper() else face.strip("[]") for face in TILE.findall(text)]


def on_board(rows):
    return Counter(face for row in rows for face in tiles(row.replace(".", "")))


class Game:
    def __init__(self, archive):
        self.rules, self.set = archive["profile"], archive["tile_set"]
        self.order = [face for face, tile in self.set.items() if tile["count"]]  # section 2: the order of the bag
        self.full = Counter({face: self.set[face]["count"] for face in self.order})
        self.joker = archive["formula"] == "explosive" or archive["formula"].endswith("joker")
        self.explosive = archive["formula"] == "explosive"
        first = {**archive["draw"], "from_turn": 1}
        self.draws = [first, *archive["draw"].get("continued", [])]

    def key(self, turn):
        draw = [draw for draw in self.draws if draw["from_turn"] <= turn][-1]
        if draw["seed"] is None:
            return None
        seed, word = bytes.fromhex(draw["seed"]), draw["hall_word"]
        return hashlib.sha256(seed + word.encode()).digest() if word else seed

    def listed(self, bag):
        return [face for face in self.order for _ in range(bag[face])]

    def text(self, rack):
        return "".join(face if len(face) == 1 else f"[{face}]" for face in self.listed(rack))

    def lawful(self, held, each, blanks_count):
        vowels = consonants = either = 0
        for face, number in held.items():
            kind = self.set[face]["class"]
            if kind == "blank":
                either += number * blanks_count
            elif kind == "either" or face in self.rules["either_letters"]:
                either += number
            elif kind == "vowel":
                vowels += number
            else:
                consonants += number
        return max(0, each - vowels) + max(0, each - consonants) <= either

    def minimum(self, turn, pool):
        """Minimum of the rack of a turn: (number of each class, blanks count or not), None when nothing is drawn."""
        pool = Counter(pool)
        if self.joker:
            pool["?"] = min(pool["?"], 1)
        rules, ways = self.rules, []
        if turn <= (rules["last_early_turn"] or 0):
            ways.append((rules["min_early"], rules["blanks_early"] == "either"))
        ways.append((rules["min_late"], rules["blanks_late"] == "either"))
        if rules["end_rule"] == "fisf":
            ways.append((rules["min_late"], True))
        if rules["early_minimum_fails"] == "relax":
            ways.append((min(1, rules["min_late"]), rules["blanks_late"] == "either"))
        fitting = (way for way in ways if 2 * way[0] <= rules["rack_size"] and self.lawful(pool, *way))
        return next(fitting, None)

    def take(self, key, turn, attempt, bag, number):
        numbers, left, taken = randoms(key, turn, attempt), self.listed(bag), Counter()
        for _ in range(min(number, len(left))):
            fair = len(left) * (2**32 // len(left))
            at = next(value for value in numbers if value < fair) % len(left)
            taken[left.pop(at)] += 1
        return taken

    def racks(self, key, turn, kept, pool):
        """The racks of attempt 0, 1 ...: (what is drawn, whether a blank joined it, whether it is lawful)."""
        minimum, attempt = self.minimum(turn, pool), 0
        held = Counter() if self.rules["put_back"] == "always" else Counter(kept)
        while minimum is not None:
            bag, held, joined = pool - held, Counter(held), False
            if self.joker:
                joined = not held["?"] and bag["?"] > 0 and held.total() < self.rules["rack_size"]
                held["?"], bag["?"] = held["?"] + joined, 0
            rack = held + self.take(key, turn, attempt, bag, self.rules["rack_size"] - held.total())
            yield rack, joined, self.lawful(rack, *minimum)
            held, attempt = Counter(), attempt + 1


def randoms(key, turn, attempt):
    block = 0
    while True:
        message = b"draw" + b"".join(number.to_bytes(4, "big") for number in (turn, attempt, block))
        digest = hmac.new(key, message, hashlib.sha256).digest()
        yield from (int.from_bytes(digest[at : at + 4], "big") for at in range(0, 32, 4))
        block += 1


def check_turn(game, turn, again):
    """A sentence when the racks of this turn are not those of the seed, else None; and what a word list has to say."""
    kept, rack = Counter(tiles(turn["kept"])), Counter(tiles(turn["rack"]))
    if again:
        return (None if rack == kept and not turn["rejected"] else "the same letters had to be played again"), []
    key, notes = game.key(turn["number"]), []
    if key is None:
        return None, ["its seed is not public yet"]
    pool = game.full - on_board(turn["board"])
    stored = [*turn["rejected"], turn["rack"]]
    for number, (drawn, joined, lawful) in enumerate(game.racks(key, turn["number"], kept, pool)):
        last = number == len(stored) - 1
        if last and lawful and (rack == drawn or (game.explosive and joined and exchanged(rack, drawn, pool))):
            if rack != drawn:
                notes.append(f"the blank was exchanged for {game.text(rack - drawn)}; a word list says whether rightly")
            return None, notes
        if last or tiles(stored[number]) != tiles(game.text(drawn)):
            return f"the archive says {stored[number]}, the seed gives {game.text(drawn)}", notes
        if lawful:
            notes.append(f"{stored[number]} went back since it had no move; a word list says whether rightly")
    return "nothing could be drawn any more", notes


def exchanged(rack, drawn, pool):
    """Return True if the rack is what was drawn with a letter of the bag in place of the blank (explosive games)."""
    return drawn - rack == Counter("?") and (rack - drawn).total() == 1 and not rack - pool


def check_seeds(game, entries):
    for number, draw in enumerate(game.draws):
        if draw["seed"] is not None and hashlib.sha256(bytes.fromhex(draw["seed"])).hexdigest() != draw["commitment"]:
            yield f"seed {number + 1}: it is not the one whose fingerprint was shown"
    told = [entry["data"] for entry in entries if "commitment" in entry["data"]]
    first = [data["commitment"] for data in told if "from_turn" not in data]
    later = [(data["from_turn"], data["commitment"]) for data in told if "from_turn" in data]
    if first and first[-1] != game.draws[0]["commitment"]:
        yield "the fingerprint is not the one in the ledger"
    if later != [(draw["from_turn"], draw["commitment"]) for draw in game.draws[1:]]:
        yield "the seeds with which the game went on are not those in the ledger"


def check_ledger(ledger):
    yield from check_chain(ledger, "the ledger")
    rooms, own = {}, {(entry["n"], entry["hash"]) for entry in ledger["entries"]}
    for chain in ledger.get("rooms", ()):
        name = f"the ledger of room {chain['room']}"
        yield from check_chain(chain, name)
        rooms[chain["room"]] = [entry["hash"] for entry in chain["entries"]]
        after = chain["entries"][0]["data"].get("after", {})
        if (after.get("n"), after.get("hash")) not in own:
            yield f"{name} does not begin at an entry of the ledger"
    for entry in ledger["entries"]:
        for room, number, digest in entry["data"].get("chains", ()):
            if rooms.get(room, [])[number - 1 : number] != [digest]:
                yield f"the ledger of room {room} is not the one that entry {entry['n']} of the ledger sealed"


def check_chain(ledger, name):
    previous = "0" * 64
    for place, entry in enumerate(ledger["entries"], 1):
        body = {name: value for name, value in entry.items() if name != "hash"}
        text = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        if entry["n"] != place or hashlib.sha256((previous + text).encode()).hexdigest() != entry["hash"]:
            yield f"{name} breaks at entry {place} ({entry['kind']}, {entry['at']})"
            return
        previous = entry["hash"]
    if previous != ledger["head"]:
        yield f"the head of {name} is not the hash of its last entry"


def check(archive):
    """Every difference, as a sentence."""
    yield from check_ledger(archive["ledger"])
    if archive["draw"]["mode"] == "typed":
        print("The racks of this game came out of a physical bag: no seed draws them again.")
        return
    game, again = Game(archive), False
    yield from check_seeds(game, archive["ledger"]["entries"])
    for turn in archive["turns"]:
        difference, notes = check_turn(game, turn, again)
        for note in notes:
            print(f"Turn {turn['number']}: {note}.")
        if difference:
            yield f"turn {turn['number']}: {difference}"
        repeats = archive["profile"].get("nobody_correct") == "same_rack"
        again = repeats and turn["master"] is None and bool(turn["tops"])


def main(path):
    try:
        with open(path, encoding="utf-8") as file:
            archive = json.load(file)
        differences = list(check(archive))
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        print(f"{path} cannot be read as the archive of a game: {error!r}")
        return 2
    for difference in differences:
        print(f"{difference[0].upper()}{difference[1:]}.")
    racks = sum(len(turn["rejected"]) + 1 for turn in archive["turns"])
    print(f"{len(archive['turns'])} turns, {racks} racks, {len(differences)} differences.")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
