import assert from "node:assert/strict";
import test from "node:test";
import { drawLooking, lookingText } from "../../referee/static/desk/looking.js";

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
  assert.equal(lookingText(["Anna"]), "Anna looks at this");
  assert.equal(lookingText(["Anna", "Berto"]), "Anna, Berto look at this");
});

test("each card tells who looks at it, and no more when they have gone on", () => {
  const [first, second] = [card("a"), card("b")];
  drawLooking([first, second], [{ who: "Anna", at: "a" }, { who: "Berto", at: "elsewhere" }]);
  assert.deepEqual([first.place.textContent, second.place.textContent], ["Anna looks at this", ""]);
  assert.deepEqual([[...first.classes], [...second.classes]], [["looked-at"], []]);
  drawLooking([first, second], [{ who: "Anna", at: "b" }]);
  assert.deepEqual([first.place.textContent, second.place.textContent], ["", "Anna looks at this"]);
  assert.deepEqual([...first.classes], []);
});
