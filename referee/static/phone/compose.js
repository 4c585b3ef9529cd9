// Writing a word: what typing, tapping tiles and marking blanks do to it. A word is a list of faces, lower case where
// a blank stands for the letter; a place is {row, column, across} or null; `board` is a grid of faces.
import { along, onBoard } from "../common/reference.js";
import { isBlank } from "../common/tiles.js";

const lying = (board, [row, column]) => (onBoard([row, column]) ? board[row][column] : "");

/** Whether the letter at `index` of a word at `place` is the one that lies on the board there already. */
export function lies(board, place, word, index) {
  return place !== null && lying(board, along(place, index)).toUpperCase() === word[index].toUpperCase();
}

/** The letters of a word that come from the rack. */
export const laid = (board, place, word) => word.filter((_, index) => !lies(board, place, word, index));

/** The first square of the run of tiles that ends just before `place`, or `place` itself. */
export function runStart(board, place) {
  let back = 0;
  while (lying(board, along(place, -back - 1))) back += 1;
  const [row, column] = along(place, -back);
  return { ...place, row, column };
}

function withBoard(board, place, word) {
  const full = [...word];
  while (lying(board, along(place, full.length))) full.push(lying(board, along(place, full.length)));
  return full;
}

/**
 * Lay a tile behind the word: letters of the board on the way join by themselves, also those before its first square.
 * Returns {place, word}, or null when there is no square left for it.
 */
export function layTile(board, place, word, face) {
  if (place === null) return { place, word: [...word, face] };
  const start = word.length ? place : runStart(board, place);
  const before = withBoard(board, start, word);
  if (!onBoard(along(start, before.length))) return null;
  return { place: start, word: withBoard(board, start, [...before, face]) };
}

/** Take the last tile back, and the letters of the board behind it. */
export function takeBack(board, place, word) {
  const rest = [...word];
  while (rest.length && lies(board, place, rest, rest.length - 1)) rest.pop();
  rest.pop();
  return laid(board, place, rest).length ? rest : [];
}

/** Lay the same tiles from another square on; null when they do not all find one. */
export function layAgain(board, from, to, word) {
  let laying = { place: to, word: [] };
  for (const face of laid(board, from, word)) {
    laying = layTile(board, laying.place, laying.word, face);
    if (laying === null) return null;
  }
  return laying;
}

/** Toggle whether the letter at `index` is a blank's. */
export const markBlank = (word, index) =>
  word.map((face, at) => (at !== index ? face : isBlank(face) ? face.toUpperCase() : face.toLowerCase()));

/**
 * What a typed text makes of the word that stood there: new letters are capitals whatever keyboard sent them, marked
 * letters stay marked, and "?o" or "(o)" marks a new one where `canMark`.
 */
export function retype(previous, typed, canMark) {
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
 * Which tiles of the rack a word takes: a set of indexes. `preferred` lists the indexes that were tapped; a letter that
 * the rack does not have takes none, a marked one takes a blank.
 */
export function taken(rack, letters, preferred = []) {
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
