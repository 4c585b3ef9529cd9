// The board and the rack, drawn the same way on desk, phone and wall (board.css).
import { SIZE, arrow, edgeLabels, formatReference } from "./reference.js";
import { faces, grid, isBlank } from "./tiles.js";
import { fill, gettext, ngettext, pgettext } from "./text.js";
import { wordLabel, wordsOn } from "./board_words.js";

const QUARTER = ["t..2...t", ".d...3..", "..d...2.", "2..d...2", "....d...", ".3...3..", "..2...2.", "t..2...d"];
const mirrored = (line) => [...line, ...line.slice(0, -1).reverse()];

/** The 15 rows of the standard board: 2 and 3 multiply the letter, d and t the word. */
export const STANDARD_PREMIUMS = mirrored(QUARTER.map((row) => mirrored([...row]).join("")));

const CLASSES = { 2: "dl", 3: "tl", d: "dw", t: "tw" };
const signs = () => ({
  2: pgettext("on a square: double letter", "2L"),
  3: pgettext("on a square: triple letter", "3L"),
  d: pgettext("on a square: double word", "2W"),
  t: pgettext("on a square: triple word", "3W"),
});
const spoken = () => ({
  2: gettext("double letter"),
  3: gettext("triple letter"),
  d: gettext("double word"),
  t: gettext("triple word"),
});

function make(tag, className, text) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text) element.textContent = text;
  return element;
}

/** Hide an element from screen readers: the label of the square, tile or board around it says the same. */
function hidden(element) {
  element.setAttribute("aria-hidden", "true");
  return element;
}

const tileValue = (face, values) => (isBlank(face) ? 0 : values[face]);

/** A tile in words: "A, 1 point", "S, a blank". */
export function tileInWords(face, values) {
  if (face === "?") return gettext("blank");
  if (isBlank(face)) return fill(gettext("%(letter)s, a blank"), { letter: face.toUpperCase() });
  const points = tileValue(face, values) || 0;
  return fill(ngettext("%(letter)s, %(points)s point", "%(letter)s, %(points)s points", points), { letter: face, points });
}

/** The value in the corner. The style sheet draws it, so screen readers read the letters without it. */
function valueSign(value) {
  const sign = make("sub", value > 9 ? "wide" : "");
  sign.dataset.value = String(value);
  return sign;
}

function fillTile(square, face, values) {
  const letter = face === "?" ? "" : face.toUpperCase();
  const value = tileValue(face, values);
  square.dataset.length = String(letter.length);
  const shown = hidden(make("span", "face"));
  shown.append(make("b", "", letter));
  if (!isBlank(face) && value !== undefined) shown.append(valueSign(value));
  square.replaceChildren(shown);
}

function createBoard() {
  const board = make("div", "board");
  const squares = [];
  for (let row = -1; row < SIZE; row += 1) {
    const line = make("div", "line");
    for (let column = -1; column < SIZE; column += 1) {
      const edge = row < 0 || column < 0;
      const square = make("span", edge ? "edge" : "square");
      if (edge) square.setAttribute("aria-hidden", "true");
      else {
        square.dataset.at = `${row},${column}`;
        squares.push(square);
      }
      line.append(square);
    }
    board.append(line);
  }
  return { board, squares, list: make("ul", "words-on-board visually-hidden"), drawn: [], edges: "" };
}

const frames = new WeakMap();
const racks = new WeakMap();

function labelEdges(kept, notation) {
  if (kept.edges === notation) return;
  const { rows, columns } = edgeLabels(notation);
  const lines = [...kept.board.children];
  columns.forEach((label, column) => {
    lines[0].children[column + 1].textContent = label;
  });
  rows.forEach((label, row) => {
    lines[row + 1].children[0].textContent = label;
  });
  kept.edges = notation;
}

