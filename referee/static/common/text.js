// Translated texts from the catalogue of /texts.js; without it (tests, a failed load) the English of the source.

/** @returns {string} the translation of `text`. */
export const gettext = (text) => (globalThis.gettext ? globalThis.gettext(text) : text);

/** @returns {string} the translation of `text` in this context. */
export const pgettext = (context, text) => (globalThis.pgettext ? globalThis.pgettext(context, text) : text);

/** @returns {string} the translation that goes with the number `n`. */
export const ngettext = (one, many, n) => {
  if (globalThis.ngettext) return globalThis.ngettext(one, many, n);
  return n === 1 ? one : many;
};

/** Put named values into a sentence: fill("turn %(n)s", {n: 5}). */
export const fill = (sentence, values) => sentence.replace(/%\((\w+)\)s/g, (_, name) => String(values[name]));

const language = () => (globalThis.document ? document.documentElement.lang || undefined : undefined);

/** A whole number in the page's language, with a true minus sign: a hyphen is hard to see on a projector. */
export const number = (n) => new Intl.NumberFormat(language()).format(n).replace("-", "\u2212");

/** A percentage with one decimal; `value` as text or number, without the sign. */
export const percent = (value) =>
  new Intl.NumberFormat(language(), { style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(Number(value) / 100);

/** The time of day, to the second, of an instant in milliseconds since 1970. */
export const timeOfDay = (ms) =>
  new Intl.DateTimeFormat(language(), { hour: "2-digit", minute: "2-digit", second: "2-digit", hour12: false }).format(new Date(ms));

/** The time of day, to the minute, of an instant in milliseconds since 1970. */
export const hourAndMinute = (ms) =>
  new Intl.DateTimeFormat(language(), { hour: "2-digit", minute: "2-digit", hour12: false }).format(new Date(ms));

/** The rank of a line of the standings; a dash for disqualified players, who have none. */
export const rankText = (line) => (line.rank === null ? "–" : number(line.rank));

/** The name in a line of the standings, marked if the player is disqualified. */
export const nameText = (line) => (line.rank === null ? fill(gettext("%(name)s (disqualified)"), { name: line.name }) : line.name);
