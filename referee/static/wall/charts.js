// After a move is placed, the wall alternates between the ranking and a panel with the tops and the most played words.
const EVERY_MS = 9000;
const wall = document.getElementById("wall");
const panel = document.getElementById("charts");
let timer = null;

function show(charts) {
  wall.classList.toggle("with-charts", charts);
  panel.hidden = !charts;
}

function stop() {
  clearInterval(timer);
  timer = null;
  show(false);
}

async function begin() {
  try {
    const answer = await fetch(panel.dataset.source);
    if (!answer.ok || wall.dataset.screen !== "placed") return;
    const part = new DOMParser().parseFromString(await answer.text(), "text/html");
    panel.replaceChildren(...part.body.childNodes);
  } catch {
    return; // no connection: the ranking stays
  }
  if (!panel.childElementCount || timer) return;
  timer = setInterval(() => show(panel.hidden), EVERY_MS);
}

new MutationObserver(() => {
  stop();
  if (wall.dataset.screen === "placed") begin();
}).observe(wall, { attributeFilter: ["data-screen"] });
