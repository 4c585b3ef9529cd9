// Extras that some phones allow: a screen that stays on, a buzz at 0:30 and at the end.

let lock = null;
let wanted = false;

async function ask() {
  if (!wanted || lock || !("wakeLock" in navigator) || document.visibilityState !== "visible") return;
  try {
    lock = await navigator.wakeLock.request("screen");
    lock.addEventListener("release", () => (lock = null));
  } catch {
    // Low battery or not allowed: the screen may sleep, the draft is kept all the same.
  }
}

/** Keep the screen on while `wish` holds; asked again whenever the page is seen. */
export function keepAwake(wish) {
  wanted = wish;
  if (wish) ask();
  else if (lock) lock.release();
}

document.addEventListener("visibilitychange", ask);

/** Buzz, where the phone can and its owner has touched the page. */
export function buzz(pattern) {
  const touched = !navigator.userActivation || navigator.userActivation.hasBeenActive;
  if (touched && "vibrate" in navigator) navigator.vibrate(pattern);
}
