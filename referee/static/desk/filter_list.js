// A list is filtered while its search is typed; `data-filter` of the field names the list, whose items have
// `data-search`. Ticked items stay ticked when they are hidden. A list that is only a part of all is searched by the
// server: `data-searches` names the button that Enter presses.

/** A text for comparisons: without accents, in small letters, with single spaces. */
const fold = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().split(/\s+/).filter(Boolean).join(" ");

function filterWhileTyping(field) {
  const list = document.getElementById(field.dataset.filter);
  const nobody = list.parentElement.querySelector("[data-nobody]");
  field.addEventListener("input", () => {
    const parts = fold(field.value).split(" ");
    let found = 0;
    for (const item of list.children) {
      item.hidden = !parts.every((part) => item.dataset.search.includes(part));
      if (!item.hidden) found += 1;
    }
    if (nobody) nobody.hidden = found > 0;
  });
  // Enter ticks the only member who is left, instead of sending the form.
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    const left = [...list.children].filter((item) => !item.hidden);
    if (left.length !== 1) return;
    left[0].querySelector("input").checked = true;
    field.value = "";
    field.dispatchEvent(new Event("input"));
  });
}

function searchOnEnter(field) {
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    document.getElementById(field.dataset.searches).click();
  });
}

for (const field of document.querySelectorAll("[data-filter]")) filterWhileTyping(field);
for (const field of document.querySelectorAll("[data-searches]")) searchOnEnter(field);
