// The entry desk: the list follows what is typed, the arrow keys choose, Enter marks the chosen player as here.
// The server renders the list; actions are posted by its own forms.
import { gettext } from "../common/text.js";

const WAIT_MS = 120;
const search = document.getElementById("arrival-search");
const line = document.getElementById("arrival-q");
const list = document.getElementById("arrivals");
const said = document.getElementById("arrival-message");
let timer = null;
let asked = 0;
let chosen = 0;

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

const address = () => `${list.dataset.address}?${new URLSearchParams(new FormData(search))}`;

/** Fetch the list for the text in the search field; only the newest answer counts. */
async function refresh() {
  const number = ++asked;
  try {
    const answer = await fetch(address(), { headers: { "HX-Request": "true" } });
    if (!answer.ok) throw new Error(String(answer.status));
    const text = await answer.text();
    if (number !== asked) return;
    list.replaceChildren(...new DOMParser().parseFromString(text, "text/html").body.childNodes);
    mark();
  } catch {
    if (number === asked) say(gettext("No connection to the server. Trying again …"), "bad-text");
  }
}

async function post(form) {
  const everywhere = form.querySelector("button");
  everywhere.disabled = true;
  try {
    const answer = await fetch(form.action, { method: "POST", body: new FormData(form), headers: { Accept: "application/json" } });
    const done = await answer.json();
    say(done.sentence, done.ok ? "" : "bad-text");
    if (done.ok) {
      line.value = "";
      chosen = 0;
    }
  } catch {
    say(gettext("The server did not answer. Nothing was changed; try again."), "bad-text");
  }
  line.focus();
  await refresh();
}

line.addEventListener("input", () => {
  chosen = 0;
  clearTimeout(timer);
  timer = setTimeout(refresh, WAIT_MS);
});
line.addEventListener("keydown", (event) => {
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  event.preventDefault();
  chosen += event.key === "ArrowDown" ? 1 : -1;
  mark();
});
search.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (!line.value.trim()) return;
  clearTimeout(timer);
  const before = chosen;
  await refresh();
  chosen = before;
  mark();
  const form = rows()[chosen]?.querySelector("form:has(.primary)");
  if (form) await post(form);
  else say(rows().length ? gettext("This player is here already.") : gettext("Nobody found: check the letters."), "bad-text");
});
list.addEventListener("submit", (event) => {
  event.preventDefault();
  post(event.target);
});
mark();
