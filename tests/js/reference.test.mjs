import assert from "node:assert/strict";
import { test } from "node:test";

import { edgeLabels, formatReference, inWords, parseReference, turned } from "../../referee/static/common/reference.js";

test("8H and H8 are never the same word", () => {
  assert.deepEqual(parseReference("8H", "8H"), { row: 7, column: 7, across: true });
  assert.deepEqual(parseReference("H8", "8H"), { row: 7, column: 7, across: false });
  assert.deepEqual(parseReference("H8", "H8"), { row: 7, column: 7, across: true });
  assert.deepEqual(parseReference("8H", "H8"), { row: 7, column: 7, across: false });
});

test("rows are numbers where across is 8H, and letters where it is H8", () => {
  assert.deepEqual(parseReference("12C", "8H"), { row: 11, column: 2, across: true });
  assert.deepEqual(parseReference("C12", "H8"), { row: 2, column: 11, across: true });
  assert.deepEqual(parseReference("12C", "H8"), { row: 2, column: 11, across: false });
  assert.equal(edgeLabels("8H").rows[0], "1");
  assert.equal(edgeLabels("H8").rows[0], "A");
});

test("small letters and blanks around or inside do not matter", () => {
  assert.deepEqual(parseReference(" 8 h ", "8H"), parseReference("8H", "8H"));
});

test("what is no reference is none", () => {
  for (const text of ["", "Z99", "16A", "0A", "8P", "8", "H", "88H", "8HH", "8-H", "🙂", "١A", "H08"]) {
    assert.equal(parseReference(text, "8H"), null, text);
  }
});

test("every square is written and read back the same in both notations", () => {
  for (const notation of ["8H", "H8"]) {
    for (let row = 0; row < 15; row += 1) {
      for (let column = 0; column < 15; column += 1) {
        for (const across of [true, false]) {
          const place = { row, column, across };
          assert.deepEqual(parseReference(formatReference(place, notation), notation), place);
        }
      }
    }
  }
});

test("a place is said in words that name line and start", () => {
  const place = { row: 7, column: 3, across: true };
  assert.equal(inWords(place, "8H"), "across, row 8, from column D");
  assert.equal(inWords(turned(place), "8H"), "down, column D, from row 8");
  assert.equal(inWords(place, "H8"), "across, row H, from column 4");
  assert.equal(inWords(turned(place), "H8"), "down, column 4, from row H");
});
