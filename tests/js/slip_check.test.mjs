import assert from "node:assert/strict";
import { test } from "node:test";

import { problems, slipOf } from "../../referee/static/phone/slip_check.js";
import { draftOf, emptyDraft } from "../../referee/static/phone/draft.js";
import { frameOf } from "../../referee/static/phone/queue.js";

const draft = (fields) => ({ ...emptyDraft(5), word: "CASA", ref: "8H", score: "12", ...fields });

test("a slip that is well formed has no problems, however bad the move", () => {
  assert.deepEqual(problems(draft(), { notation: "8H" }), {});
  assert.deepEqual(problems(draft({ word: "XYZQQQ", ref: "15O", score: "" }), { notation: "8H" }), {});
});

test("a slip without a word or with a reference that is none is malformed, each with a sentence at its field", () => {
  assert.deepEqual(Object.keys(problems(draft({ word: "", ref: "", score: "3x" }), { notation: "8H" })), ["word", "ref", "score"]);
  assert.deepEqual(Object.keys(problems(draft({ word: "🙂 7" }), { notation: "8H" })), ["word"]);
  assert.match(problems(draft({ word: "CA?" }), { notation: "8H" }).word, /after the question mark/);
  assert.match(problems(draft({ ref: "Z99" }), { notation: "8H" }).ref, /Z99.*8H.*H8/);
  assert.match(problems(draft({ ref: "" }), { notation: "H8" }).ref, /write H8 for across or 8H for down/);
});

test("a slip leaves its direction to its reference, and carries no score as none", () => {
  assert.deepEqual(slipOf(draft({ ref: " h 8 ", score: " " }), "8H", "id", 99), {
    id: "id",
    turn: 5,
    word: "CASA",
    ref: "H8",
    hook: "",
    direction: null,
    score: null,
    sent: 99,
  });
});

test("where hooks count, crossing letters may stand in place of the reference", () => {
  const rules = { notation: "H8", hooks: true };
  assert.deepEqual(problems(draft({ ref: "esc" }), rules), {});
  assert.match(problems(draft({ ref: "esca" }), rules).ref, /Or write three letters/);
  assert.match(problems(draft({ ref: "esc" }), { notation: "H8", hooks: false }).ref, /ESC|esc/);
  const { ref, hook } = slipOf(draft({ ref: " esc" }), "H8", "id", 99);
  assert.deepEqual([ref, hook], ["", "ESC"]);
  assert.equal(draftOf(slipOf(draft({ ref: "ESC" }), "H8", "id", 99)).ref, "ESC");
  assert.equal(frameOf(slipOf(draft({ ref: "ESC" }), "H8", "id", 99)).hook, "ESC");
});
