// Keeps the page of a session alive: follows its feed, shows words as they come, sends what people write.
//
// The server draws; here the parts that changed are put in place. A line is known by its place in the log (data-seq),
// so nothing is missed or shown twice, however often the connection is lost.

import { enliven } from "./enza.js";
import { asking, fetchNews, follow } from "./feed.js";
import { takeOrLeave } from "./gate.js";
import { compose } from "./composer.js";
import { hasSpoken, isAtTheEnd, speaking, toTheEnd } from "./speaking.js";

const page = document.getElementById("session");
if (page?.hasAttribute("data-live")) begin();

function begin() {
  const lines = document.getElementById("lines");
  const newest = document.querySelector(".newest");
  let head = Number(page.dataset.head);
  const ask = asking(news);

  if (matchMedia("(max-width: 60rem)").matches) document.querySelector(".aside-fold").open = false;
  if (hasSpoken()) toTheEnd();
  addEventListener("scroll", () => isAtTheEnd() && (newest.hidden = true), { passive: true });
  newest.querySelector("button").addEventListener("click", () => toTheEnd());

  takeOrLeave(page);
  const composer = compose({ session: page.dataset.session, sent: ask });
  const { speak, clear } = speaking({ page, nameOf });
  follow({ page, head: () => head, ask, speak, clear });

  async function news() {
    const { status, drawn } = await fetchNews(`/sessions/${page.dataset.session}/news?after=${head}`);
    if (drawn) put(drawn);
    return status;
  }

  function put(found) {
    const stayed = isAtTheEnd();
    const part = (name) => found.querySelector(`[data-part="${name}"]`);
    let added = 0;
    for (const line of [...part("lines").children]) {
      if (Number(line.dataset.seq) <= head || lines.querySelector(`[data-seq="${line.dataset.seq}"]`)) continue;
      lines.append(line);
      added += 1;
    }
    head = Math.max(head, Number(found.dataset.head));
    page.dataset.head = head;
    page.querySelector('.menu [name="at"]').value = head;
    for (const name of ["standing", "at-work", "presses", "brief", "aside"]) replace(document.getElementById(name), part(name));
    replaceGate(document.getElementById("gate"), part("gate"));
    composer.update(part("composer").querySelector("form"));
    if (added > 0 || !part("at-work").children.length) clear();
    enliven(page);
    takeOrLeave(page);
    if (hasSpoken() && stayed) toTheEnd();
    else if (added > 0 && !isAtTheEnd()) newest.hidden = false;
  }
}

/** The name of the agent that speaks in a thread. */
function nameOf(thread) {
  const names = [...document.querySelectorAll("#at-work strong")];
  return (names.find((one) => one.dataset.thread === thread) ?? names[0])?.textContent ?? "";
}

/** Replaces what is drawn, unless it is the same but for keys that are drawn anew each time. */
function replace(old, fresh) {
  if (shape(old) === shape(fresh)) return;
  const focused = old.contains(document.activeElement) ? document.activeElement.textContent : null;
  old.replaceChildren(...fresh.childNodes);
  if (focused === null) return;
  const again = [...old.querySelectorAll("button, a, summary")].find((one) => one.textContent === focused);
  again?.focus();
}

/** A gate that is being answered keeps what was typed. */
function replaceGate(old, fresh) {
  const gate = (part) => part.querySelector("form")?.dataset.gate;
  if (gate(old) === gate(fresh)) return;
  old.replaceChildren(...fresh.childNodes);
  old.querySelector("h2")?.scrollIntoView({ block: "nearest" });
}

function shape(part) {
  const copy = part.cloneNode(true);
  for (const key of copy.querySelectorAll('[name="key"]')) key.remove();
  // A moment that was put into the reader's time is still the same moment.
  for (const moment of copy.querySelectorAll("time")) moment.replaceWith(moment.dateTime);
  return copy.innerHTML;
}
