import assert from "node:assert/strict";
import { test } from "node:test";

import { nameText, rankText } from "../../referee/static/common/text.js";
import { pagesOf, podiumOf, winnersText } from "../../referee/static/wall/ranking.js";

const players = (count) => Array.from({ length: count }, (_, index) => ({ rank: index + 1, name: `P${index + 1}` }));
const shape = (count) => pagesOf(players(count)).map((page) => page.map((column) => column.length));

test("up to 22 lines stand in one column, more in two equal ones, very many on several pages", () => {
  assert.deepEqual(shape(22), [[22]]);
  assert.deepEqual(shape(23), [[12, 11]]);
  assert.deepEqual(shape(44), [[22, 22]]);
  assert.deepEqual(shape(50), [[13, 13], [13, 11]]);
  assert.deepEqual(pagesOf([]), [[]]);
});

test("every player stands on exactly one page, in order", () => {
  const shown = pagesOf(players(401)).flat(2).map(({ rank }) => rank);
  assert.deepEqual(shown, players(401).map(({ rank }) => rank));
});

test("the first three with a rank stand on the podium, and all first ones win", () => {
  const lines = [{ rank: 1, name: "Anna" }, { rank: 1, name: "Bruno" }, { rank: 3, name: "Carla" }, { rank: 3, name: "Dora" }, { rank: null, name: "Ugo" }];
  assert.deepEqual(podiumOf(lines).map(({ name }) => name), ["Anna", "Bruno", "Carla"]);
  assert.equal(winnersText(lines), "Anna and Bruno win!");
  assert.equal(winnersText(lines.slice(1)), "Bruno wins!");
  assert.equal(winnersText(lines.slice(4)), "");
});

test("a disqualified player has a dash for the rank and says so", () => {
  const line = { rank: null, name: "Anna" };
  assert.deepEqual([rankText(line), nameText(line)], ["–", "Anna (disqualified)"]);
  assert.deepEqual([rankText({ rank: 3 }), nameText({ rank: 3, name: "Anna" })], ["3", "Anna"]);
});
