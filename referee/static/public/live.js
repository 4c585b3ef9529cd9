// Brings the public page up to date: asks for it anew while it is looked at; the answer is mostly that nothing changed.

const EVERY_MS = 30_000;
const LONGEST_MS = 300_000;
const main = document.getElementById("main");
let known = main.innerHTML;

const openTables = () => [...main.querySelectorAll("figure:has(details[open]) figcaption")].map((it) => it.textContent);

/** Put the new page in the place of the old one; tables of charts that were open stay so. */
function show(fresh) {
  const open = new Set(openTables());
  known = fresh.innerHTML;
  main.replaceChildren(...fresh.childNodes);
  for (const figure of main.querySelectorAll("figure")) {
    if (open.has(figure.querySelector("figcaption").textContent)) figure.querySelector("details").open = true;
  }
}

/** Look once; gives the milliseconds until the next look, 0 when there will be nothing new. */
async function look() {
  if (document.hidden) return EVERY_MS;
  const answer = await fetch(location.href, { cache: "no-cache" });
  if (!answer.ok) return LONGEST_MS;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("main");
  if (fresh.innerHTML !== known) show(fresh);
  return "live" in fresh.dataset ? EVERY_MS : 0;
}

async function goOn(failures = 0) {
  let wait, failed = failures;
  try {
    wait = await look();
    failed = 0;
  } catch {
    failed += 1;
    wait = Math.min(EVERY_MS * 2 ** failed, LONGEST_MS);
  }
  // Somewhat apart, so that thousands of pages do not ask in the same moment.
  if (wait) setTimeout(goOn, wait * (0.8 + 0.4 * Math.random()), failed);
}

setTimeout(goOn, EVERY_MS * Math.random());
