import assert from "node:assert/strict";
import { test } from "node:test";

import { actsText, earlierText, inGroups, commitmentsText } from "../../referee/static/wall/commitments.js";

const view = (more) => ({ phase: "running", commitment: "ab12".repeat(16), ledger_entry: 57, ledger_head: "1a2b 3c4d 5e6f 7a8b", ...more });

test("the bottom line has the whole fingerprint and the head with the number of its entry", () => {
  assert.equal(commitmentsText(view()), `Fingerprint ${inGroups("ab12".repeat(16))}  ·  Ledger, entry 57: 1a2b 3c4d 5e6f 7a8b`);
  assert.equal(inGroups("ab12".repeat(16)).length, 79);
});

test("where the fingerprint stands large already only the head is told", () => {
  for (const phase of ["lobby", "finished"]) assert.equal(commitmentsText(view({ phase })), "Ledger, entry 57: 1a2b 3c4d 5e6f 7a8b");
});

test("a game from a bag has no fingerprint, an old one no head", () => {
  assert.equal(commitmentsText(view({ commitment: "" })), "Ledger, entry 57: 1a2b 3c4d 5e6f 7a8b");
  assert.equal(commitmentsText(view({ commitment: "", ledger_head: "" })), "");
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
