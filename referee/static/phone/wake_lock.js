// Extras of some phones: keep the screen on, vibrate at 0:30 and at the end.

let lock = null;
let wanted = false;

async function ask() {
  if (!wanted || lock || !("wakeLock" in navigator) || document.visibilityState !== "visible") return;
  try {
    lock = await navigator.wakeLock.request("screen");
    lock.addEventListener("release", () => {
      lock = null;
    });
  } catch {
    // Low battery or not allowed: the screen may turn off; the draft is kept.
  }
}

/** Keep the screen on while `wish` is true; requested again whenever the page becomes visible. */
export function keepAwake(wish) {
  wanted = wish;
  if (wish) ask();
  else if (lock) lock.release();
}

document.addEventListener("visibilitychange", ask);

/** Vibrate, if the phone can and the page has been touched. */
export function buzz(pattern) {
  const touched = !navigator.userActivation || navigator.userActivation.hasBeenActive;
  if (touched && "vibrate" in navigator) navigator.vibrate(pattern);
}
