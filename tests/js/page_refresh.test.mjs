import assert from "node:assert/strict";
import { test } from "node:test";

import { emptyDraft } from "../../referee/static/phone/draft.js";
import { PageRefresh, isSafe } from "../../referee/static/phone/page_refresh.js";
import { START, reduce } from "../../referee/static/phone/state.js";
import { Storage } from "./storage.mjs";

const slip = { id: "a", turn: 5, word: "CASA", ref: "8H", score: 12 };
const draft = { ...emptyDraft(5), word: "CASA", ref: "8H", score: "12" };
const calm = { waiting: [], draft: emptyDraft(5), slip: null, writable: true };

function renewing(storage = new Storage()) {
  const reload = () => {
    pageRefresh.reloads = (pageRefresh.reloads || 0) + 1;
  };
  const pageRefresh = new PageRefresh({ storage, reload });
  return pageRefresh;
}

test("a reload loses nothing while nothing is written, or what is written is handed in", () => {
  assert.ok(isSafe(calm));
  assert.ok(isSafe({ ...calm, draft, slip }));
  assert.ok(isSafe({ ...calm, draft, writable: false }), "the time is up: the draft counts no more");
});

test("a draft that is not handed in, or was changed since, keeps the page as it is", () => {
  assert.ok(!isSafe({ ...calm, draft }));
  assert.ok(!isSafe({ ...calm, draft: { ...draft, score: "13" }, slip }));
});

test("a slip that waits for its answer keeps the page as it is, whatever the screen", () => {
  assert.ok(!isSafe({ ...calm, waiting: [slip] }));
  assert.ok(!isSafe({ ...calm, waiting: [slip], writable: false }));
});

test("a page that nobody called outdated does not reload", () => {
  const pageRefresh = renewing();
  assert.equal(pageRefresh.reloadIfWanted(), false);
  assert.equal(pageRefresh.reloads, undefined);
});

test("an outdated page reloads once, and a copy from a cache does not do it again", () => {
  const storage = new Storage();
  const pageRefresh = renewing(storage);
  pageRefresh.request(2);
  assert.equal(pageRefresh.reloadIfWanted(), true);
  assert.equal(pageRefresh.reloadIfWanted(), false);
  const cached = renewing(storage);
  cached.request(2);
  assert.equal(cached.reloadIfWanted(), false);
  assert.equal(cached.reloads, undefined);
});

test("the next version reloads it again", () => {
  const storage = new Storage();
  for (const version of [2, 3]) {
    const pageRefresh = renewing(storage);
    pageRefresh.request(version);
    assert.equal(pageRefresh.reloadIfWanted(), true);
  }
});

test("a browser that remembers nothing does not reload by itself, for it would never end", () => {
  for (const storage of [new Storage(0), { getItem: () => null, setItem: () => {} }]) {
    const pageRefresh = renewing(storage);
    pageRefresh.request(2);
    assert.equal(pageRefresh.reloadIfWanted(), false);
    assert.equal(pageRefresh.reloads, undefined);
  }
});

test("what the server says about an old page stays in the state", () => {
  const told = reduce(START, { t: "outdated", v: 2, text: "Load it anew." });
  assert.equal(told.outdated, "Load it anew.");
  assert.equal(START.outdated, "");
});

test("kinds and fields of a newer server change nothing here", () => {
  assert.equal(reduce(START, { t: "weather", sun: true }), START);
  const shown = reduce(START, { t: "state", seq: 3, now: 1, view: { turn: 1, phase: "drawn", sun: true }, moon: 1 });
  assert.deepEqual([shown.seq, shown.view.turn, shown.moon], [3, 1, undefined]);
});
