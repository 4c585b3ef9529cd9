import assert from "node:assert/strict";
import { test } from "node:test";

import { emptyDraft } from "../../referee/static/phone/draft.js";
import { isReminded, isSettled } from "../../referee/static/phone/send_button.js";
import { START, hasLeft, isLate, playsNow, reduce, screenOf } from "../../referee/static/phone/state.js";
import { isUnsent } from "../../referee/static/phone/unsent.js";

const VIEW = { game_number: 1, phase: "running", turn: 5, deadline: 100_000, last: null, standings: [], notation: "8H" };
const ME = { t: "me", table: 17, first_turn: 1, turn: 5, slip: null, verdict: null, disqualified_from: null, last_turn: null };
const play = (...events) => events.reduce(reduce, START);
const state = (seq, fields = {}) => ({ t: "state", seq, now: 0, view: { ...VIEW, ...fields } });
const ack = { t: "ack", id: "b", version: 1, received: 40_000, in_time: true, slip: { id: "b", turn: 5, word: "CASE", ref: "H8", score: 12 } };
const draft = { ...emptyDraft(5), word: "CASE", ref: "H8", score: "12" };

test("who has sent nothing is reminded in the last twenty seconds, and nobody else", () => {
  const without = play(state(1), ME);
  assert.deepEqual([20_001, 20_000, 1, 0, null].map((left) => isReminded(without, null, left)), [false, true, true, false, false]);
  assert.equal(isReminded(without, { id: "b" }, 9000), false, "a slip is under way");
  assert.equal(isReminded(reduce(without, ack), null, 9000), false);
  assert.equal(isReminded(play(state(1), { ...ME, first_turn: 6 }), null, 9000), false);
});

test("the slip that counts takes the place of the form until it is changed", () => {
  const sent = play(state(1), ME, ack);
  assert.equal(isSettled(sent, draft, null, false), true);
  assert.equal(isSettled(sent, emptyDraft(5), null, false), true, "it came on paper or from another phone");
  assert.equal(isSettled(sent, { ...draft, score: "13" }, null, false), false);
  assert.equal(isSettled(sent, draft, null, true), false);
  assert.equal(isSettled(sent, draft, { id: "c" }, false), false);
});

test("a phone knows what its clock showed when the slip was stored", () => {
  assert.equal(play(state(1), ack).receipt.left, 60_000);
  assert.equal(play(state(1, { phase: "paused", remaining_ms: 7000 }), ack).receipt.left, 7000);
});

test("a draft that was not sent is shown after the close, and not in the next turn", () => {
  const closed = play(state(1, { phase: "closed" }), ME);
  assert.equal(isUnsent(closed, "closed", draft, null), true);
  assert.equal(isUnsent(closed, "running", draft, null), false);
  assert.equal(isUnsent(closed, "closed", draft, { id: "b" }), false);
  assert.equal(isUnsent(reduce(closed, ack), "closed", draft, null), false);
  assert.equal(isUnsent(play(state(1, { phase: "placed", turn: 6 }), ME), "placed", draft, null), false);
});

test("a late-comer waits for the next turn, and who has left for the judge", () => {
  assert.deepEqual([5, 6].map((first_turn) => isLate(play(state(1), { ...ME, first_turn }))), [false, true]);
  assert.deepEqual([null, 4, 5].map((last_turn) => hasLeft(play(state(1), { ...ME, last_turn }))), [false, true, false]);
  assert.equal(playsNow(play(state(1), ME)), true);
});

test("a removed player is told so for good", () => {
  const gone = play(state(1), { t: "removed" }, { t: "moved" }, { t: "status", status: "ended", failures: 4001 }, state(2));
  assert.equal(screenOf(gone, 0), "removed");
});

test("places won since the turn before are known, and not after a pause of the phone", () => {
  const verdict = (turn, rank) => ({ ...ME, rank, verdict: { turn } });
  assert.equal(play(state(1), verdict(4, 7), verdict(5, 6), verdict(5, 6)).rankBefore, 7);
  assert.equal(play(state(1), verdict(2, 7), verdict(5, 6)).rankBefore, null);
});
