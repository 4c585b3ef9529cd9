// References in both notations: where across is written "8H" rows are 1-15 and columns A-O, where it is "H8" rows
// are A-O and columns 1-15. The first sign always names the line in which the word lies.
import { fill, gettext } from "./text.js";

export const SIZE = 15;
const LETTERS = "ABCDEFGHIJKLMNO".split("");
const NUMBERS = LETTERS.map((_, index) => String(index + 1));

/** {rows, columns}: the labels at the edge of the board. */
export const edgeLabels = (notation) =>
  notation === "H8" ? { rows: LETTERS, columns: NUMBERS } : { rows: NUMBERS, columns: LETTERS };

/** A place {row, column, across}, counted from 0, from "8H", "h8" or " 8 h "; null for anything else. */
export function parseReference(text, notation) {
  const sign = text.trim().toUpperCase();
  const numberFirst = /^(1[0-5]|[1-9])\s*([A-O])$/.exec(sign);
  const letterFirst = /^([A-O])\s*(1[0-5]|[1-9])$/.exec(sign);
  if (!numberFirst && !letterFirst) return null;
  const number = Number((numberFirst || letterFirst)[numberFirst ? 1 : 2]) - 1;
  const letter = LETTERS.indexOf((numberFirst || letterFirst)[numberFirst ? 2 : 1]);
  const across = Boolean(numberFirst) === (notation !== "H8");
  return notation === "H8" ? { row: letter, column: number, across } : { row: number, column: letter, across };
}

/** The reference of a place: the inverse of `parseReference`. */
export function formatReference({ row, column, across }, notation) {
  const { rows, columns } = edgeLabels(notation);
  return across ? rows[row] + columns[column] : columns[column] + rows[row];
}

/** The same first square, the other way. */
export const turned = (place) => ({ ...place, across: !place.across });

/** The arrow that goes with a direction. */
export const arrow = (across) => (across ? "→" : "↓");

/** A place in words, so that nobody confuses 8H and H8: "across, row 8, from column H". */
export function inWords(place, notation) {
  const { rows, columns } = edgeLabels(notation);
  const names = { row: rows[place.row], column: columns[place.column] };
  return place.across
    ? fill(gettext("across, row %(row)s, from column %(column)s"), names)
    : fill(gettext("down, column %(column)s, from row %(row)s"), names);
}

/** The square `steps` further along the word: [row, column], perhaps off the board. */
export const along = ({ row, column, across }, steps) => (across ? [row, column + steps] : [row + steps, column]);

/** Whether a square is on the board. */
export const onBoard = ([row, column]) => row >= 0 && row < SIZE && column >= 0 && column < SIZE;
