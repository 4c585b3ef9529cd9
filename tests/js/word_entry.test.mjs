import assert from "node:assert/strict";
import { test } from "node:test";

import { ghosts, fromRack, moveTiles, layTile, isOnBoard, markBlank, mergeTyped, usedTiles, takeBack } from "../../referee/static/phone/word_entry.js";
import { grid } from "../../referee/static/common/tiles.js";

const rows = Array(15).fill(".".repeat(15));
rows[7] = "...CORNO.......";
const BOARD = grid(rows);
const EMPTY = grid(null);
const at = (row, column, across = true) => ({ row, column, across });

function lay(board, place, letters) {
  return [...letters].reduce((so_far, face) => layTile(board, so_far.place, so_far.word, face), { place, word: [] });
}

test("tapped tiles make a word", () => {
  assert.deepEqual(lay(EMPTY, at(7, 3), "CORNO").word.join(""), "CORNO");
});

test("letters of the board on the way join by themselves", () => {
  const { place, word } = lay(BOARD, at(5, 6, false), "CATA");
  assert.equal(word.join(""), "CANTA");
  assert.deepEqual(place, at(5, 6, false));
  assert.deepEqual(fromRack(BOARD, place, word).join(""), "CATA");
});

test("a tile behind a word of the board begins with that word, and the reference moves to its first letter", () => {
  const { place, word } = lay(BOARD, at(7, 8), "NE");
  assert.equal(word.join(""), "CORNONE");
  assert.deepEqual(place, at(7, 3));
});

test("a tile before a word of the board takes it along to its end", () => {
  assert.equal(lay(BOARD, at(7, 2), "S").word.join(""), "SCORNO");
});

test("a word may start on a letter that isOnBoard there", () => {
  assert.equal(lay(BOARD, at(7, 5, false), "ETI").word.join(""), "RETI");
});

test("at the edge there is no square for another tile", () => {
  const full = lay(EMPTY, at(0, 13), "AB");
  assert.equal(layTile(EMPTY, full.place, full.word, "C"), null);
});

test("without a place tiles only spell", () => {
  assert.deepEqual(layTile(BOARD, null, ["A"], "B"), { place: null, word: ["A", "B"] });
});

test("taking back removes one tile of the rack and what lay behind it", () => {
  const { place, word } = lay(BOARD, at(5, 6, false), "CA");
  assert.equal(word.join(""), "CAN");
  assert.deepEqual(takeBack(BOARD, place, word), ["C"]);
  assert.deepEqual(takeBack(BOARD, place, ["C"]), []);
  assert.deepEqual(takeBack(BOARD, at(7, 3), [..."CORNOS"]), [], "nothing is left but the board's own word");
  assert.deepEqual(takeBack(BOARD, null, ["A", "B"]), ["A"]);
});

test("a tapped word follows when its first square moves or turns", () => {
  const { place, word } = lay(BOARD, at(5, 6, false), "CATA");
  assert.equal(moveTiles(BOARD, place, at(9, 2), word).word.join(""), "CATA");
  assert.equal(moveTiles(BOARD, place, at(9, 13), word), null, "it does not fit there");
});

test("a written letter that isOnBoard on the board is not fromRack, another one is", () => {
  assert.equal(isOnBoard(BOARD, at(7, 3), [..."CORNO"], 0), true);
  assert.equal(isOnBoard(BOARD, at(7, 3), [..."corno"], 0), true, "the case of a letter on the board says nothing");
  assert.equal(isOnBoard(BOARD, at(7, 3), [..."BORNO"], 0), false);
  assert.equal(isOnBoard(BOARD, null, ["C"], 0), false);
});

test("marking a letter and marking it again", () => {
  const once = markBlank([..."CASA"], 2);
  assert.equal(once.join(""), "CAsA");
  assert.equal(markBlank(once, 2).join(""), "CASA");
  assert.deepEqual(markBlank(["A", "L·L"], 1), ["A", "l·l"]);
});

test("typing gives capitals from every keyboard", () => {
  assert.equal(mergeTyped("", "casa", true), "CASA");
  assert.equal(mergeTyped("CAS", "casa", true), "CASA");
  assert.equal(mergeTyped("CAS", "CAS A", true), "CASA");
});

test("a marked letter stays marked while letters come and go around it", () => {
  assert.equal(mergeTyped("CAsA", "CAsAl", true), "CAsAL");
  assert.equal(mergeTyped("CAsA", "bCAsA", true), "BCAsA");
  assert.equal(mergeTyped("CAsA", "CAs", true), "CAs");
  assert.equal(mergeTyped("CAsA", "CASA", true), "CAsA", "a keyboard that turns all into capitals does not unmark");
  assert.equal(mergeTyped("CAsA", "", true), "");
});

test("a question mark or round brackets mark the letter that is typed", () => {
  assert.equal(mergeTyped("CA", "CA?", true), "CA?");
  assert.equal(mergeTyped("CA?", "CA?s", true), "CAs");
  assert.equal(mergeTyped("", "ca(s)a", true), "CAsA");
  assert.equal(mergeTyped("", "ca(s)a?", false), "CASA", "without a blank in the rack nothing is marked");
});

test("the tiles a word takes are shown, the tapped one of two equal ones first", () => {
  const rack = [..."AACES?T"];
  assert.deepEqual([...usedTiles(rack, [..."CA"])], [2, 0]);
  assert.deepEqual([...usedTiles(rack, [..."A"], [1])], [1]);
  assert.deepEqual([...usedTiles(rack, ["r"])], [5], "a marked letter takes the blank");
  assert.deepEqual([...usedTiles(rack, [..."ZZ"])], [], "a letter that is not there takes nothing, and nobody is told");
});

test("the ghost of a word ends at the edge of the board", () => {
  assert.deepEqual(ghosts(at(0, 13), [..."ABC"]), [[0, 13, "A"], [0, 14, "B"]]);
  assert.deepEqual(ghosts(null, ["A"]), []);
});
