// Tile text: "." empty, upper case a tile, lower case a blank standing for that letter, "?" a blank in a rack,
// "[L·L]" one tile of several letters.

/** The faces of a rack or a word in tile text: "A[L·L]?" gives ["A", "L·L", "?"]. */
export const faces = (text) =>
  (text.normalize("NFC").match(/\[[^\]]*\]|./gu) || []).map((sign) => (sign.length > 2 && sign[0] === "[" ? sign.slice(1, -1) : sign));

/** One row of a board: 15 faces, "" where nothing lies. */
export const rowFaces = (row) => faces(row).map((face) => (face === "." ? "" : face));

/** The rows of a board as a grid of faces; an empty grid when there are none yet. */
export const grid = (rows) => (rows?.length ? rows.map(rowFaces) : Array.from({ length: 15 }, () => Array(15).fill("")));

/** Whether this face is a blank, free ("?") or standing for a letter. */
export const isBlank = (face) => face === "?" || (face !== face.toUpperCase() && face === face.toLowerCase());

/** Tile text of faces: the inverse of `faces`. */
export const tileText = (list) => list.map((face) => (face.length > 1 ? `[${face}]` : face)).join("");

/** How many of each tile there are, for display: "A 3 · L·L 1 · ? 2". */
export function counted(text) {
  const numbers = new Map();
  for (const face of faces(text)) numbers.set(face, (numbers.get(face) || 0) + 1);
  return [...numbers].map(([face, count]) => `${face}\u00a0${count}`).join(" · ");
}

/** Tile text for display: without the brackets around tiles of several letters. */
export const plain = (text) => faces(text).join("");

const withoutAccent = (sign) => sign.normalize("NFD").replace(/\p{M}/gu, "");

const TWO_LETTERS = { ß: "SS", ẞ: "SS", œ: "OE", Œ: "OE", æ: "AE", Æ: "AE", ĳ: "IJ", Ĳ: "IJ" };

/** The word with every spelling of L·L as "L·L", and two letters for a sign that has no tile of its own. */
function spelledOut(word, known) {
  const dotted = known.includes("L·L") ? word.replace(/ŀ[l]?/gu, "l·l").replace(/Ŀ[Ll]?/gu, "L·L").replace(/(l)[.•∙‧⋅-](?=l)/giu, "$1·") : word;
  const small = dotted === dotted.toLowerCase();
  return dotted.replace(/[ßẞœŒæÆĳĲ]/gu, (sign) => {
    if (known.includes(sign.toUpperCase())) return sign;
    return small ? TWO_LETTERS[sign].toLowerCase() : TWO_LETTERS[sign];
  });
}

/**
 * The faces of a word as a player writes it: greedy against the tiles of the edition (`known`, upper case), so that
 * "NY" is one tile where there is one; brackets fix the reading, "[C]H" is two tiles where CH is one. A sign that no
 * tile shows stands for itself.
 */
export function tokens(word, known) {
  const longest = known.reduce((most, face) => Math.max(most, face.length), 1);
  const written = spelledOut(word.normalize("NFC"), known);
  const found = [];
  for (let at = 0; at < written.length; ) {
    const bracketed = /^\[([^\]]+)\]/.exec(written.slice(at));
    const face = bracketed ? bracketed[1] : tileAt(written, at, longest, known);
    found.push(known.includes(face.toUpperCase()) ? face : withoutAccent(face) || face);
    at += bracketed ? bracketed[0].length : face.length;
  }
  return found;
}

/**
 * A word of faces as a player would write it, without brackets but for a tile that would be read together with those
 * behind it: C and H laid apart are "[C]H" where CH is one tile. `tokens` gives the faces back.
 */
export const wordText = (word, known) =>
  word.map((face, at) => (tokens(word.slice(at).join(""), known)[0] === face ? face : `[${face}]`)).join("");

function tileAt(written, at, longest, known) {
  for (let length = longest; length > 1; length -= 1) {
    const piece = written.slice(at, at + length);
    if (piece.length === length && known.includes(piece.toUpperCase())) return piece;
  }
  return String.fromCodePoint(written.codePointAt(at));
}
