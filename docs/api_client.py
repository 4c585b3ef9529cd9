#!/usr/bin/env python3
"""Reads a club's events by the API of Multiplo: `python3 docs/api_client.py https://club.example.org TOKEN [EVENT]`.

An example for programs of your own, with nothing but the standard library. Without EVENT it lists events and season
rankings; with the number of an event it follows the games of that event: it shows each turn once it is published, and
the standings when a game is over. `verify_signature` shows how to check a message of a webhook.
"""

import hashlib
import hmac
import json
import sys
import time
import urllib.error
import urllib.request

LOOK_S = 5


class Club:
    """The API of one installation. Answers that have not changed are not sent again (ETag)."""

    def __init__(self, address, token):
        self.root, self.token, self.known = address.rstrip("/") + "/api/v1/", token, {}

    def get(self, path):
        """The answer at a path, as Python objects; None if there is nothing there."""
        etag, answer = self.known.get(path, ("", None))
        headers = {"Authorization": f"Bearer {self.token}", **({"If-None-Match": etag} if etag else {})}
        try:
            with urllib.request.urlopen(urllib.request.Request(self.root + path, headers=headers), timeout=30) as reply:
                self.known[path] = reply.headers["ETag"], json.load(reply)
        except urllib.error.HTTPError as fault:
            if fault.code == 304:
                return answer
            if fault.code == 404:
                return None
            if fault.code == 429:
                time.sleep(int(fault.headers["Retry-After"]))
                return self.get(path)
            raise
        return self.known[path][1]

    def parts(self, path, name):
        """All entries of a list that comes in parts."""
        part = parts = 1
        while part <= parts:
            answer = self.get(f"{path}?part={part}")
            yield from answer[name]
            part, parts = part + 1, answer["parts"]


def verify_signature(secret, header, body, now=None, tolerance_s=300):
    """Tell if a message of a webhook is genuine and new. `header` is Multiplo-Signature, `body` the bytes received."""
    fields = dict(each.split("=", 1) for each in header.split(","))
    expected = hmac.new(secret.encode(), f"{fields['t']}.".encode() + body, hashlib.sha256).hexdigest()
    age_s = (time.time() if now is None else now) - int(fields["t"])
    return hmac.compare_digest(expected, fields["v1"]) and abs(age_s) <= tolerance_s


def show_club(club):
    for event in club.parts("events", "events"):
        print(f"{event['id']:5}  {event['date']}  {event['name']}  ({event['games']} games)")
    for season in club.get("seasons")["seasons"]:
        for ranking in season["rankings"]:
            print(f"\n{season['name']}: {ranking['name']}")
            for line in club.get(f"seasons/{season['id']}/rankings/{ranking['id']}")["lines"]:
                print(f"{line['rank'] or '–':>4}  {line['name'] or '(not published)'}  {line['value']:g}")


def follow_event(club, event):
    """Show each new turn until all games are over."""
    shown = {}
    while True:
        detail = club.get(f"events/{event}")
        if detail is None:
            sys.exit(f"There is no event {event}.")
        for game in detail["games"]:
            path = f"events/{event}/games/{game['number']}"
            if game["turn_count"] != shown.get(game["number"], 0):
                for turn in club.get(path)["turns"][shown.get(game["number"], 0) :]:
                    move = f"{turn['word']} {turn['ref']} · {turn['score']}" if turn["word"] else "no move"
                    solo = f"  solo: {turn['solo']}" if turn["solo"] else ""
                    print(f"{game['number']}.{turn['number']:<3} {turn['rack']:10} {move}  (top {turn['top']}){solo}")
                shown[game["number"]] = game["turn_count"]
        if all(game["over"] for game in detail["games"]):
            break
        time.sleep(LOOK_S)
    for line in club.parts(f"events/{event}/standings", "lines"):
        print(f"{line['rank'] or '–':>4}  {line['name']}  {line['points']}  {line['percent']:.2f} %")


def main(arguments):
    if len(arguments) not in (2, 3):
        sys.exit(__doc__)
    club = Club(*arguments[:2])
    try:
        if club.get("events") is None:
            sys.exit("There is no API at this address, or it is off.")
        show_club(club) if len(arguments) == 2 else follow_event(club, int(arguments[2]))
    except (OSError, ValueError) as fault:
        sys.exit(f"This could not be read: {fault}")


if __name__ == "__main__":
    main(sys.argv[1:])
