import assert from "node:assert/strict";
import { test } from "node:test";

import { findKey } from "../../referee/static/desk/keys.js";
import { Lines, contentOf, isSame, nextMissing, tablesOf } from "../../referee/static/desk/unsent_lines.js";
import { Storage } from "./storage.mjs";

const line = (id, text, offered = null, turn = 3) => ({ id, line: text, offered, same: "", group: "", turn });
const answer = (tables, said = "8H CORNO 22", version = 1) => ({ sentence: "Read.", said, tables, versions: tables.map(() => version) });
const desk = (storage = new Storage()) => {
  const lines = new Lines("CODE", storage);
  lines.begin(3);
  return lines;
};

test("the tables that a line begins with are those that the program reads", () => {
  assert.deepEqual(tablesOf("17 8H CORNO 22", 5), [17]);
  assert.deepEqual(tablesOf("17+21,33 8H CORNO 22", 5), [17, 21, 33]);
  assert.deepEqual(tablesOf("017=", 5), [17]);
  assert.deepEqual(tablesOf("8H CORNO 22", 5), [5]);
  assert.deepEqual(tablesOf("17,8H,CORNO", 5), [17]);
  assert.deepEqual(tablesOf("0 L", 5), [5]);
  assert.deepEqual(tablesOf("8H CORNO 22", null), []);
});

test("what stands behind the tables is what = stands for", () => {
  assert.equal(contentOf("17 8H CORNO 22"), "8H CORNO 22");
  assert.equal(contentOf("17,21: 8H CORNO 22"), "8H CORNO 22");
  assert.equal(contentOf("8H CORNO 22"), "8H CORNO 22");
  for (const same of ["17=", "17 +", "+", "17+21+33+", "17 21 ="]) assert.ok(isSame(same), same);
  for (const other of ["17", "17 T", "17+21 8H CORNO 22", "17-"]) assert.ok(!isSame(other), other);
});

test("the next table that is missing follows the last one, and begins again at the end", () => {
  const missing = [3, 7, 9, 21];
  assert.equal(nextMissing(missing, 0), 3);
  assert.equal(nextMissing(missing, 7), 9);
  assert.equal(nextMissing(missing, 8), 9);
  assert.equal(nextMissing(missing, 21), 3);
  assert.equal(nextMissing(missing, 7, -1), 3);
  assert.equal(nextMissing(missing, 3, -1), 21);
  assert.equal(nextMissing([], 3), null);
});

test("lines keep the order in which they were typed, and survive a reload", () => {
  const storage = new Storage();
  const lines = desk(storage);
  lines.put(line("a", "17 8H CORNO 22"));
  lines.put(line("b", "21="));
  lines.refused("a", "Nobody sits there.");
  const again = new Lines("CODE", storage);
  assert.equal(again.first.id, "b");
  assert.deepEqual(again.held.map(({ id, sentence }) => [id, sentence]), [["a", "Nobody sits there."]]);
});

test("a refused line is brought back whole, and stays held until it is typed anew or given up", () => {
  const lines = desk();
  lines.put(line("a", "8H CORNO 22", 17));
  lines.refused("a", "No.");
  assert.deepEqual(lines.last, { id: "a", text: "17 8H CORNO 22" });
  assert.equal(lines.held.length, 1);
  lines.drop("a");
  assert.equal(lines.last, null);
});

test("what was refused is settled once a line for the table is in", () => {
  const lines = desk();
  for (const [id, text] of [["a", "17 8H CORNO ORA"], ["b", "21 8H CORNO ORA"], ["c", "17 8H CORNO"]]) lines.put(line(id, text));
  lines.refused("a", "No.");
  lines.refused("b", "No.");
  lines.taken("c", answer([17]));
  assert.deepEqual(lines.held.map(({ id }) => id), ["b"]);
});

test("tables that are typed or under way are offered no more, but in the next turn", () => {
  const lines = desk();
  lines.put(line("a", "17+21 8H CORNO 22"));
  lines.put(line("b", "8H CORNO 22", 5));
  lines.taken("a", answer([17, 21]));
  assert.deepEqual([...lines.done].sort(), [17, 21, 5]);
  lines.taken("b", answer([5]));
  lines.begin(4);
  assert.deepEqual([...lines.done], []);
});

test("what this desk typed for a table is told as what is replaced, while no other slip came between", () => {
  const lines = desk();
  lines.put(line("a", "17+21 8H CORNO 22"));
  lines.taken("a", answer([17, 21], "8H CORNO 22", 2));
  assert.equal(lines.textFor(21, 2), "8H CORNO 22");
  assert.equal(lines.textFor(21, 3), null);
  assert.equal(lines.textFor(33, 1), null);
});

test("an answer to a line of the turn before is no line of this turn", () => {
  const lines = desk();
  lines.put(line("a", "17 8H CORNO 22", null, 2));
  lines.taken("a", answer([17]));
  assert.deepEqual(lines.typed, []);
});

test("rubbish in the storage is no line", () => {
  const storage = new Storage();
  for (const rubbish of ["{not json", "null", '{"waiting": 3}']) {
    storage.setItem("multiplo.lines.CODE", rubbish);
    assert.equal(new Lines("CODE", storage).first, null);
  }
});

test("a key that begins another one waits for it, and what means nothing is passed on", () => {
  const names = ["F2", "g p", "g s", "x 1", "x 12", "d"];
  assert.equal(findKey(names, "d"), 5);
  assert.equal(findKey(names, "g"), "more");
  assert.equal(findKey(names, "g s"), 2);
  assert.equal(findKey(names, "g z"), null);
  assert.equal(findKey(names, "z"), null);
});

test("the part of a line that was refused stays, as a line of its own, until its tables are taken", () => {
  const storage = new Storage();
  const lines = desk(storage);
  lines.put(line("a", "17+99 8H CORNO 22"));
  lines.taken("a", answer([17]));
  lines.hold({ ...line("b", "99 8H CORNO 22"), sentence: "Nobody sits at table 99." });
  assert.deepEqual(desk(storage).last, { id: "b", text: "99 8H CORNO 22" });
  lines.put(line("c", "99 8H CORNO 22"));
  lines.taken("c", answer([99]));
  assert.equal(lines.last, null);
});

test("an answer is sent with the line again; that slips are in time holds for the lines of the turn", () => {
  const storage = new Storage();
  const lines = desk(storage);
  lines.put(line("a", "17 8H CORNO 22"));
  lines.answer(lines.first, "phone");
  assert.deepEqual([lines.first.answered, lines.answered], ["phone", ""]);
  lines.answer(lines.first, "closed");
  assert.deepEqual([lines.first.answered, lines.answered], ["phone,closed", "closed"]);
  assert.equal(new Lines("CODE", storage).answered, "closed");
  lines.begin(4);
  assert.equal(lines.answered, "");
});
