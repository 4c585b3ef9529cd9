import assert from "node:assert/strict";
import { test } from "node:test";

import { faces, grid, isBlank, rowFaces, tileText, tokens } from "../../referee/static/common/tiles.js";
import { announced, wordsOn } from "../../referee/static/common/words.js";

const CATALAN = ["A", "C", "L", "L·L", "M", "N", "NY", "O", "QU", "S", "U", "Ç"];

test("a row of tile text has fifteen squares, whatever stands in brackets", () => {
  assert.equal(rowFaces("...[L·L]A[ny]s........").length, 15);
  assert.deepEqual(rowFaces("...[L·L]A[ny]s........").slice(3, 7), ["L·L", "A", "ny", "s"]);
  assert.equal(rowFaces("...............").join(""), "");
});

test("tile text is read and written back the same", () => {
  assert.equal(tileText(faces("CA[L·L]s?")), "CA[L·L]s?");
});

test("lower case and the question mark are blanks", () => {
  assert.deepEqual(["A", "a", "?", "L·L", "l·l", "ç"].map(isBlank), [false, true, true, false, true, true]);
});

test("a written word becomes the tiles of the edition, the longest first", () => {
  assert.deepEqual(tokens("QUALLA", CATALAN), ["QU", "A", "L", "L", "A"]);
  assert.deepEqual(tokens("AL·LA", CATALAN), ["A", "L·L", "A"]);
  assert.deepEqual(tokens("A[L·L]A", CATALAN), ["A", "L·L", "A"]);
  assert.deepEqual(tokens("AnyS", CATALAN), ["A", "ny", "S"]);
});

test("accents fall away unless the edition keeps them", () => {
  assert.deepEqual(tokens("CITTÀ", ["A", "C", "I", "T"]), ["C", "I", "T", "T", "A"]);
  assert.deepEqual(tokens("Ç", CATALAN), ["Ç"]);
});

test("a sign that no tile shows stands for itself and breaks nothing", () => {
  assert.deepEqual(tokens("A🙂7", ["A"]), ["A", "🙂", "7"]);
});

test("the words on a board are listed for those who cannot see it", () => {
  const rows = Array(15).fill(".".repeat(15));
  rows[7] = "...CORNO.......";
  rows[8] = ".......s.......";
  assert.deepEqual(wordsOn(grid(rows)).map((found) => announced(found, "8H")), ["CORNO 8D", "Os H8"]);
  assert.deepEqual(wordsOn(grid(null)), []);
});
