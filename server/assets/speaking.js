// Shows what an agent is saying while it is still being written, and takes it back when the whole line has come.
//
// Each thread has a line of its own in the box `#speaking`. Who was at the end of the page stays there while it grows.

/** Gives the ways to add words to a thread, and to take back those of a thread, or of all. */
export function speaking({ page, nameOf }) {
  const box = document.getElementById("speaking");

  function speak(thread, text) {
    const stayed = isAtTheEnd();
    const line = find(thread) ?? begin(thread);
    line.querySelector(".words").append(text);
    show();
    if (stayed) toTheEnd();
  }

  function clear(thread) {
    if (thread) find(thread)?.remove();
    else box.replaceChildren();
    show();
  }

  function find(thread) {
    return [...box.children].find((line) => line.dataset.thread === thread);
  }

  function begin(thread) {
    const line = document.createElement("article");
    line.className = "message agent said speaking";
    line.dataset.thread = thread;
    const head = document.createElement("header");
    head.append(part("span", "seat"), part("span", "name", nameOf(thread)));
    line.append(head, part("div", "words"));
    box.append(line);
    return line;
  }

  function show() {
    box.hidden = !box.children.length;
    page.classList.toggle("is-speaking", !box.hidden);
  }

  return { speak, clear };
}

export function isAtTheEnd() {
  return innerHeight + scrollY >= document.documentElement.scrollHeight - 160;
}

export function toTheEnd() {
  scrollTo({ top: document.documentElement.scrollHeight });
}

function part(kind, name, text = "") {
  const one = document.createElement(kind);
  one.className = name;
  one.textContent = text;
  return one;
}
