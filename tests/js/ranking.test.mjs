import assert from "node:assert/strict";
import { test } from "node:test";

import { nameText, rankText } from "../../referee/static/common/text.js";
import { pagesOf } from "../../referee/static/wall/ranking.js";

const players = (count) => Array.from({ length: count }, (_, index) => ({ rank: index + 1 }));

test("twelve players stand in one column, more in two, many on several pages", () => {
  assert.deepEqual(pagesOf(players(12)).map((page) => page.map((column) => column.length)), [[12]]);
  assert.deepEqual(pagesOf(players(13)).map((page) => page.map((column) => column.length)), [[12, 1]]);
  assert.deepEqual(pagesOf(players(50)).map((page) => page.map((column) => column.length)), [[12, 12], [12, 12], [2]]);
  assert.deepEqual(pagesOf([]), [[]]);
});

test("every player stands on exactly one page, in order", () => {
  const shown = pagesOf(players(401)).flat(2).map(({ rank }) => rank);
  assert.deepEqual(shown, players(401).map(({ rank }) => rank));
});

test("a disqualified player has a dash for the rank and says so", () => {
  const line = { rank: null, name: "Anna" };
  assert.deepEqual([rankText(line), nameText(line)], ["–", "Anna (disqualified)"]);
  assert.deepEqual([rankText({ rank: 3 }), nameText({ rank: 3, name: "Anna" })], ["3", "Anna"]);
});
