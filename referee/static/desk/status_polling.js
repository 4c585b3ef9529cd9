// Parts of the desk that are polled: the health line, and the paper slips that were typed once or in two ways.

const HEALTH_MS = 5000;
const TYPINGS_MS = 3000;

const isSeen = () => document.visibilityState === "visible";

/** Write only changed text, so that screen readers read nothing twice. */
function write(element, text) {
  if (element && element.textContent !== text) element.textContent = text;
}

function show(section, { mood, told, numbers, tables, lights }) {
  section.dataset.level = mood;
  write(section.querySelector("#health-summary"), told);
  write(section.querySelector("#health-numbers"), numbers);
  for (const { name, mood: how, text } of lights) {
    const row = section.querySelector(`[data-light="${name}"]`);
    if (!row) continue;
    row.dataset.level = how;
    write(row.querySelector("dd"), text);
  }
  const list = section.querySelector('[data-light="tables"]');
  list.hidden = !tables.length;
  write(list.querySelector("dd"), tables.join(", "));
}

async function askHealth(section) {
  if (!isSeen()) return;
  const query = section.querySelector("details").open ? "?tables" : "";
  try {
    const answer = await fetch(section.dataset.source + query, { headers: { Accept: "application/json" } });
    if (answer.ok) show(section, await answer.json());
  } catch {
    // No connection: the header of the page says so.
  }
}

/** Update the list of typings, unless the focus is in one of its fields. */
async function askTypings() {
  const list = document.getElementById("typings");
  if (!list || !isSeen() || list.contains(document.activeElement)) return;
  try {
    const answer = await fetch(list.dataset.source, { headers: { "HX-Request": "true" } });
    if (!answer.ok || !list.isConnected || list.contains(document.activeElement)) return;
    const text = await answer.text();
    if (text.trim() === list.dataset.last) return;
    const fresh = new DOMParser().parseFromString(text, "text/html").getElementById("typings");
    if (!fresh) return void list.remove();
    fresh.dataset.last = text.trim();
    list.replaceWith(fresh);
    window.htmx.process(fresh);
  } catch {
    // Tried again with the next poll.
  }
}

const section = document.getElementById("health");
if (section) {
  askHealth(section);
  setInterval(() => askHealth(section), HEALTH_MS);
  section.querySelector("details").addEventListener("toggle", () => askHealth(section));
  document.addEventListener("visibilitychange", () => askHealth(section));
  setInterval(askTypings, TYPINGS_MS);
}
