// Joining: the list is filtered while its search is typed, and a phone that waits for the judge tries again by itself.

const RETRY_MS = 5000;

/** A text for comparisons: without accents, in small letters, with single spaces. */
const fold = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().split(/\s+/).filter(Boolean).join(" ");

function filterWhileTyping(field) {
  const [list, nobody] = [document.getElementById(field.dataset.filter), document.getElementById("nobody")];
  const link = document.getElementById("not-listed");
  const address = link?.getAttribute("href");
  const filter = () => {
    const parts = fold(field.value).split(" ");
    let found = 0;
    for (const item of list.children) {
      item.hidden = !parts.every((part) => item.dataset.search.includes(part));
      if (!item.hidden) found += 1;
    }
    nobody.hidden = found > 0;
    if (link) link.setAttribute("href", `${address}&name=${encodeURIComponent(field.value.trim())}`);
  };
  field.addEventListener("input", filter);
  field.form.addEventListener("submit", (event) => event.preventDefault());
  filter();
}

/** Send the form again and again; the first answer that seats the phone opens the game. */
function retry(form) {
  setTimeout(async () => {
    try {
      const answer = await fetch(form.action, { method: "POST", body: new FormData(form), redirect: "manual" });
      if (answer.type === "opaqueredirect") {
        location.assign("/play/");
        return;
      }
    } catch {
      // No network: the next attempt may have it.
    }
    retry(form);
  }, RETRY_MS);
}

for (const field of document.querySelectorAll("[data-filter]")) filterWhileTyping(field);
for (const form of document.querySelectorAll("[data-retry]")) retry(form);
