// The line for paper slips: offers the next missing table, shows how the line is read while it is typed, submits with
// Enter without waiting for the network, and keeps every line until the server has answered.
import { fill, gettext, ngettext } from "../common/text.js";
import { newId } from "../phone/queue.js";
import { beep } from "./clock_calls.js";
import { ask as askJudge } from "./questions.js";
import { Lines, contentOf, isSame, nextMissing, tablesOf } from "./unsent_lines.js";

const WAIT_MS = 120;
const AGAIN_MS = 1500;
const SHOWN = 5;
const BEGINS_WITH_TABLE = /^\s*\d+(?![a-z])/i;

const turnShown = () => Number(document.querySelector("#console .main")?.dataset.turn) || null;
const isClosed = () => document.querySelector("#console .main")?.dataset.phase === "closed";
const missingShown = () => [...document.querySelectorAll("#missing span")].map(({ textContent }) => Number(textContent));
const element = (name, properties) => Object.assign(document.createElement(name), properties);

/** Activate the entry line. */
export function watchEntry(form) {
  const line = form.querySelector("input[name=line]");
  const echo = form.querySelector("output");
  const hint = form.querySelector("#entry-hint");
  const offer = form.querySelector("#entry-offer");
  const repeats = form.querySelector("#entry-repeat");
  const resting = echo.textContent;
  const signs = hint.textContent;
  const lines = new Lines(form.dataset.desk, globalThis.sessionStorage);
  let same = { line: "", group: "", says: "" };
  let offered = null;
  let timer = null;
  let asked = 0;
  let sending = false;
  let returned = null;

  /** Show how a line is read or what became of it; `more` is a hint on what may follow, by default on the signs. */
  function say(sentence, kind, more = "") {
    echo.textContent = sentence;
    echo.className = kind;
    hint.textContent = more || signs;
  }

  const fieldsOf = (text) => ({ line: text, offered: offered ?? "", same: same.line, group: same.group, turn: turnShown() ?? "" });

  // What is offered, and what = stands for.

  function showOffer() {
    offer.hidden = offered === null;
    offer.textContent = offered ?? "";
    offer.classList.toggle("overruled", BEGINS_WITH_TABLE.test(line.value));
    repeats.hidden = !same.says;
    repeats.textContent = `= ${same.says}`;
    line.placeholder = offered === null ? line.dataset.whole : line.dataset.rest;
  }

  /** Offer a missing table: the same one while it is missing, then the next; never while something is typed. */
  function offerNext(from = offered ?? 0, step = 0) {
    if (line.value.trim()) return showOffer();
    const done = lines.done;
    const missing = missingShown().filter((table) => !done.has(table));
    if (step || !missing.includes(offered)) offered = nextMissing(missing, from, step || 1);
    showOffer();
  }

  function markGroup({ target }) {
    const group = target.closest?.("[data-question]:not(.spot)");
    if (!group) return;
    const says = [".ref", ".word"].map((part) => group.querySelector(part)?.textContent.replace(/[→↓—]/g, "").trim() ?? "");
    same = { line: "", group: group.dataset.question, says: says.filter(Boolean).join(" ") };
    showOffer();
  }

  function rememberLine(text) {
    if (isSame(text)) return;
    same = { line: text, group: "", says: contentOf(text) };
  }

  // How the typed line is read.

  async function ask() {
    const text = line.value.trim();
    const number = ++asked;
    if (!text) return say(resting, "");
    try {
      const answer = await fetch(`${form.dataset.echo}?${new URLSearchParams(fieldsOf(text))}`);
      const read = await answer.json();
      if (number === asked) say(describe(read), read.ok ? "good" : "", read.hint);
    } catch {
      if (number === asked) say(gettext("No connection to the server."), "bad-text");
    }
  }

  /** The line as it is read, and what it replaces. */
  function describe({ sentence, tables = [], replaces = "", replaced_version: version, refused = "" }) {
    const said = version && lines.textFor(tables[0], version);
    const before = said ? fill(gettext("It replaces %(slip)s."), { slip: said }) : replaces;
    return [sentence, before, refused].filter(Boolean).join(" ");
  }

  // Lines are sent in the order in which they were typed.

  function submit(text) {
    clearTimeout(timer);
    asked += 1;
    lines.begin(turnShown());
    if (returned) lines.drop(returned);
    returned = null;
    // A line typed while the clock runs was in time, even if it is sent after the close.
    lines.put({ id: newId(), ...fieldsOf(text), answered: isClosed() ? lines.answered : "closed" });
    rememberLine(text);
    const from = tablesOf(text, offered)[0] ?? offered ?? 0;
    line.value = "";
    offered = null;
    offerNext(from);
    showLines();
    send();
  }

  async function post({ id, ...fields }) {
    const token = form.querySelector("[name=csrfmiddlewaretoken]").value;
    const body = new URLSearchParams({ ...fields, line_id: id, csrfmiddlewaretoken: token });
    const answer = await fetch(form.dataset.paper, { method: "POST", body, headers: { Accept: "application/json" } });
    if (answer.status > 500) throw new Error(`${answer.status}`);
    const isJson = answer.headers.get("Content-Type")?.startsWith("application/json");
    return isJson ? answer.json() : { ok: false, sentence: gettext("The server could not take this line: load the page again and send it again.") };
  }

  async function send() {
    if (sending) return;
    sending = true;
    while (lines.first) {
      const next = lines.first;
      try {
        const answer = await post(next);
        if (answer.asks && (await isWanted(answer))) lines.answer(next, answer.asks);
        else handleAnswer(next, answer);
      } catch {
        say(waitingSentence(), "bad-text");
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      }
    }
    sending = false;
  }

  /** Ask the question of the server in the desk's dialog; then the focus is back in the line. */
  async function isWanted(question) {
    const isWanted = await askJudge({ ...question, gives: true });
    line.focus();
    return isWanted;
  }

  const waitingSentence = () =>
    fill(ngettext("No connection: %(n)s line is waiting and will be sent.", "No connection: %(n)s lines are waiting and will be sent.", lines.waiting.length), { n: lines.waiting.length });

  function handleAnswer(sent, answer) {
    if (answer.ok) lines.taken(sent.id, answer);
    else lines.refused(sent.id, answer.sentence);
    if (answer.rest) lines.hold({ ...sent, id: newId(), line: answer.rest, sentence: answer.refused });
    const isWhole = answer.ok && !answer.rest;
    if (answer.ok && same.line === sent.line) same.says = answer.said ?? same.says;
    if (!isWhole) beep();
    if (!isWhole && !line.value && !lines.waiting.length) bringBack() && line.select();
    if (!line.value.trim() || !isWhole) say([answer.sentence, answer.refused].filter(Boolean).join(" "), isWhole ? "good" : "bad-text");
    showLines();
    offerNext();
  }

  /** Put the refused line back into the field. It is also kept until it is submitted, so typing over it loses nothing. */
  function bringBack() {
    const last = lines.last;
    if (!last) return false;
    line.value = last.text;
    returned = last.id;
    showOffer();
    return true;
  }

  function giveUp() {
    if (line.value.trim() || !lines.last) return false;
    lines.drop(lines.last.id);
    return showLines();
  }

  // Refused lines, and the lines typed last.

  function showLines() {
    const held = lines.held.map(({ line: text, sentence }) => {
      const item = element("li", {});
      item.append(element("b", { textContent: text }), ` ${sentence}`);
      return item;
    });
    form.querySelector("#entry-refused").replaceChildren(...held);
    const typed = document.getElementById("typed");
    if (!typed) return;
    document.getElementById("typed-count").textContent = lines.typed.reduce((sum, { tables }) => sum + tables.length, 0);
    typed.replaceChildren(...lines.typed.slice(-SHOWN).reverse().map(({ sentence }) => element("li", { textContent: sentence })));
  }

  function showAll() {
    lines.begin(turnShown());
    showLines();
    offerNext();
  }

  const keyHandlers = {
    Enter: (event) => (line.value.trim() ? submit(line.value.trim()) : offerNext(undefined, event.shiftKey ? -1 : 1)),
    ArrowUp: () => (line.value.trim() ? false : bringBack() || offerNext(undefined, -1)),
    Delete: giveUp,
    ArrowDown: () => (line.value.trim() ? false : offerNext(undefined, 1)),
  };

  line.addEventListener("keydown", (event) => {
    if (event.isComposing || !keyHandlers[event.key] || keyHandlers[event.key](event) === false) return;
    event.preventDefault();
  });
  line.addEventListener("beforeinput", () => {
    if (line.selectionStart === 0 && line.selectionEnd === line.value.length) returned = null;
  });
  line.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(ask, WAIT_MS);
    line.value.trim() ? showOffer() : offerNext();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (line.value.trim()) submit(line.value.trim());
  });
  document.addEventListener("focusin", markGroup);
  document.body.addEventListener("multiplo:phase", () => !line.value.trim() && say(resting, ""));
  document.body.addEventListener("multiplo:slips", showAll);
  showAll();
  send();
}
