// The words on a board, for screen readers.
import { formatReference } from "./reference.js";
import { tileText } from "./tiles.js";

function runsIn(line) {
  const runs = [];
  let start = 0;
  for (let at = 0; at <= line.length; at += 1) {
    if (at < line.length && line[at]) continue;
    if (at - start > 1) runs.push({ start, word: tileText(line.slice(start, at)) });
    start = at + 1;
  }
  return runs;
}

/** Every word of two tiles or more with its place: [{word, row, column, across}], rows first, then columns. */
export function wordsOn(squares) {
  const across = squares.flatMap((line, row) => runsIn(line).map(({ start, word }) => ({ word, row, column: start, across: true })));
  const down = squares.flatMap((_, column) =>
    runsIn(squares.map((line) => line[column])).map(({ start, word }) => ({ word, row: start, column, across: false })),
  );
  return [...across, ...down];
}

/** The label of a word found by `wordsOn`: "CORNO 8D". */
export const wordLabel = (found, notation) => `${found.word} ${formatReference(found, notation)}`;
