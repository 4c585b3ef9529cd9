// The clock of a turn: counts down what the server said was left, and hands in what is written when it is over.
import { display, untilNextSecond, urgency } from "../common/clock.js";

const clock = document.getElementById("clock");
const slip = document.getElementById("slip");
const calls = clock.dataset.calls.split(",").filter(Boolean).map(Number);
const [navigation] = performance.getEntriesByType("navigation");
// The page was on its way for a while: the time counts from its first byte.
const end = (navigation ? navigation.responseStart : 0) + Number(clock.dataset.left);

function tick() {
  const left = Math.max(0, end - performance.now());
  clock.textContent = display(left);
  clock.className = `clock ${urgency(left, calls)}`;
  if (left > 0) setTimeout(tick, untilNextSecond(left));
  else if (slip.elements.word.value.trim()) slip.requestSubmit();
  else setTimeout(() => location.reload(), 2500);
}

document.getElementById("until").hidden = true;
slip.addEventListener("submit", () => slip.querySelector("button").setAttribute("disabled", ""));
tick();
