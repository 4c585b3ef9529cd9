// Between turns, the wall alternates between its screen and the first ranking of the season, if a judge switched it on.
// Before the first turn and after the last one the ranking fills the screen, page by page; beside the board it takes the
// place of the standings.
import { pagesOf } from "./ranking.js";

const SCREEN_MS = 14000;
const PAGE_MS = 8000;
const LINES_BESIDE_BOARD = 7;
const LINES_BELOW_SOLO = 4;
const FULL_SCREENS = ["lobby", "finished"];
const wall = document.getElementById("wall");
const full = document.getElementById("season");
const beside = document.getElementById("season-beside");
let timer = null;
let shown = "";

function make(tag, className, text) {
  return Object.assign(document.createElement(tag), { className, textContent: text || "" });
}

function rowOf(line) {
  const row = make("tr", "");
  const name = Object.assign(make("th", "name", line.name), { scope: "row" });
  if (line.group) name.append(make("small", "", line.group));
  row.append(make("td", "rank", line.rank), name, make("td", "total", line.value));
  return row;
}

function headOf({ rank, member, value }) {
  const [head, row] = [make("thead", ""), make("tr", "")];
  const cells = [make("th", "rank", rank), make("th", "name", member), make("th", "total", value)];
  row.append(...cells.map((cell) => Object.assign(cell, { scope: "col" })));
  head.append(row);
  return head;
}

function tableOf(lines, season) {
  const [table, body] = [make("table", ""), make("tbody", "")];
  body.append(...lines.map(rowOf));
  table.append(headOf(season), body);
  return table;
}

function fillTexts(section, season) {
  for (const name of ["title", "events", "note"]) {
    const element = section.querySelector(`[data-season-text="${name}"]`);
    element.textContent = season[name];
    element.hidden = !season[name];
  }
}

function showPage(page, season) {
  full.dataset.columns = String(page.length);
  const lines = full.querySelector(".lines");
  lines.style.setProperty("--n", String(Math.max(1, ...page.map((column) => column.length))));
  lines.replaceChildren(...page.map((column) => tableOf(column, season)));
}

/** Show the ranking instead of the screen, or the screen again. */
function alternate(season, pages, at) {
  const isScreen = at < 0;
  wall.classList.toggle("with-season", !isScreen && pages.length > 0);
  full.hidden = isScreen || !pages.length;
  beside.hidden = isScreen || pages.length > 0;
  wall.classList.toggle("with-season-beside", !beside.hidden);
  if (!isScreen && pages.length) showPage(pages[at], season);
  const following = isScreen ? 0 : at + 1 < pages.length ? at + 1 : -1;
  timer = setTimeout(() => alternate(season, pages, following), isScreen ? SCREEN_MS : PAGE_MS);
}

function stop() {
  clearTimeout(timer);
  full.hidden = beside.hidden = true;
  wall.classList.remove("with-season", "with-season-beside");
}

async function begin(screen) {
  let season;
  try {
    const answer = await fetch(full.dataset.source);
    if (!answer.ok) return;
    season = await answer.json();
  } catch {
    return; // no connection: the screen stays
  }
  if (!season.lines.length || shown !== screen) return;
  const pages = FULL_SCREENS.includes(screen) ? pagesOf(season.lines) : [];
  const section = pages.length ? full : beside;
  fillTexts(section, season);
  const most = document.querySelector("#top-move.solo:not([hidden])") ? LINES_BELOW_SOLO : LINES_BESIDE_BOARD;
  if (!pages.length) beside.querySelector("tbody").replaceChildren(...season.lines.slice(0, most).map(rowOf));
  alternate(season, pages, -1);
}

function follow() {
  const screen = wall.hasAttribute("data-season") ? wall.dataset.screen : "";
  if (screen === shown) return;
  stop();
  shown = screen;
  if (screen) begin(screen);
}

new MutationObserver(follow).observe(wall, { attributeFilter: ["data-screen", "data-season"] });
