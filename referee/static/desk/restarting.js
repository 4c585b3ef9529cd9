// The page that waits for the server to start again: /healthz answers 503 until the old server has ended.

const EVERY_MS = 1000;
const goOn = document.getElementById("go-on");

async function isBack() {
  try {
    return (await fetch("/healthz", { cache: "no-store" })).ok;
  } catch {
    return false; // the server is between its two lives
  }
}

const timer = setInterval(async () => {
  if (!(await isBack())) return;
  clearInterval(timer);
  location.replace(goOn.href);
}, EVERY_MS);
