// Checks the form of a slip: a word, a readable reference, a number as score. Everything else is judged by the server.
import { fill, gettext } from "../common/text.js";
import { formatReference, parseReference } from "../common/reference.js";

const EXAMPLE = { row: 7, column: 7 };

/** The two ways to write square H8, for hints: {across: "8H", down: "H8"}. */
export const examples = (notation) => ({
  across: formatReference({ ...EXAMPLE, across: true }, notation),
  down: formatReference({ ...EXAMPLE, across: false }, notation),
});

function wordProblem(word) {
  if (word.includes("?")) return gettext("Write the letter that the blank stands for after the question mark.");
  return /\p{L}/u.test(word) ? "" : gettext("Write the word as it will stand on the board.");
}

/** The crossing letters in the field of the reference, "" when they are none: two or three letters. */
export function hookOf(ref) {
  const text = ref.trim().toUpperCase();
  return /^(\p{L}|\[\p{L}[\p{L}·.-]*\]){2,3}$/u.test(text) ? text : "";
}

/** `hooks`: crossing letters may stand in place of the reference. */
function referenceProblem(ref, notation, hooks) {
  if (parseReference(ref, notation) || (hooks && hookOf(ref))) return "";
  const problem = squareProblem({ ...examples(notation), written: ref.trim() });
  return hooks ? `${problem} ${gettext("Or write three letters of the word that yours crosses or extends.")}` : problem;
}

function squareProblem(named) {
  return named.written
    ? fill(gettext("%(written)s is not a square: write %(across)s for across or %(down)s for down, or tap the first square."), named)
    : fill(gettext("Say where the word starts: write %(across)s for across or %(down)s for down, or tap the first square."), named);
}

function scoreProblem(score) {
  return /^\d{0,4}$/.test(score.trim()) ? "" : gettext("Write the score in digits, or leave it empty.");
}

/** What is malformed in a draft, by field, as sentences: {} when it can be sent. */
export function problems(draft, { notation, hooks = false }) {
  const found = {
    word: wordProblem(draft.word),
    ref: referenceProblem(draft.ref, notation, hooks),
    score: scoreProblem(draft.score),
  };
  return Object.fromEntries(Object.entries(found).filter(([, sentence]) => sentence));
}

/**
 * A draft without problems as a slip for the queue. The reference gives the direction, as on a typed paper slip, so that
 * equal slips of both kinds are judged together. Crossing letters are written in the field of the reference.
 */
export function slipOf(draft, notation, id, sent) {
  const place = parseReference(draft.ref, notation);
  return {
    id,
    turn: draft.turn,
    word: draft.word,
    ref: place ? formatReference(place, notation) : "",
    hook: place ? "" : hookOf(draft.ref),
    direction: null,
    score: draft.score.trim() === "" ? null : Number(draft.score),
    sent,
  };
}