/** The content of a square: {face, className, text}; `text` is for a square without a tile. */
function squareContent(row, column, { squares, fresh, ghosts, asked, cursor, premiums }) {
  const at = `${row},${column}`;
  const face = squares[row][column];
  const premium = premiums[row][column];
  const classes = ["square", CLASSES[premium]];
  const ghost = ghosts.get(at);
  const [askedFace, marks] = asked.get(at) ?? [];
  if (row === 7 && column === 7) classes.push("centre");
  if (marks) classes.push("asked", ...marks.split(" "));
  if (face) {
    classes.push("tile", isBlank(face) && "blank", fresh.has(at) && "new", ghost !== undefined && "passed");
    return { face, premium, className: classes.filter(Boolean).join(" ") };
  }
  if (askedFace) {
    classes.push("tile", isBlank(askedFace) && "blank");
    return { face: askedFace, premium, className: classes.filter(Boolean).join(" ") };
  }
  if (ghost) {
    classes.push("tile", "ghost", isBlank(ghost) && "blank");
    return { face: ghost, premium, className: classes.filter(Boolean).join(" ") };
  }
  const starts = cursor && cursor.row === row && cursor.column === column;
  if (starts) classes.push("start");
  const text = starts ? arrow(cursor.across) : row === 7 && column === 7 ? "★" : signs()[premium] || "";
  return { face: "", premium, text, className: classes.filter(Boolean).join(" ") };
}

function drawSquare(square, content, values) {
  square.className = content.className;
  if (content.face) return fillTile(square, content.face, values);
  delete square.dataset.length;
  square.replaceChildren(hidden(make("span", "face", content.text)));
}

function announceWords(kept, squares, notation) {
  const words = wordsOn(squares).map((found) => wordLabel(found, notation));
  kept.list.replaceChildren(...words.map((word) => make("li", "", word)));
  const label = words.length
    ? fill(ngettext("The board with %(count)s word", "The board with %(count)s words", words.length), { count: words.length })
    : gettext("The empty board");
  kept.board.setAttribute("aria-label", label);
}

/** A square in words, for a board with `onPick`: "8H, 2W, double word" or "8H: O, 1 point". */
function squareInWords(row, column, content, notation, values) {
  const name = formatReference({ row, column, across: true }, notation);
  if (content.face) return `${name}: ${tileInWords(content.face, values)}`;
  return content.premium === "." ? name : `${name}, ${signs()[content.premium]}, ${spoken()[content.premium]}`;
}

/**
 * Draw a board into `element`, or update the one that is there.
 *
 * `board`: 15 rows of tile text (`.` empty, lower case a blank, `[L·L]` one tile); `values`: points by face;
 * `notation`: "8H" or "H8", which labels the edges; `fresh`: [[row, column], ...] to highlight;
 * `premiums`: 15 rows of `.23dt`, the standard board without; `ghosts`: [[row, column, face], ...] not yet played;
 * `asked`: [[row, column, face, marks], ...] of the slip that a judge looks at, with classes as marks;
 * `cursor`: {row, column, across} shown as an arrow; `onPick(row, column)`: called for the square that is tapped, or
 * chosen with the arrow keys and Enter. Rows and columns count from 0.
 */
export function drawBoard(element, { board, values = {}, notation = "8H", fresh = [], premiums = null, ghosts = [], asked = [], cursor = null, onPick = null }) {
  let kept = frames.get(element);
  if (!kept) {
    kept = createBoard();
    frames.set(element, kept);
    element.replaceChildren(kept.board, kept.list);
    kept.board.setAttribute("role", onPick ? "grid" : "img");
    if (onPick) makePickable(kept, onPick);
  }
  labelEdges(kept, notation);
  const squares = grid(board);
  const position = {
    squares,
    cursor,
    premiums: premiums || STANDARD_PREMIUMS,
    fresh: new Set(fresh.map(String)),
    asked: new Map(asked.map(([row, column, face, marks]) => [`${row},${column}`, [face, marks]])),
    ghosts: new Map(ghosts.map(([row, column, face]) => [`${row},${column}`, face])),
  };
  kept.squares.forEach((square, index) => {
    const [row, column] = [Math.floor(index / SIZE), index % SIZE];
    const content = squareContent(row, column, position);
    const label = onPick ? squareInWords(row, column, content, notation, values) : "";
    const key = [content.className, content.face, content.text, values[content.face], label].join("|");
    if (kept.drawn[index] === key) return;
    kept.drawn[index] = key;
    drawSquare(square, content, values);
    if (label) square.setAttribute("aria-label", label);
  });
  announceWords(kept, squares, notation);
}

