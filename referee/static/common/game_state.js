// The state of the game as an event on the body of the page, for other modules (voice_switch.js).

/** Publish turn, phase and the milliseconds left; `left` is null while no clock runs. */
export const publishGameState = (turn, phase, left) => document.body.dispatchEvent(new CustomEvent("multiplo:game-state", { detail: { turn, phase, left } }));
