// Until when one may appeal, and the appeals that wait for their answer.
import assert from "node:assert/strict";
import { test } from "node:test";
import { AppealQueue, mayAppeal } from "../../referee/static/phone/appeals.js";
import { Storage } from "./storage.mjs";

test("an appeal is in time up to its limit, and always while the end is not known", () => {
  assert.equal(mayAppeal(null, 5), false);
  assert.equal(mayAppeal({ until: 10, end_minutes: 0 }, 10), true);
  assert.equal(mayAppeal({ until: 10, end_minutes: 0 }, 11), false);
  assert.equal(mayAppeal({ until: 10, end_minutes: 0 }, null), false);
  assert.equal(mayAppeal({ until: null, end_minutes: 10 }, 5), true);
});

test("an appeal outlives the page and is one a turn", () => {
  const storage = new Storage();
  const queue = new AppealQueue("K-1", storage);
  queue.put({ id: "a", game: 1, turn: 3, sentence: "" });
  queue.put({ id: "b", game: 1, turn: 3, sentence: "" });
  queue.put({ id: "c", game: 2, turn: 3, sentence: "" });
  assert.deepEqual(new AppealQueue("K-1", storage).waiting.map((one) => one.id), ["a", "c"]);
  assert.deepEqual(new AppealQueue("K-2", storage).waiting, []);
  queue.drop("a");
  assert.deepEqual(new AppealQueue("K-1", storage).waiting.map((one) => one.id), ["c"]);
});

test("a store that is full or broken keeps nobody from appealing", () => {
  const broken = { getItem: () => "{", setItem: () => { throw new Error("full"); } };
  const queue = new AppealQueue("K-1", broken);
  queue.put({ id: "a", game: 1, turn: 3 });
  assert.equal(queue.waiting.length, 1);
});
