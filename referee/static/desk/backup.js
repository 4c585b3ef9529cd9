// The line that says how old the newest backup is: polled, and fetched when an alarm is about backups.

const EVERY_MS = 20000;

/** Keep the line up to date; returns a function that updates it at once. */
export function watchBackup(element) {
  async function ask() {
    try {
      const answer = await fetch(element.dataset.source, { headers: { Accept: "application/json" } });
      if (!answer.ok) return;
      const { sentence, failed } = await answer.json();
      element.textContent = sentence;
      element.classList.toggle("bad-text", failed);
    } catch {
      // No connection: the header of the page says so.
    }
  }

  if (!element) return () => {};
  setInterval(ask, EVERY_MS);
  ask();
  return ask;
}
