// The clock of a practice turn: counts down the time that the server gave, then sends what is written.
import { display, untilNextSecond, urgency } from "../common/clock.js";

const clock = document.getElementById("clock");
const slip = document.getElementById("slip");
const calls = clock.dataset.calls.split(",").filter(Boolean).map(Number);
const [navigation] = performance.getEntriesByType("navigation");
// The time counts from the first byte of the page, not from the end of loading.
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
