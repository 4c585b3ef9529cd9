// Standings on the wall: ten lines beside the board, all of them page by page at the end.
import { nameText, number, percent, rankText } from "../common/text.js";

const ROWS = 12;

function make(tag, className, text) {
  return Object.assign(document.createElement(tag), { className, textContent: text || "" });
}

/** The first `count` lines, the leaders of a tie together. */
export function shortRanking(element, standings, count) {
  element.replaceChildren(...standings.slice(0, count).map((line) => {
    const row = make("li", line.solos && line.rank === 1 ? "first" : "");
    row.append(make("span", "rank", rankText(line)), make("span", "name", nameText(line)), make("span", "club", line.club));
    row.append(make("b", "total", number(line.total)), make("span", "negative", number(line.negative)));
    return row;
  }));
}

/** How many columns and lines a page has: few players get one wide column. */
export const pageShape = (players) => (players > ROWS ? { columns: 2, rows: ROWS } : { columns: 1, rows: ROWS });

/** The standings cut into pages of columns: [[[line, ...], [line, ...]], ...]; one empty page without players. */
export function pagesOf(standings) {
  const { columns, rows } = pageShape(standings.length);
  const pages = [];
  for (let at = 0; at < Math.max(1, standings.length); at += columns * rows) {
    const page = standings.slice(at, at + columns * rows);
    pages.push(Array.from({ length: columns }, (_, column) => page.slice(column * rows, (column + 1) * rows)).filter((part) => part.length));
  }
  return pages;
}

function tableOf(lines) {
  const table = make("table", "");
  const body = make("tbody", "");
  for (const line of lines) {
    const row = make("tr", line.rank && line.rank <= 3 ? `place-${line.rank}` : "");
    const name = make("th", "name");
    name.scope = "row";
    name.append(make("span", "", nameText(line)), make("small", "", line.club));
    row.append(make("td", "rank", rankText(line)), name, make("td", "total", number(line.total)), make("td", "negative", line.negative === null ? "" : number(line.negative)), make("td", "percent", percent(line.percent)));
    body.append(row);
  }
  table.append(body);
  return table;
}

/** Show one page of the final standings. */
export function showPage(element, page) {
  element.dataset.columns = String(page.length);
  element.replaceChildren(...page.map(tableOf));
}
