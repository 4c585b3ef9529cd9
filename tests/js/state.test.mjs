import assert from "node:assert/strict";
import { test } from "node:test";

import { bannerText } from "../../referee/static/phone/screen.js";
import { START, canWrite, isDisqualified, isOffline, isOut, ownSlip, ownVerdict, reduce, screenOf } from "../../referee/static/phone/state.js";

const VIEW = { game_number: 1, phase: "running", turn: 5, deadline: 100_000, slips_in: 3, players: 9, last: null, standings: [] };
const SLIP = { id: "a", source: "phone", version: 2, word: "CASA", ref: "8H", direction: "across", score: 12, received: 7, in_time: true };
const HELLO = { t: "hello", player: { table: 17, name: "Anna" }, turn: 5, slip: SLIP };

const play = (...events) => events.reduce(reduce, START);
const state = (seq, fields = {}) => ({ t: "state", seq, now: 0, view: { ...VIEW, ...fields } });

test("a phone that has heard nothing waits", () => {
  assert.equal(screenOf(START, null), "connecting");
});

test("the screen follows the phase of the hall", () => {
  for (const phase of ["lobby", "drawn", "running", "paused", "closed", "placed", "finished"]) {
    assert.equal(screenOf(play(state(1, { phase })), 0), phase);
  }
});

test("an older picture never takes the place of a newer one, and the same one does", () => {
  assert.equal(play(state(7), state(6, { turn: 4 })).view.turn, 5);
  assert.equal(play(state(7), state(7, { phase: "closed" })).view.phase, "closed");
  assert.equal(play(state(90), state(1, { game_number: 2, turn: 1 })).view.turn, 1, "the next game counts anew");
});

test("time is up a moment after the deadline even when the network is gone, and not before", () => {
  const running = play(state(1));
  assert.equal(screenOf(running, 100_500), "running");
  assert.equal(screenOf(running, 102_000), "closed");
  assert.equal(screenOf(reduce(running, state(2, { deadline: 130_000 })), 102_000), "running", "the judge has added time");
});

test("a slip can be written while the clock runs or stands still", () => {
  assert.deepEqual(["lobby", "drawn", "running", "paused", "closed", "placed"].map(canWrite), [false, false, true, true, false, false]);
});

test("a phone that comes back shows the slip that the server has", () => {
  const back = play(HELLO, state(3));
  assert.equal(ownSlip(back).version, 2);
  assert.equal(back.player.name, "Anna");
});

test("an acknowledged slip is the own one, until the next turn", () => {
  const ack = { t: "ack", id: "b", version: 3, received: 9, in_time: true, slip: { id: "b", turn: 5, word: "CASE", ref: "H8", score: null } };
  const sent = play(HELLO, state(3), ack);
  assert.deepEqual([ownSlip(sent).word, ownSlip(sent).version], ["CASE", 3]);
  assert.equal(ownSlip(reduce(sent, HELLO)).version, 3, "an older one does not come back");
  assert.equal(ownSlip(reduce(sent, state(4, { turn: 6 }))), null);
});

test("a paper slip that the judge typed is the own slip too", () => {
  const me = { t: "me", table: 17, turn: 5, slip: { ...SLIP, source: "paper", version: 4 }, verdict: null };
  assert.equal(ownSlip(play(HELLO, state(3), me)).source, "paper");
});

test("the verdict shown is the one of the turn on the board", () => {
  const me = { t: "me", table: 17, turn: 5, slip: null, verdict: { turn: 5, points: 18 } };
  assert.equal(ownVerdict(play(state(3, { phase: "placed", last: { turn: 5 } }), me)).points, 18);
  assert.equal(ownVerdict(play(state(3, { phase: "placed", last: { turn: 6 } }), me)), null);
});

test("a refusal is shown until the player writes again", () => {
  const refused = play(state(1), { t: "refused", id: "a", why: "malformed", text: "No word." });
  assert.equal(refused.refusal.text, "No word.");
  assert.equal(reduce(refused, { t: "edited" }).refusal, null);
});

test("a phone that another one replaced says so for good", () => {
  const moved = play(state(1), { t: "moved" }, { t: "status", status: "offline", failures: 3 }, state(2));
  assert.equal(screenOf(moved, 0), "moved");
});

test("the first connection is given a moment before the phone says that there is none", () => {
  assert.equal(isOffline(START), false);
  assert.equal(isOffline(play({ t: "status", status: "offline", failures: 1 })), true);
  assert.equal(isOffline(play(state(1), { t: "status", status: "connecting", failures: 0 })), true);
  assert.equal(isOffline(play(state(1), { t: "status", status: "polling", failures: 2 })), false);
});

test("a message of a kind that is not known changes nothing", () => {
  assert.equal(reduce(START, { t: "confetti" }), START);
});

test("an outage of the server is shown until its end, or until another server greets", () => {
  const told = play(state(1), { t: "status", status: "online", failures: 0 }, { t: "outage", text: "The server cannot store slips." });
  assert.equal(bannerText(told), "The server cannot store slips.");
  assert.equal(bannerText(reduce(told, { t: "outage", text: "" })), "");
  assert.equal(bannerText(reduce(told, HELLO)), "");
});

test("a disqualified player is told so and why nothing more can be written, until the next game", () => {
  const me = { t: "me", table: 17, first_turn: 1, turn: 5, slip: null, verdict: null, disqualified_from: 5 };
  const out = play({ t: "status", status: "online", failures: 0 }, state(1), me);
  assert.equal(isDisqualified(out), true);
  assert.match(bannerText(out), /^You are disqualified from turn 5 on: .* no more slips\./);
  assert.equal(bannerText(reduce(out, { ...me, disqualified_from: null })), "", "taken back");
  assert.equal(bannerText(reduce(out, state(1, { game_number: 2, turn: 0 }))), "");
});

test("a player who left is told so from the first turn without a slip, and one without a place at once", () => {
  const me = { t: "me", first_turn: 1, turn: 5, disqualified_from: null, slip: null };
  assert.equal(isOut(play(state(1), { ...me, last_turn: 5 })), false, "the turn that is played still counts");
  const online = { t: "status", status: "online", failures: 0 };
  const left = play(online, state(1), { ...me, last_turn: 4 });
  assert.equal(isOut(left), true);
  assert.match(bannerText(left), /your last turn is turn 4/);
  assert.equal(bannerText(reduce(left, { ...me, last_turn: null })), "", "back in the game");
  const absent = play(online, state(1), { t: "no_place" });
  assert.match(bannerText(absent), /no place in this game/);
  assert.equal(isOut(reduce(absent, { ...me, last_turn: null })), false);
  assert.equal(isOut(reduce(absent, state(1, { game_number: 2, turn: 0 }))), false);
});
