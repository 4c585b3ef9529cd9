import assert from "node:assert/strict";
import { test } from "node:test";

import { DraftStore, draftOf, emptyDraft, isEmpty, sameText } from "../../referee/static/phone/draft.js";
import { SlipQueue, frameOf, newId } from "../../referee/static/phone/queue.js";
import { Storage } from "./storage.mjs";

const slip = (id, turn, word = "CASA") => ({ id, turn, word, ref: "8H", direction: "across", score: 12, sent: 1 });

test("an id is a UUID of version 4, made without a secure context", () => {
  const ids = new Set(Array.from({ length: 200 }, () => newId()));
  assert.equal(ids.size, 200);
  for (const id of ids) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test("a slip that was not acknowledged is there with the same id after a reload", () => {
  const storage = new Storage();
  new SlipQueue("CODE-17", storage).put(slip("a", 5));
  const reloaded = new SlipQueue("CODE-17", storage);
  assert.deepEqual(reloaded.waiting, [slip("a", 5)]);
  assert.deepEqual(frameOf(reloaded.of(5)), { t: "slip", hook: "", ...slip("a", 5) });
});

test("an acknowledged slip is gone for good, and a second acknowledgement does nothing", () => {
  const storage = new Storage();
  const queue = new SlipQueue("k", storage);
  queue.put(slip("a", 5));
  assert.equal(queue.acknowledged("a").word, "CASA");
  assert.equal(queue.acknowledged("a"), null);
  assert.deepEqual(new SlipQueue("k", storage).waiting, []);
});

/** Send all waiting slips of a queue; returns their ids in the order in which they went out. */
function sendAll(queue) {
  const sent = [];
  queue.sendAll(({ id }) => sent.push(id));
  return sent;
}

test("a newer slip of the same turn takes the place of one that was never sent, another turn's stays", () => {
  const queue = new SlipQueue("k", new Storage());
  queue.put(slip("a", 4));
  queue.put(slip("b", 5));
  queue.put(slip("c", 5, "CASE"));
  assert.deepEqual(queue.waiting.map(({ id }) => id), ["a", "c"]);
});

test("a slip that was sent and not answered is sent again before the newer one, also after a reload", () => {
  const storage = new Storage();
  const queue = new SlipQueue("k", storage);
  queue.put(slip("a", 5));
  assert.deepEqual(sendAll(queue), ["a"]);
  queue.put(slip("b", 5, "CASE"));
  queue.put(slip("c", 5, "CASI"));
  assert.equal(queue.of(5).id, "c");
  assert.deepEqual(sendAll(new SlipQueue("k", storage)), ["a", "c"]);
});

test("a slip that could not go out is not one that was sent", () => {
  const queue = new SlipQueue("k", new Storage());
  queue.put(slip("a", 5));
  assert.equal(queue.sendAll(() => false), false);
  queue.put(slip("b", 5));
  assert.deepEqual(sendAll(queue), ["b"]);
});

test("a slip of which each copy was refused until later gives way to a newer one", () => {
  const queue = new SlipQueue("k", new Storage());
  queue.put(slip("a", 5));
  sendAll(queue);
  sendAll(queue);
  queue.postponed("a");
  queue.put(slip("b", 5));
  assert.deepEqual(queue.waiting.map(({ id }) => id), ["a", "b"], "one copy of it has no answer");
  queue.postponed("a");
  queue.put(slip("c", 5));
  assert.deepEqual(queue.waiting.map(({ id }) => id), ["c"]);
});

test("an acknowledged slip takes the older ones of its turn with it, and leaves the newer", () => {
  const queue = new SlipQueue("k", new Storage());
  for (const [id, turn] of [["z", 4], ["a", 5], ["b", 5], ["c", 5]]) {
    queue.put(slip(id, turn));
    sendAll(queue);
  }
  assert.equal(queue.acknowledged("b", 2, VIEW).id, "b");
  assert.deepEqual(queue.waiting.map(({ id }) => id), ["z", "c"]);
  assert.equal(queue.acknowledged("a", 1, VIEW), null);
  assert.equal(queue.kept.slip.id, "b");
});

test("a slip that is refused for good is dropped", () => {
  const queue = new SlipQueue("k", new Storage());
  queue.put(slip("a", 5));
  assert.equal(queue.refused("somebody else's"), null);
  assert.equal(queue.refused("a").id, "a");
  assert.deepEqual(queue.waiting, []);
});

test("two seats in one browser do not mix their slips", () => {
  const storage = new Storage();
  new SlipQueue("CODE-17", storage).put(slip("a", 5));
  assert.deepEqual(new SlipQueue("CODE-18", storage).waiting, []);
});

test("a browser that cannot keep anything still sends", () => {
  const queue = new SlipQueue("k", new Storage(0));
  queue.put(slip("a", 5));
  assert.equal(queue.of(5).id, "a");
});

test("rubbish in the storage is no slip", () => {
  const storage = new Storage();
  storage.setItem("multiplo.slips.k", "{not json");
  assert.deepEqual(new SlipQueue("k", storage).waiting, []);
  storage.setItem("multiplo.slips.k", '[null, {"word": "X"}]');
  assert.deepEqual(new SlipQueue("k", storage).waiting, []);
});

test("a draft survives a reload, and is not taken for another turn", () => {
  const storage = new Storage();
  const draft = { ...emptyDraft(5), word: "CAsA", ref: "8H", score: "12" };
  new DraftStore("CODE-17", storage).save(draft);
  assert.deepEqual(new DraftStore("CODE-17", storage).load(5), draft);
  assert.ok(isEmpty(new DraftStore("CODE-17", storage).load(6)));
  assert.ok(isEmpty(new DraftStore("CODE-17", new Storage(0)).load(5)));
});

test("a sent slip as a draft says the same as the draft it came from", () => {
  const draft = { ...emptyDraft(5), word: "CASA", ref: "8H", score: "" };
  assert.ok(sameText(draftOf({ turn: 5, word: "CASA", ref: "8H", score: null }), draft));
  assert.ok(!sameText(draftOf({ turn: 5, word: "CASA", ref: "8H", score: 0 }), draft), "zero was written, nothing was not");
});

const VIEW = { turn: 5, game_number: 1, rack: "CASETRO" };

/** A phone whose slip "b" was acknowledged as version 2 of turn 5. */
function acknowledged(storage = new Storage()) {
  const queue = new SlipQueue("k", storage);
  queue.put(slip("b", 5));
  queue.acknowledged("b", 2, VIEW);
  return queue;
}

test("a server that lost an acknowledged slip gets it again with its id, also after a reload of the page", () => {
  const storage = new Storage();
  acknowledged(storage);
  const queue = new SlipQueue("k", storage);
  assert.equal(queue.recall(VIEW, null), true);
  assert.deepEqual(queue.waiting, [slip("b", 5)]);
  const other = acknowledged();
  assert.equal(other.recall(VIEW, { version: 1 }), true, "it has an earlier one only");
});

test("a server that has the slip, or a later one on paper, is not sent it again", () => {
  assert.equal(acknowledged().recall(VIEW, { version: 2 }), false);
  assert.equal(acknowledged().recall(VIEW, { version: 3 }), false);
  assert.equal(new SlipQueue("k", new Storage()).recall(VIEW, null), false);
});

test("a slip is never sent again into another turn, another game or for another rack", () => {
  for (const other of [{ turn: 6 }, { game_number: 2 }, { rack: "OTHERRK" }]) {
    const queue = acknowledged();
    assert.equal(queue.recall({ ...VIEW, ...other }, null), false);
    assert.deepEqual(queue.waiting, []);
  }
});

test("a slip that waits already is not replaced by the one that was acknowledged", () => {
  const queue = acknowledged();
  queue.put(slip("c", 5, "CASE"));
  assert.equal(queue.recall(VIEW, null), false);
  assert.deepEqual(queue.waiting, [slip("c", 5, "CASE")]);
});

test("a kept slip that cannot be read is none", () => {
  const storage = new Storage();
  storage.setItem("multiplo.kept.k", "{not json");
  assert.equal(new SlipQueue("k", storage).recall(VIEW, null), false);
});
