// Check-in: the list follows what is typed, the arrow keys choose, Enter marks the chosen player as here.
// The server renders the list; actions are posted by its own forms. Enter empties the search field at once, so that the
// next name can be typed while the server answers: each text is kept until its player is found and marked.
import { fill, gettext } from "../common/text.js";

const WAIT_MS = 120;
const search = document.getElementById("arrival-search");
const line = document.getElementById("arrival-q");
const list = document.getElementById("arrivals");
const said = document.getElementById("arrival-message");
const waiting = [];
let timer = null;
let asked = 0;
let chosen = 0;
let moved = false;
let working = false;

const rows = () => [...list.querySelectorAll(".arrival")];

function say(sentence, kind = "") {
  said.textContent = sentence;
  said.className = `arrived-said ${kind}`;
}

function mark() {
  const all = rows();
  chosen = Math.max(0, Math.min(chosen, all.length - 1));
  for (const [at, row] of all.entries()) row.classList.toggle("chosen", at === chosen && line.value.trim() !== "");
  all[chosen]?.scrollIntoView({ block: "nearest" });
}

function address(text) {
  const fields = new URLSearchParams(new FormData(search));
  fields.set("q", text);
  return `${list.dataset.address}?${fields}`;
}

/** The list for a text, as the server renders it. */
async function fetchList(text) {
  const answer = await fetch(address(text), { headers: { "HX-Request": "true" } });
  if (!answer.ok) throw new Error(String(answer.status));
  return new DOMParser().parseFromString(await answer.text(), "text/html").body;
}

/** Show the list for the text in the search field; only the newest answer counts. */
async function refresh() {
  const number = ++asked;
  try {
    const found = await fetchList(line.value);
    if (number !== asked) return;
    list.replaceChildren(...found.childNodes);
    mark();
  } catch {
    if (number === asked) say(gettext("No connection to the server. Trying again …"), "bad-text");
  }
}

/** Send a form of the list; return whether the server has done it. */
async function post(form) {
  try {
    const answer = await fetch(form.action, { method: "POST", body: new FormData(form), headers: { Accept: "application/json" } });
    const done = await answer.json();
    say(done.sentence, done.ok ? "" : "bad-text");
    return done.ok;
  } catch {
    say(gettext("The server did not answer. Nothing was changed; try again."), "bad-text");
    return false;
  }
}

/** Mark the player whom a text means, or the one at the table that was chosen; return whether that was done. */
async function markHere({ text, table }) {
  let found;
  try {
    found = await fetchList(text);
  } catch {
    say(gettext("The server did not answer. Nothing was changed; try again."), "bad-text");
    return false;
  }
  const all = [...found.querySelectorAll(".arrival")];
  const row = table ? all.find((each) => each.dataset.table === table) : all[0];
  const form = row?.querySelector("form:has(.primary)");
  if (form) return post(form);
  const sentence = row ? gettext("%(text)s: this player is here already.") : gettext("%(text)s: nobody found. Check the letters.");
  say(fill(sentence, { text }), "bad-text");
  return false;
}

/** Work through the texts in the order in which they were typed. One that fails comes back if nothing else is typed. */
async function work() {
  if (working) return;
  working = true;
  while (waiting.length) {
    const next = waiting.shift();
    if (!(await markHere(next)) && !line.value && !waiting.length) line.value = next.text;
  }
  working = false;
  await refresh();
}

line.addEventListener("input", () => {
  chosen = 0;
  moved = false;
  clearTimeout(timer);
  timer = setTimeout(refresh, WAIT_MS);
});
line.addEventListener("keydown", (event) => {
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  event.preventDefault();
  chosen += event.key === "ArrowDown" ? 1 : -1;
  moved = true;
  mark();
});
search.addEventListener("submit", (event) => {
  event.preventDefault();
  const text = line.value.trim();
  if (!text) return;
  clearTimeout(timer);
  waiting.push({ text, table: moved ? rows()[chosen]?.dataset.table : null });
  line.value = "";
  chosen = 0;
  moved = false;
  work();
});
list.addEventListener("submit", async (event) => {
  event.preventDefault();
  const before = line.value;
  event.target.querySelector("button").disabled = true;
  line.focus();
  if ((await post(event.target)) && line.value === before) line.value = "";
  await refresh();
});
document.querySelector("#walk-in form")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (!(await post(event.target))) return;
  event.target.reset();
  await refresh();
});
mark();
