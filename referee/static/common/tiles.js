// Tile text: "." empty, upper case a tile, lower case a blank standing for that letter, "?" a blank in a rack,
// "[L·L]" one tile of several letters.

/** The faces of a rack or a word in tile text: "A[L·L]?" gives ["A", "L·L", "?"]. */
export const faces = (text) =>
  (text.normalize("NFC").match(/\[[^\]]*\]|./gu) || []).map((sign) => (sign.length > 2 && sign[0] === "[" ? sign.slice(1, -1) : sign));

/** One row of a board: 15 faces, "" where nothing lies. */
export const rowFaces = (row) => faces(row).map((face) => (face === "." ? "" : face));

/** The rows of a board as a grid of faces; an empty grid when there are none yet. */
export const grid = (rows) => (rows && rows.length ? rows.map(rowFaces) : Array.from({ length: 15 }, () => Array(15).fill("")));

/** Whether this face is a blank, free ("?") or standing for a letter. */
export const isBlank = (face) => face === "?" || (face !== face.toUpperCase() && face === face.toLowerCase());

/** Tile text of faces: the inverse of `faces`. */
export const tileText = (list) => list.map((face) => (face.length > 1 ? `[${face}]` : face)).join("");

const withoutAccent = (sign) => sign.normalize("NFD").replace(/\p{M}/gu, "");

/**
 * The faces of a word as a player writes it: greedy against the tiles of the edition (`known`, upper case), so that
 * "NY" is one tile where there is one; a sign that no tile shows stands for itself.
 */
export function tokens(word, known) {
  const longest = known.reduce((most, face) => Math.max(most, face.length), 1);
  const written = word.normalize("NFC");
  const found = [];
  for (let at = 0; at < written.length; ) {
    const bracketed = /^\[([^\]]+)\]/.exec(written.slice(at));
    const face = bracketed ? bracketed[1] : tileAt(written, at, longest, known);
    found.push(known.includes(face.toUpperCase()) ? face : withoutAccent(face) || face);
    at += bracketed ? bracketed[0].length : face.length;
  }
  return found;
}

function tileAt(written, at, longest, known) {
  for (let length = longest; length > 1; length -= 1) {
    const piece = written.slice(at, at + length);
    if (piece.length === length && known.includes(piece.toUpperCase())) return piece;
  }
  return String.fromCodePoint(written.codePointAt(at));
}
