// Numbers for visible controls without a key of their own, such as the rows of a long list: "." shows the numbers, typing
// one activates its control. So no page needs a mouse.

const CONTROLS = "a[href], button, summary, input:not([type=hidden]), select, textarea";

function isInSight(element) {
  const { top, bottom, left, right, width, height } = element.getBoundingClientRect();
  const inWindow = bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
  return inWindow && width > 0 && height > 0;
}

/** Show numbers on the controls for which `inReach` is true; `activate` is called with the chosen one. */
export function watchNumbers({ inReach, activate }) {
  let chosen = [];
  let typed = "";
  const labels = document.createElement("div");
  labels.className = "numbers";

  function end() {
    labels.remove();
    chosen = [];
    typed = "";
  }

  function labelFor(element, at) {
    const { top, left } = element.getBoundingClientRect();
    const shown = Object.assign(document.createElement("b"), { textContent: at + 1 });
    shown.style.top = `${Math.max(0, top - 6)}px`;
    shown.style.left = `${Math.max(0, left - 6)}px`;
    return shown;
  }

  function begin() {
    const open = document.querySelector("dialog:modal") ?? document.body;
    chosen = [...open.querySelectorAll(CONTROLS)].filter((each) => !each.dataset.key && inReach(each) && isInSight(each));
    if (!chosen.length) return false;
    labels.replaceChildren(...chosen.map(labelFor));
    open.append(labels);
    return true;
  }

  function choose() {
    const element = chosen[Number(typed) - 1];
    end();
    if (element) activate(element);
  }

  /** Handle a key while numbers are shown; any other key hides them. */
  function press(key) {
    if (key === "Enter") return choose();
    if (!/^[0-9]$/.test(key)) return end();
    typed += key;
    if (Number(typed) * 10 > chosen.length) choose();
  }

  addEventListener("scroll", () => chosen.length && end(), { passive: true });
  addEventListener("click", () => chosen.length && end());
  return { begin, press, isOn: () => chosen.length > 0 };
}
