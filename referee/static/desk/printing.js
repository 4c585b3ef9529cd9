// The preview of a document shows the choice in the list beside it.

/** Put the choice of the list into the link to the preview. */
function follow(list) {
  const link = list.form.querySelector("a.button");
  if (!link) return;
  const address = new URL(link.href);
  address.searchParams.set("choice", list.value);
  link.href = address;
}

const lists = document.querySelectorAll(".offers select[name=choice]");
for (const list of lists) {
  follow(list);
  list.addEventListener("change", () => follow(list));
}
