import assert from "node:assert/strict";
import { test } from "node:test";

import { ReconnectingSocket, waitBefore } from "../../referee/static/common/reconnecting_socket.js";

/** The browser's WebSocket, moved by hand. */
class Wire {
  static OPEN = 1;
  static all = [];

  constructor(url) {
    Object.assign(this, { url, readyState: 0, sent: [] });
    Wire.all.push(this);
  }

  opens() {
    this.readyState = 1;
  }

  says(frame) {
    this.opens();
    this.onmessage({ data: JSON.stringify(frame) });
  }

  breaks(code = 1006) {
    this.readyState = 3;
    this.onclose({ code });
  }

  send(text) {
    this.sent.push(JSON.parse(text));
  }

  close() {
    this.readyState = 3;
  }
}

function linked(t, isFinal) {
  globalThis.WebSocket = Wire;
  globalThis.location = { protocol: "http:", host: "hall" };
  Wire.all = [];
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const heard = [];
  const link = new ReconnectingSocket({ path: "/ws/phone/", onFrame: (frame) => heard.push(frame), onStatus: (...status) => heard.push(status), isFinal, random: () => 0.5 });
  link.open();
  return { link, heard, newest: () => Wire.all[Wire.all.length - 1] };
}

test("the first new try comes within three seconds, spread over the hall; later ones ever more slowly, up to 15 s", () => {
  assert.deepEqual([0, 0.5, 1].map((chance) => waitBefore(1, chance)), [0, 1500, 3000]);
  const later = [2, 3, 4, 5, 6, 20].map((attempt) => waitBefore(attempt, 1));
  assert.deepEqual(later, [2000, 4000, 8000, 15000, 15000, 15000]);
  assert.ok(waitBefore(20, 0) > 10000);
});

test("a socket that the server closes to move it is opened again within a second", () => {
  assert.deepEqual([0, 0.5, 1].map((chance) => waitBefore(1, chance, 1012)), [0, 400, 800]);
  assert.equal(waitBefore(2, 1, 1012), 2000);
});

test("messages come in as objects and go out only when the line is open", (t) => {
  const { link, heard, newest } = linked(t);
  assert.equal(newest().url, "ws://hall/ws/phone/");
  assert.equal(link.send({ t: "ping" }), false);
  newest().says({ t: "state", seq: 4 });
  assert.equal(link.send({ t: "ping" }), true);
  assert.deepEqual(newest().sent, [{ t: "ping" }]);
  assert.deepEqual(heard, [["connecting", 0], ["online", 0], { t: "state", seq: 4 }]);
});

test("a broken line comes back by itself", (t) => {
  const { heard, newest } = linked(t);
  newest().says({ t: "hello" });
  newest().breaks();
  assert.deepEqual(heard[heard.length - 1], ["offline", 0]);
  t.mock.timers.tick(1500);
  assert.equal(Wire.all.length, 2);
  newest().says({ t: "hello" });
  assert.deepEqual(heard[heard.length - 2], ["online", 0]);
});

test("tries in which nothing comes are counted, so that the page can fall back to polling", (t) => {
  const { heard, newest } = linked(t);
  newest().opens();
  newest().breaks();
  assert.deepEqual(heard[heard.length - 1], ["offline", 1]);
  t.mock.timers.tick(1500);
  newest().breaks();
  assert.deepEqual(heard[heard.length - 1], ["offline", 2]);
});

test("a try that hangs is given up", (t) => {
  const { heard } = linked(t);
  t.mock.timers.tick(8000);
  assert.deepEqual(heard[heard.length - 1], ["offline", 1]);
});

test("a code that ends it all ends it all", (t) => {
  const { heard, newest } = linked(t, (code) => code === 4001);
  newest().says({ t: "moved" });
  newest().breaks(4001);
  assert.deepEqual(heard[heard.length - 1], ["ended", 4001]);
  t.mock.timers.tick(60_000);
  assert.equal(Wire.all.length, 1);
});

test("a line that is given up for dead says nothing more, and openNow opens the next at once", (t) => {
  const { link, heard, newest } = linked(t);
  const dead = newest();
  dead.says({ t: "hello" });
  link.restart();
  assert.equal(dead.onmessage, null);
  link.openNow();
  link.openNow();
  assert.equal(Wire.all.length, 2);
  assert.deepEqual(heard[heard.length - 1], ["connecting", 0]);
});

test("when the network is back every phone takes its own moment to come back", (t) => {
  const { link, heard, newest } = linked(t);
  newest().says({ t: "hello" });
  link.reconnect();
  link.reconnect();
  assert.equal(Wire.all.length, 1);
  t.mock.timers.tick(1500);
  assert.equal(Wire.all.length, 2);
  assert.deepEqual(heard[heard.length - 1], ["connecting", 0]);
});

test("a phone that was moved to another room connects again at once to the address of this room, and then stays", (t) => {
  const { link, newest } = linked(t);
  newest().says({ t: "hello" });
  link.move("/ws/phone/?room=K7PQ3-2");
  t.mock.timers.tick(400);
  assert.equal(newest().url, "ws://hall/ws/phone/?room=K7PQ3-2");
  newest().says({ t: "hello" });
  link.move("/ws/phone/?room=K7PQ3-2");
  t.mock.timers.tick(20000);
  assert.equal(Wire.all.length, 2);
});
