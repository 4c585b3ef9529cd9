// The calls of the clock, for the judge who reads them out.
import { fill, gettext, ngettext } from "../common/text.js";

/** The call when `seconds` are left. */
export function callText(seconds) {
  if (seconds % 60 === 0) return fill(ngettext("%(n)s minute left", "%(n)s minutes left", seconds / 60), { n: seconds / 60 });
  if (seconds <= 5) return gettext("Raise the slips");
  return fill(ngettext("%(n)s second left", "%(n)s seconds left", seconds), { n: seconds });
}

let sound = null;

/** A short tone, where the browser allows sound. */
export function beep() {
  try {
    sound ??= new AudioContext();
    const tone = sound.createOscillator();
    const volume = sound.createGain();
    tone.frequency.value = 660;
    volume.gain.value = 0.08;
    tone.connect(volume).connect(sound.destination);
    tone.start();
    tone.stop(sound.currentTime + 0.18);
  } catch {
    // No sound: the call is still shown on the page.
  }
}
