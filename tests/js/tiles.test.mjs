import assert from "node:assert/strict";
import { test } from "node:test";

import { counted, faces, grid, isBlank, plain, rowFaces, tileText, tokens, wordText } from "../../referee/static/common/tiles.js";
import { wordLabel, wordsOn } from "../../referee/static/common/board_words.js";

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

test("the dotted L is one tile however it is written, two L never are", () => {
  for (const word of ["COL·LA", "COL.LA", "COL-LA", "COĿLA", "COĿA", "COL•LA"]) {
    assert.deepEqual(tokens(word, CATALAN), ["C", "O", "L·L", "A"], word);
  }
  assert.deepEqual(tokens("col.la", CATALAN), ["c", "o", "l·l", "a"]);
  assert.deepEqual(tokens("COLLA", CATALAN), ["C", "O", "L", "L", "A"]);
  assert.deepEqual(tokens("A-B", ["A", "B"]), ["A", "-", "B"]);
});

test("a sharp s and its like are two squares and no mark of a blank", () => {
  const german = [..."ABEGLORSTÜ"];
  assert.deepEqual(tokens("STRAßE", german).join(""), "STRASSE");
  assert.deepEqual(tokens("straße", german).join(""), "strasse");
  assert.deepEqual(tokens("ROẞ", german).join(""), "ROSS");
  assert.deepEqual(tokens("CŒUR", [..."CEORU"]).length, 5);
});

test("tiles laid apart are not written as the tile that they spell", () => {
  const spanish = [..."ACEHILOPR", "CH", "LL", "RR"];
  for (const [word, text] of [
    [["C", "H", "I", "C", "O"], "[C]HICO"],
    [["CH", "I", "C", "O"], "CHICO"],
    [["c", "H", "I"], "[c]HI"],
    [["P", "E", "R", "R", "O"], "PE[R]RO"],
    [["L", "LL"], "[L]LL"],
    [["C", "A", "ll"], "CAll"],
  ]) {
    assert.equal(wordText(word, spanish), text);
    assert.deepEqual(tokens(text, spanish), word);
  }
  assert.equal(wordText(["A", "NY", "S"], CATALAN), "ANYS");
  assert.equal(wordText([], CATALAN), "");
});

test("people read tile text without its brackets", () => {
  assert.equal(plain("CO[l·l]EGI"), "COl·lEGI");
  assert.equal(plain(""), "");
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
  assert.deepEqual(wordsOn(grid(rows)).map((found) => wordLabel(found, "8H")), ["CORNO 8D", "Os H8"]);
  assert.deepEqual(wordsOn(grid(null)), []);
});

test("a stock is told as the number of each tile", () => {
  assert.equal(counted("??AA[L·L]B"), "?\u00a02 · A\u00a02 · L·L\u00a01 · B\u00a01");
  assert.equal(counted(""), "");
});
