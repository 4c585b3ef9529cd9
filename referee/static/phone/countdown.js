// The clock in the header: counts down between two messages, makes the calls, notices when the time is up.
import { callsBetween, display, remaining, untilNextSecond, urgency } from "../common/clock.js";
import { fill, gettext, ngettext } from "../common/text.js";
import { buzz } from "./wake_lock.js";
import { setText } from "./page_text.js";

const BUZZ_AT_MS = 30000;
const TIMED = new Set(["running", "paused", "closed"]);
const byId = (id) => document.getElementById(id);

function inWords(seconds) {
  if (seconds % 60 === 0) {
    const minutes = seconds / 60;
    return fill(ngettext("%(minutes)s minute left.", "%(minutes)s minutes left.", minutes), { minutes });
  }
  return fill(ngettext("%(seconds)s second left.", "%(seconds)s seconds left.", seconds), { seconds });
}

/**
 * Shows the time of `read() -> {view, screen, now}`; `onTick(left)` gets the milliseconds each second, and
 * `onScreenChange(screen)` is called when the time has changed the screen.
 */
export class Countdown {
  constructor({ read, onTick, onScreenChange }) {
    Object.assign(this, { read, onTick, onScreenChange });
    this.timer = null;
    this.before = null;
  }

  /** Show the time now, and again each second. */
  tick() {
    clearTimeout(this.timer);
    const { view, screen, now } = this.read();
    const timed = view !== null && TIMED.has(screen);
    byId("clock").hidden = !timed;
    byId("bar").hidden = !timed;
    if (!timed || view.phase !== "running") this.before = null;
    if (!timed) return;
    const left = screen === "closed" ? 0 : remaining(view, now);
    this.show(left, view, screen);
    this.onTick(left);
    if (view.phase !== "running") return;
    this.call(left, view);
    this.timer = setTimeout(() => this.tick(), untilNextSecond(left));
    if (screen !== byId("main").dataset.screen) this.onScreenChange(screen);
  }

  show(left, view, screen) {
    const tone = screen === "running" ? urgency(left, view.calls) : "";
    setText("clock", display(left));
    byId("clock").className = `clock ${tone}`;
    byId("bar").style.transform = `scaleX(${Math.min(1, left / (view.clock_s * 1000)).toFixed(4)})`;
    byId("bar").className = tone;
  }

  call(left, view) {
    const { before } = this;
    this.before = left;
    if (before === null) return;
    const calls = callsBetween(before, left, view.calls);
    if (calls.length) setText("calls", inWords(calls[calls.length - 1]));
    if (before > BUZZ_AT_MS && left <= BUZZ_AT_MS) buzz(200);
    if (before > 0 && left <= 0) {
      setText("calls", gettext("Time is up."));
      buzz([300, 150, 300]);
    }
  }
}
