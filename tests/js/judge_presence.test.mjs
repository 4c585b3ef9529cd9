import assert from "node:assert/strict";
import test from "node:test";
import { drawPresence, presenceText } from "../../referee/static/desk/judge_presence.js";

const card = (key) => {
  const place = { textContent: "" };
  const classes = new Set();
  return {
    dataset: { question: key },
    place,
    classes,
    classList: { toggle: (name, on) => (on ? classes.add(name) : classes.delete(name)) },
    querySelector: () => place,
  };
};

test("one judge looks, several look", () => {
  assert.equal(presenceText(["Anna"]), "Anna is looking at this");
  assert.equal(presenceText(["Anna", "Berto"]), "Anna, Berto are looking at this");
});

test("each card tells who looks at it, and no more when they have gone on", () => {
  const [first, second] = [card("a"), card("b")];
  drawPresence([first, second], [{ who: "Anna", at: "a" }, { who: "Berto", at: "elsewhere" }]);
  assert.deepEqual([first.place.textContent, second.place.textContent], ["Anna is looking at this", ""]);
  assert.deepEqual([[...first.classes], [...second.classes]], [["looked-at"], []]);
  drawPresence([first, second], [{ who: "Anna", at: "b" }]);
  assert.deepEqual([first.place.textContent, second.place.textContent], ["", "Anna is looking at this"]);
  assert.deepEqual([...first.classes], []);
});
