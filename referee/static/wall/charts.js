// After a move is shown, the ranking gives its place now and then to who had the top and what was written most.
const EVERY_MS = 9000;
const wall = document.getElementById("wall");
const place = document.getElementById("charts");
let turning = null;

function show(charts) {
  wall.classList.toggle("with-charts", charts);
  place.hidden = !charts;
}

function stop() {
  clearInterval(turning);
  turning = null;
  show(false);
}

async function begin() {
  try {
    const answer = await fetch(place.dataset.source);
    if (!answer.ok || wall.dataset.screen !== "placed") return;
    const part = new DOMParser().parseFromString(await answer.text(), "text/html");
    place.replaceChildren(...part.body.childNodes);
  } catch {
    return; // without a line the ranking stays
  }
  if (!place.childElementCount || turning) return;
  turning = setInterval(() => show(place.hidden), EVERY_MS);
}

new MutationObserver(() => {
  stop();
  if (wall.dataset.screen === "placed") begin();
}).observe(wall, { attributeFilter: ["data-screen"] });
