// Keeps the public page up to date: fetches it again while it is visible; mostly nothing has changed.

const EVERY_MS = 30_000;
const LONGEST_MS = 300_000;
const main = document.getElementById("main");
let known = main.innerHTML;

const openTables = () => [...main.querySelectorAll("figure:has(details[open]) figcaption")].map((it) => it.textContent);

/** Replace the content by the fresh one; open tables of charts stay open. */
function show(fresh) {
  const open = new Set(openTables());
  known = fresh.innerHTML;
  main.replaceChildren(...fresh.childNodes);
  for (const figure of main.querySelectorAll("figure")) {
    if (open.has(figure.querySelector("figcaption").textContent)) figure.querySelector("details").open = true;
  }
}

/** Fetch the page once; returns the milliseconds until the next check, 0 if nothing can change any more. */
async function check() {
  if (document.hidden) return EVERY_MS;
  const answer = await fetch(location.href, { cache: "no-cache" });
  if (!answer.ok) return LONGEST_MS;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("main");
  if (fresh.innerHTML !== known) show(fresh);
  return "live" in fresh.dataset ? EVERY_MS : 0;
}

async function run(failures = 0) {
  let wait, failed = failures;
  try {
    wait = await check();
    failed = 0;
  } catch {
    failed += 1;
    wait = Math.min(EVERY_MS * 2 ** failed, LONGEST_MS);
  }
  // Random intervals, so that thousands of pages do not ask at the same moment.
  if (wait) setTimeout(run, wait * (0.8 + 0.4 * Math.random()), failed);
}

setTimeout(run, EVERY_MS * Math.random());
