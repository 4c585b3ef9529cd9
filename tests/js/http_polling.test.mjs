import assert from "node:assert/strict";
import { afterEach, test } from "node:test";

import { HttpPolling } from "../../referee/static/phone/http_polling.js";

let polling;
let heard;
let posts;

/** Polling against a server whose answers to posts are given by the test, with `posts[n].answer(status)`. */
function begin() {
  [heard, posts] = [[], []];
  globalThis.fetch = (_path, { method, body, signal } = {}) => {
    if (method !== "POST") return Promise.resolve({ status: 304 });
    return new Promise((resolve, reject) => {
      const { id } = JSON.parse(body);
      const answer = (status) => resolve({ status, json: async () => ({ t: "ack", id }) });
      posts.push({ id, answer, fail: () => reject(new TypeError("no network")) });
      signal.addEventListener("abort", () => reject(signal.reason));
    });
  };
  polling = new HttpPolling({ statePath: "/state", slipPath: "/slip", onFrame: ({ id }) => heard.push(id), onStatus: () => {} });
  polling.start();
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
const posted = () => posts.map(({ id }) => id);

/** An open post would keep the process alive until its time is over. */
afterEach(() => {
  polling.stop();
  for (const post of posts) post.fail();
});

test("a slip is posted when the one before it is answered, and each once", async () => {
  begin();
  assert.deepEqual(["a", "b", "a"].map((id) => polling.send({ id })), [true, true, false]);
  await settled();
  assert.deepEqual(posted(), ["a"]);
  posts[0].answer(200);
  await settled();
  assert.deepEqual(posted(), ["a", "b"]);
  posts[1].answer(200);
  await settled();
  assert.deepEqual(heard, ["a", "b"]);
  assert.equal(polling.send({ id: "a" }), true);
});

for (const [what, lose] of [["fails", (post) => post.fail()], ["has no answer", (post) => post.answer(502)]]) {
  test(`a slip does not overtake one whose request ${what}: both go out in the next round`, async () => {
    begin();
    for (const id of ["a", "b"]) polling.send({ id });
    lose(posts[0]);
    await settled();
    assert.deepEqual(posted(), ["a"]);
    for (const id of ["a", "b"]) assert.equal(polling.send({ id }), true);
    posts[1].answer(200);
    await settled();
    assert.deepEqual(posted(), ["a", "a", "b"]);
  });
}

test("a request that hangs is given up", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  begin();
  polling.send({ id: "a" });
  context.mock.timers.tick(10_000);
  await settled();
  assert.equal(polling.send({ id: "a" }), true);
  assert.deepEqual(posted(), ["a", "a"]);
});

test("without polling nothing is posted", () => {
  begin();
  polling.stop();
  assert.equal(polling.send({ id: "a" }), false);
});
