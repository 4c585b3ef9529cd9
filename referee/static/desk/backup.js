// The small line that says how old the newest backup is. It is asked for now and then, and when an alarm speaks of it.

const EVERY_MS = 20000;

/** Keep the line up to date; returns a function that does so at once. */
export function watchBackup(element) {
  async function ask() {
    try {
      const answer = await fetch(element.dataset.source, { headers: { Accept: "application/json" } });
      if (!answer.ok) return;
      const { sentence, failed } = await answer.json();
      element.textContent = sentence;
      element.classList.toggle("bad-text", failed);
    } catch {
      // Without the program there is no news of backups; the head of the page says that it is away.
    }
  }

  if (!element) return () => {};
  setInterval(ask, EVERY_MS);
  ask();
  return ask;
}
