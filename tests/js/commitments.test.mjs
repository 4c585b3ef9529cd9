import assert from "node:assert/strict";
import { test } from "node:test";

import { actsText, earlierText, headText, inGroups, noticeText } from "../../referee/static/wall/commitments.js";

test("the head is told with the number of its entry, and an old game has none", () => {
  assert.equal(headText({ ledger_entry: 57, ledger_head: "1a2b 3c4d 5e6f 7a8b" }), "Entry 57: 1a2b 3c4d 5e6f 7a8b");
  assert.equal(headText({ ledger_entry: 0, ledger_head: "" }), "");
  assert.equal(inGroups("ab12".repeat(16)).length, 79);
});

test("the notice of a withdrawn move disappears after the turn that follows", () => {
  const view = (turn) => ({ turn, draw_acts: [{ entry: 31, kind: "taken_back", turn: 5 }] });
  assert.equal(noticeText(view(5)), "The move of turn 5 was taken back.");
  assert.equal(noticeText(view(6)), "The move of turn 5 was taken back.");
  assert.equal(noticeText(view(7)), "");
  assert.equal(noticeText({ turn: 1, draw_acts: [] }), "");
});

test("the newest entry is told in words, and every entry by its number", () => {
  const acts = [
    { entry: 12, kind: "taken_back", turn: 3 },
    { entry: 31, kind: "taken_back", turn: 5 },
    { entry: 31, kind: "put_back", turn: 6 },
  ];
  assert.equal(actsText(acts), "The move of turn 5 was taken back. The rack drawn for turn 6 was put back before it was announced. In the ledger: 12, 31.");
  assert.equal(actsText([]), "");
});

test("an act of a newer server is still told by its number", () => {
  assert.equal(actsText([{ entry: 9, kind: "something_new", turn: 1 }]), "In the ledger: 9.");
});

test("secret numbers that were shown before stay", () => {
  assert.equal(earlierText({ earlier_draws: [{ from_turn: 1, seed: "ab12cd34" }] }), "Secret number from turn 1 on: ab12 cd34");
  assert.equal(earlierText({ earlier_draws: [] }), "");
});
