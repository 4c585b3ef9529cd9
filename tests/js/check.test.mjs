import assert from "node:assert/strict";
import { test } from "node:test";

import { problems, slipOf } from "../../referee/static/phone/check.js";
import { emptyDraft } from "../../referee/static/phone/draft.js";

const draft = (fields) => ({ ...emptyDraft(5), word: "CASA", ref: "8H", score: "12", ...fields });

test("a slip that is well formed has no problems, however bad the move", () => {
  assert.deepEqual(problems(draft(), "8H"), {});
  assert.deepEqual(problems(draft({ word: "XYZQQQ", ref: "15O", score: "" }), "8H"), {});
});

test("a slip without a word or with a reference that is none is malformed, each with a sentence at its field", () => {
  assert.deepEqual(Object.keys(problems(draft({ word: "", ref: "", score: "3x" }), "8H")), ["word", "ref", "score"]);
  assert.deepEqual(Object.keys(problems(draft({ word: "🙂 7" }), "8H")), ["word"]);
  assert.match(problems(draft({ word: "CA?" }), "8H").word, /after the question mark/);
  assert.match(problems(draft({ ref: "Z99" }), "8H").ref, /Z99.*8H.*H8/);
  assert.match(problems(draft({ ref: "" }), "H8").ref, /write H8 for across or 8H for down/);
});

test("a slip leaves its direction to its reference, and carries no score as none", () => {
  assert.deepEqual(slipOf(draft({ ref: " h 8 ", score: " " }), "8H", "id", 99), {
    id: "id",
    turn: 5,
    word: "CASA",
    ref: "H8",
    direction: null,
    score: null,
    sent: 99,
  });
});
