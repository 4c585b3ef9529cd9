import assert from "node:assert/strict";
import { test } from "node:test";

import { ServerClock, callsBetween, display, remaining, untilNextSecond, urgency } from "../../referee/static/common/clock.js";

/** A monotonic clock that moves only when told. */
function hands(start = 1000) {
  const clock = { at: start, read: () => clock.at };
  return clock;
}

function exchange(clock, at, trip, server) {
  const sent = at.at;
  at.at += trip;
  return clock.exchange(sent, server);
}

test("the server's time counts, however wrong the phone's own clock is", () => {
  const at = hands(5000);
  const clock = new ServerClock(at.read);
  clock.hint(1_700_000_000_000);
  at.at += 2500;
  assert.equal(clock.now(), 1_700_000_002_500);
});

test("of five exchanges the one with the least round trip counts", () => {
  const at = hands(0);
  const clock = new ServerClock(at.read);
  const truth = 900_000;
  const wanted = [[400, 350], [40, 20], [300, 20], [500, 480], [90, 10]].map(([trip, there]) =>
    exchange(clock, at, trip, truth + at.at + there),
  );
  assert.deepEqual(wanted, [true, true, true, true, false]);
  assert.equal(clock.now() - at.at, truth);
});

test("the quickest way there and back of a round is known, for whoever asks how good the network is", () => {
  const at = hands(0);
  const clock = new ServerClock(at.read);
  assert.equal(clock.trip, null);
  for (const trip of [400, 39.6, 300]) exchange(clock, at, trip, 900_000);
  assert.equal(clock.trip, 40);
});

test("a new round forgets the old one, so that a phone which slept is right again", () => {
  const at = hands(0);
  const clock = new ServerClock(at.read);
  for (let n = 0; n < 5; n += 1) exchange(clock, at, 10, 1000 + at.at + 5);
  clock.remeasure();
  for (let n = 0; n < 5; n += 1) exchange(clock, at, 200, 61_000 + at.at + 100);
  assert.equal(clock.now() - at.at, 61_000);
});

test("messages never spoil a measured clock", () => {
  const at = hands(0);
  const clock = new ServerClock(at.read);
  for (let n = 0; n < 5; n += 1) exchange(clock, at, 10, 1000 + at.at + 5);
  clock.hint(999_999);
  assert.equal(clock.now() - at.at, 1000);
});

test("without a measurement the message that was the quickest counts", () => {
  const at = hands(0);
  const clock = new ServerClock(at.read);
  clock.hint(5000 - 300);
  clock.hint(5000 - 20);
  clock.hint(5000 - 700);
  assert.equal(clock.now(), 4980);
});

test("what is left follows from the deadline, and stands still in a pause", () => {
  const running = { phase: "running", deadline: 10_000, remaining_ms: null };
  assert.equal(remaining(running, 4000), 6000);
  assert.equal(remaining(running, 14_000), 0);
  assert.equal(remaining({ phase: "paused", deadline: 10_000, remaining_ms: 71_000 }, 99_000), 71_000);
  assert.equal(remaining({ phase: "closed", deadline: 10_000, remaining_ms: null }, 0), 0);
  assert.equal(remaining(null, 0), 0);
});

test("three minutes begin at 3:00, and 0:00 means over", () => {
  assert.deepEqual([180_000, 179_999, 179_000, 60_000, 59_999, 5000, 1, 0].map(display), ["3:00", "3:00", "2:59", "1:00", "1:00", "0:05", "0:01", "0:00"]);
});

test("the next tick comes when the display changes", () => {
  assert.deepEqual([1500, 1000, 1, 0].map(untilNextSecond), [500, 1000, 1, 1000]);
});

test("a call is made once, when its moment passes, and none when time jumps back", () => {
  const calls = [60, 30, 5];
  assert.deepEqual(callsBetween(60_400, 60_000, calls), [60]);
  assert.deepEqual(callsBetween(60_000, 59_000, calls), []);
  assert.deepEqual(callsBetween(29_000, 59_000, calls), []);
  assert.deepEqual(callsBetween(null, 29_000, calls), []);
  assert.deepEqual(callsBetween(61_000, 4000, calls), [60, 30, 5]);
});

test("the last two calls of a profile colour the clock, whatever they are", () => {
  assert.deepEqual([61_000, 30_000, 5000, 0].map((ms) => urgency(ms, [60, 30, 5])), ["", "soon", "last", "last"]);
  assert.equal(urgency(1000, []), "");
  assert.equal(urgency(19_000, [20]), "last");
});

/** A measured clock of a server that is 50,000 ms ahead of the page. */
function measured() {
  let page = 0;
  const clock = new ServerClock(() => page);
  const ask = (trip, ahead = 50_000) => {
    const sent = page;
    page += trip;
    return clock.exchange(sent, sent + trip / 2 + ahead);
  };
  while (ask(40));
  const at = (ms) => {
    page = ms;
  };
  return { clock, ask, at, page: () => page };
}

test("when the server's clock was set the next exchange counts at once, over a line of two seconds, too", () => {
  for (const trip of [40, 4000]) {
    const { clock, ask, page } = measured();
    ask(trip, 50_000 - 3_600_000);
    assert.equal(clock.now(), page() + 50_000 - 3_600_000);
  }
});

test("an exchange that its long trip explains changes nothing by itself", () => {
  const { clock, page, at } = measured();
  const before = clock.offset;
  const sent = page();
  at(sent + 4000);
  clock.exchange(sent, sent + 50_000 + 300); // the way there took 0.3 s, the way back 3.7 s
  assert.equal(clock.offset, before);
});

test("a message that is far from what was measured asks for a new measurement and changes nothing yet", () => {
  const { clock, page } = measured();
  assert.equal(clock.hint(page() + 50_000 - 80), false);
  assert.equal(clock.hint(page() + 50_000 + 60_000), true);
  assert.equal(clock.now(), page() + 50_000);
});
