// Editing a word by typing, tapping tiles and marking blanks. A word is a list of faces, lower case where
// a blank stands for the letter; a place is {row, column, across} or null; `board` is a grid of faces.
import { along, onBoard } from "../common/reference.js";
import { isBlank } from "../common/tiles.js";

const faceAt = (board, [row, column]) => (onBoard([row, column]) ? board[row][column] : "");

/** Whether the letter at `index` of a word at `place` is on the board already. */
export function isOnBoard(board, place, word, index) {
  return place !== null && faceAt(board, along(place, index)).toUpperCase() === word[index].toUpperCase();
}

/** The letters of a word that come from the rack. */
export const fromRack = (board, place, word) => word.filter((_, index) => !isOnBoard(board, place, word, index));

/** The first square of the tiles directly before `place`, or `place` itself. */
export function runStart(board, place) {
  let back = 0;
  while (faceAt(board, along(place, -back - 1))) back += 1;
  const [row, column] = along(place, -back);
  return { ...place, row, column };
}

function withBoard(board, place, word) {
  const full = [...word];
  while (faceAt(board, along(place, full.length))) full.push(faceAt(board, along(place, full.length)));
  return full;
}

/**
 * Add a tile to the end of the word, with the letters of the board before and after it. Returns {place, word}, or null
 * if there is no square left.
 */
export function layTile(board, place, word, face) {
  if (place === null) return { place, word: [...word, face] };
  const start = word.length ? place : runStart(board, place);
  const before = withBoard(board, start, word);
  if (!onBoard(along(start, before.length))) return null;
  return { place: start, word: withBoard(board, start, [...before, face]) };
}

/** Remove the last tile, and the letters of the board after it. */
export function takeBack(board, place, word) {
  const rest = [...word];
  while (rest.length && isOnBoard(board, place, rest, rest.length - 1)) rest.pop();
  rest.pop();
  return fromRack(board, place, rest).length ? rest : [];
}

/** Lay the same tiles from another square on; null if there is no room. */
export function moveTiles(board, from, to, word) {
  let laying = { place: to, word: [] };
  for (const face of fromRack(board, from, word)) {
    laying = layTile(board, laying.place, laying.word, face);
    if (laying === null) return null;
  }
  return laying;
}

/** Toggle whether the letter at `index` is a blank's. */
export const markBlank = (word, index) =>
  word.map((face, at) => (at !== index ? face : isBlank(face) ? face.toUpperCase() : face.toLowerCase()));

/**
 * The word after a typed change: new letters become capitals, marked letters stay marked, and "?o" or "(o)" marks a new
 * letter as a blank if `canMark`.
 */
export function mergeTyped(previous, typed, canMark) {
  const text = typed.normalize("NFC");
  let head = 0;
  while (head < previous.length && head < text.length && same(previous[head], text[head])) head += 1;
  let tail = 0;
  const most = Math.min(previous.length, text.length) - head;
  while (tail < most && same(previous[previous.length - 1 - tail], text[text.length - 1 - tail])) tail += 1;
  const fresh = text.slice(head, text.length - tail).toUpperCase();
  const marked = previous.slice(0, head) + fresh + previous.slice(previous.length - tail, previous.length);
  return (canMark ? marked.replace(/\((\p{L})\)|\?(\p{L})/gu, (_, one, other) => (one || other).toLowerCase()) : marked.replace(/[?()]/g, ""))
    .replace(/\s/g, "");
}

const same = (a, b) => a.toUpperCase() === b.toUpperCase();

/**
 * The tiles of the rack that a word uses, as a set of indexes. `preferred` lists the indexes that were tapped; a marked
 * letter uses a blank, a letter that is not on the rack uses none.
 */
export function usedTiles(rack, letters, preferred = []) {
  const order = [...preferred, ...rack.keys()];
  const used = new Set();
  for (const letter of letters) {
    const wanted = isBlank(letter) ? "?" : letter;
    const index = order.find((at) => !used.has(at) && rack[at] === wanted);
    if (index !== undefined) used.add(index);
  }
  return used;
}

/** The squares a word would cover, as `drawBoard` shows them: [[row, column, face], ...]. */
export const ghosts = (place, word) =>
  place === null
    ? []
    : word.map((face, index) => [...along(place, index), face]).filter(([row, column]) => onBoard([row, column]));
