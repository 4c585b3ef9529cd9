// Standings on the wall: the first lines beside the board; at the end the podium, and all lines page by page.
import { fill, gettext, nameText, number, percent, rankText } from "../common/text.js";

const MOST_IN_COLUMN = 22;

function make(tag, className, text) {
  return Object.assign(document.createElement(tag), { className, textContent: text || "" });
}

function header(className, text) {
  return Object.assign(make("th", className, text), { scope: "col" });
}

function nameCell(line) {
  const cell = Object.assign(make("th", "name", nameText(line)), { scope: "row" });
  if (line.club) cell.append(make("small", "", line.club));
  return cell;
}

/** Fill `body` with the first `count` lines; a leader stands out if there is only one. */
export function shortRanking(body, standings, count) {
  const alone = standings.filter((line) => line.rank === 1).length === 1;
  body.replaceChildren(...standings.slice(0, count).map((line) => {
    const row = make("tr", alone && line.rank === 1 ? "lead-line" : "");
    row.append(make("td", "rank", rankText(line)), Object.assign(make("th", "", nameText(line)), { scope: "row" }), make("td", "total", number(line.total)));
    return row;
  }));
}

/** The lines on the podium: the first three with a rank. */
export const podiumOf = (standings) => standings.filter((line) => line.rank !== null && line.rank <= 3).slice(0, 3);

/** The lines cut into pages of one or two columns: [[[line, ...], [line, ...]], ...]; one empty page without lines. */
export function pagesOf(lines) {
  const columns = lines.length > MOST_IN_COLUMN ? 2 : 1;
  const count = Math.max(1, Math.ceil(lines.length / (columns * MOST_IN_COLUMN)));
  const rows = Math.ceil(lines.length / (count * columns));
  return Array.from({ length: count }, (_, page) =>
    Array.from({ length: columns }, (_, column) => {
      const at = (page * columns + column) * rows;
      return lines.slice(at, at + rows);
    }).filter((part) => part.length),
  );
}

/** "Anna Rossi wins!", or for equal first places "Anna Rossi and Bruno Neri win!"; "" without a winner. */
export function winnersText(standings) {
  const names = standings.filter((line) => line.rank === 1).map(nameText);
  if (!names.length) return "";
  if (names.length === 1) return fill(gettext("%(name)s wins!"), { name: names[0] });
  const language = globalThis.document?.documentElement.lang || undefined;
  return fill(gettext("%(names)s win!"), { names: new Intl.ListFormat(language, { type: "conjunction" }).format(names) });
}

const SIDES = ["in-middle", "on-left", "on-right"];

/** Draw the podium: the winner in the middle. */
export function showPodium(element, lines) {
  element.replaceChildren(...lines.map((line, index) => {
    const place = make("li", `place-${line.rank} ${SIDES[index]}`);
    place.append(make("b", "name", nameText(line)), make("span", "total", number(line.total)), make("span", "percent", percent(line.percent)), make("span", "step", number(line.rank)));
    return place;
  }));
}

function tableOf(lines) {
  const [table, head, body] = [make("table", ""), make("thead", ""), make("tbody", "")];
  const headings = make("tr", "");
  headings.append(header("rank", gettext("Rank")), header("name", gettext("Player")), header("total", gettext("Total")), header("percent", "%"));
  head.append(headings);
  for (const line of lines) {
    const row = make("tr", "");
    row.append(make("td", "rank", rankText(line)), nameCell(line), make("td", "total", number(line.total)), make("td", "percent", percent(line.percent)));
    body.append(row);
  }
  table.append(head, body);
  return table;
}

/** Show one page of lines in `element`. */
export function showPage(element, page) {
  element.style.setProperty("--n", String(Math.max(1, ...page.map((column) => column.length))));
  element.replaceChildren(...page.map(tableOf));
}