const STEPS = { ArrowUp: -SIZE, ArrowDown: SIZE, ArrowLeft: -1, ArrowRight: 1 };

function stepFrom(index, key) {
  const next = index + STEPS[key];
  const sameRow = Math.floor(next / SIZE) === Math.floor(index / SIZE);
  const inside = next >= 0 && next < SIZE * SIZE && (Math.abs(STEPS[key]) > 1 || sameRow);
  return inside ? next : index;
}

/** Let squares be chosen by tapping, or with the arrow keys and Enter; Tab reaches one square at a time. */
function makePickable(kept, onPick) {
  const { board, squares } = kept;
  for (const [row, line] of [...board.children].entries()) line.setAttribute("role", row ? "row" : "presentation");
  squares.forEach((square, index) => {
    square.setAttribute("role", "gridcell");
    square.tabIndex = index === (SIZE * SIZE - 1) / 2 ? 0 : -1;
  });
  const squareOf = (event) => event.target.closest("[data-at]");
  const pick = (square) => onPick(...square.dataset.at.split(",").map(Number));
  board.addEventListener("click", (event) => squareOf(event) && pick(squareOf(event)));
  board.addEventListener("keydown", (event) => {
    const square = squareOf(event);
    if (!square) return;
    if (event.key === "Enter" || event.key === " ") pick(square);
    else if (event.key in STEPS) moveFocus(squares, square, event.key);
    else return;
    event.preventDefault();
  });
}

function moveFocus(squares, square, key) {
  const target = squares[stepFrom(squares.indexOf(square), key)];
  square.tabIndex = -1;
  target.tabIndex = 0;
  target.focus();
}

/**
 * Draw a rack (tile text, "?" a blank) into `element`. With `onPick(face, index)` its tiles are buttons; `used` holds
 * the indexes that are shown as taken.
 */
export function drawRack(element, rackText, values = {}, { onPick = null, used = new Set() } = {}) {
  const rack = faces(rackText || "");
  const key = [rackText, onPick !== null, ...used, ...rack.map((face) => values[face])].join("|");
  const kept = racks.get(element) || {};
  racks.set(element, Object.assign(kept, { onPick }));
  if (kept.key === key) return; // unchanged: a tile must not be replaced while it is being tapped
  kept.key = key;
  const tiles = rack.map((face, index) => rackTile(face, index, values, kept, used.has(index)));
  element.classList.add("rack");
  element.dataset.count = String(rack.length);
  element.setAttribute("role", onPick ? "group" : "img");
  const spelled = rack.map((face) => (face === "?" ? gettext("blank") : face)).join(" ");
  element.setAttribute("aria-label", fill(gettext("Rack: %(letters)s"), { letters: spelled }));
  const focused = [...element.children].indexOf(document.activeElement);
  element.replaceChildren(...tiles);
  if (focused >= 0 && tiles[focused]) tiles[focused].focus();
}

function rackTile(face, index, values, kept, used) {
  const tile = make(kept.onPick ? "button" : "span", "tile");
  tile.classList.toggle("empty", face === "?");
  tile.classList.toggle("used", used);
  fillTile(tile, face, values);
  if (!kept.onPick) return tile;
  tile.type = "button";
  tile.setAttribute("aria-label", tileInWords(face, values));
  if (used) tile.setAttribute("aria-disabled", "true");
  tile.addEventListener("click", () => !used && kept.onPick(face, index));
  return tile;
}
