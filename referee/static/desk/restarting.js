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

async function waitForServer() {
  do await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
  while (!(await isBack()));
  location.replace(goOn.href);
}

waitForServer();
