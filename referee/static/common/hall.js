// What a page knows of the hall, told to whoever on the page wants to hear it (speaking.js).

/** Turn, phase and the milliseconds that are left, null while no clock runs. */
export const tellHall = (turn, phase, left) => document.body.dispatchEvent(new CustomEvent("multiplo:hall", { detail: { turn, phase, left } }));
