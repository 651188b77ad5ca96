// Keeps the page of a session alive, whoever looks at it: follows its feed, shows words as they come, sends its forms.
//
// The server draws; here the parts that changed are put in place. A line is known by its place in the log (data-seq),
// so nothing is missed or shown twice, however often the connection is lost. Everything works without this file, too.

import { enliven, toast } from "./enza.js";
import { compose } from "./composer.js";
import { asking, fetchNews, follow, reloadOnce } from "./feed.js";
import { takeOrLeave } from "./gate.js";
import { replace, replaceGate } from "./parts.js";
import { send } from "./send.js";
import { sheet } from "./sheet.js";
import { hasSpoken, isAtTheEnd, speaking, toTheEnd } from "./speaking.js";

const page = document.getElementById("talk");
if (page?.hasAttribute("data-live")) begin();

function begin() {
  const lines = document.getElementById("lines");
  const newest = page.querySelector(".newest");
  const fold = page.querySelector(".aside-fold");
  let head = Number(page.dataset.head);
  const ask = asking(news);

  if (fold && matchMedia("(max-width: 60rem)").matches) fold.open = false;
  const closeSheet = sheet(page);
  takeOrLeave(page);
  const composer = compose({ page, sent: ask });
  const { speak, clear } = speaking({ page, nameOf });
  if (hasSpoken()) toTheEnd();
  addEventListener("scroll", () => isAtTheEnd() && (newest.hidden = true), { passive: true });
  newest.querySelector("button").addEventListener("click", () => toTheEnd());
  page.addEventListener("submit", (submit) => {
    const form = submit.target;
    // What is asked about once more, where the dialog for it could not be opened, is asked by a page.
    if (!form.matches("form.order, form[data-gate]") || form.elements.grave) return;
    submit.preventDefault();
    // An Enter somewhere at a gate is no answer.
    if (form.dataset.gate && !submit.submitter?.value) return;
    if (!form.dataset.busy) order(form, submit.submitter);
  });
  follow({ page, head: () => head, ask, speak, clear });

  async function order(form, pressed) {
    const { ok, words } = await send(form, pressed);
    const place = form.querySelector("[data-error]");
    form.closest("dialog")?.close();
    if (ok) {
      form.closest("details.edit")?.removeAttribute("open");
      closeSheet();
    } else if (place) {
      place.textContent = words;
      place.hidden = false;
    } else {
      toast(words, "bad");
    }
    // What was refused is often stale: the page shows how it stands now.
    ask();
  }

  async function news() {
    const { status, drawn } = await fetchNews(`${page.dataset.at}/news?after=${head}`);
    if (drawn?.hasAttribute("data-over")) reloadOnce();
    else if (drawn) put(drawn);
    return status;
  }

  function put(found) {
    const stayed = isAtTheEnd();
    const part = (name) => found.querySelector(`[data-part="${name}"]`);
    const added = [...part("lines").children].filter(isNew);
    lines.append(...added);
    head = Math.max(head, Number(found.dataset.head));
    page.dataset.head = head;
    // A fork is taken where the page stands.
    for (const at of page.querySelectorAll('.menu [name="at"]')) at.value = head;
    replaceGate(document.getElementById("gate"), part("gate"));
    composer.update(part("composer").querySelector("form"));
    const others = [...found.children].filter((one) => !["lines", "gate", "composer"].includes(one.dataset.part));
    const changed = others.filter((one) => replace(document.getElementById(one.dataset.part), one));
    // The person's own line comes while the reply to it is being written already: that one goes on.
    if (added.some((line) => line.matches(".agent.said")) || !found.hasAttribute("data-working")) clear();
    enliven(page);
    takeOrLeave(page);
    page.dispatchEvent(new Event("drawn"));
    show({ stayed, added, turned: changed.some((one) => one.dataset.part === "turn") });
  }

  function isNew(line) {
    return Number(line.dataset.seq) > head && !lines.querySelector(`[data-seq="${line.dataset.seq}"]`);
  }

  /** Takes the reader along, where they were at the end or have just said something, and else says that there is more. */
  function show({ stayed, added, turned }) {
    const first = turned && page.querySelector("#turn [data-shown-first]");
    const isOwn = added.some((line) => line.matches(".person"));
    if (first) first.scrollIntoView({ block: "start" });
    else if (hasSpoken() && (stayed || isOwn)) toTheEnd();
    else if (added.length && !isAtTheEnd()) newest.hidden = false;
  }
}

/** The name of the agent that speaks in a thread. */
function nameOf(thread) {
  const one = document.getElementById("speaking").dataset.name;
  if (one) return one;
  const names = [...document.querySelectorAll("#at-work strong")];
  return (names.find((name) => name.dataset.thread === thread) ?? names[0])?.textContent ?? "";
}
