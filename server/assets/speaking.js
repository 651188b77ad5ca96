// Shows what an agent is saying while it is still being written, and takes it back when the whole line has come.
//
// Each thread has a line of its own in the box `#speaking`. Who was at the end of the page stays there while it grows; but
// a conversation begins at its top, and nobody is taken along before they have said something themselves.

/** Gives the ways to add words to a thread, and to take back those of a thread, or of all. */
export function speaking({ page, nameOf }) {
  const box = document.getElementById("speaking");

  function speak(thread, text) {
    const stayed = hasSpoken() && isAtTheEnd();
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

/** Whether the reader has said something, or there is more above than is shown. */
export function hasSpoken() {
  return Boolean(document.querySelector("#lines .message.person, p.older"));
}

export function isAtTheEnd() {
  return below() <= 160;
}

/** Goes on as far as there is something to read, and not on to the foot of the page. */
export function toTheEnd() {
  const more = below();
  if (more > 0) scrollBy({ top: more });
}

/** How much of the conversation is below the window. */
function below() {
  const floor = document.querySelector("#talk .floor");
  // The place to write sticks to the window: where it belongs is after what stands before it.
  return floor.previousElementSibling.getBoundingClientRect().bottom + floor.offsetHeight - innerHeight;
}

function part(kind, name, text = "") {
  const one = document.createElement(kind);
  one.className = name;
  one.textContent = text;
  return one;
}
