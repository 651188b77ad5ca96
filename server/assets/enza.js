// What every page does: moments in the reader's time, counters, dialogs, menus, the switch of the colour scheme, toasts.
// Everything here is an addition; a page reads and works without it.

/** Says something that goes by itself. */
export function toast(text, tone = "plain") {
  const box = document.createElement("div");
  box.className = `toast ${tone}`;
  box.setAttribute("role", tone === "bad" ? "alert" : "status");
  const words = document.createElement("p");
  words.textContent = text;
  box.append(words);
  document.getElementById("toasts").append(box);
  const stay = Math.max(5000, text.length * 90);
  setTimeout(() => box.remove(), stay);
  box.addEventListener("click", () => box.remove());
}

/** What a failed request has to say: its message and its hint. */
export async function trouble(response) {
  if (!response) return document.body.dataset.offline;
  try {
    const { error } = await response.clone().json();
    return [error.message, error.hint].filter(Boolean).join(" ");
  } catch {
    return document.body.dataset.trouble;
  }
}

/** Brings a part of a page to life; called again for parts that come later. */
export function enliven(root) {
  for (const moment of root.querySelectorAll("time[datetime]:not([data-local])")) localise(moment);
  for (const counter of root.querySelectorAll("[data-counts]:not([data-alive])")) count(counter);
}

/** How long a text is to a person, as the server counts. */
export function lengthOf(text) {
  const trimmed = text.trim();
  if (!("Segmenter" in Intl)) return [...trimmed].length;
  let length = 0;
  for (const _ of new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(trimmed)) length += 1;
  return length;
}

/** A name for something that is sent, by which it counts once. */
export function newKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function localise(element) {
  const moment = new Date(element.dateTime);
  if (Number.isNaN(moment.getTime())) return;
  const language = document.documentElement.lang;
  const isToday = moment.toDateString() === new Date().toDateString();
  const isThisYear = moment.getFullYear() === new Date().getFullYear();
  const clock = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
  const day = { month: "short", day: "numeric", ...(isThisYear ? {} : { year: "numeric" }) };
  element.title = moment.toLocaleString(language, { dateStyle: "full", timeStyle: "medium" });
  element.textContent = moment.toLocaleString(language, isToday ? clock : { ...day, ...clock });
  element.dataset.local = "";
}

function count(counter) {
  const entry = document.getElementById(counter.dataset.counts);
  if (!entry) return;
  const limit = Number(entry.dataset.limit);
  const show = () => {
    const length = lengthOf(entry.value);
    counter.textContent = `${length.toLocaleString()} / ${limit.toLocaleString()}`;
    counter.classList.toggle("over", length > limit);
    counter.hidden = length < limit * 0.5 && limit > 200;
  };
  entry.addEventListener("input", show);
  counter.dataset.alive = "";
  show();
}

document.addEventListener("click", (click) => {
  // What opens or closes a dialog may also be a link or a button of a form, for browsers without scripts.
  const opened = document.getElementById(click.target.closest("[data-opens]")?.dataset.opens ?? "");
  const closed = click.target.closest("[data-closes]")?.closest("dialog");
  if (opened || closed) click.preventDefault();
  if (opened && !opened.open) opened.showModal();
  closed?.close();
  if (click.target.matches("dialog.dialog[open]") && isBeside(click)) click.target.close();
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (!menu.contains(click.target) || click.target.closest("[data-opens]")) menu.open = false;
  }
});

document.addEventListener("keydown", (key) => {
  const menu = key.key === "Escape" && document.activeElement?.closest("details.menu[open]");
  if (!menu) return;
  menu.open = false;
  menu.querySelector("summary").focus();
});

// A form that is sent twice by a double click is sent once.
document.addEventListener("submit", (submit) => {
  const form = submit.target;
  if (submit.defaultPrevented || form.method !== "post") return;
  if (form.dataset.sent) return submit.preventDefault();
  form.dataset.sent = "yes";
  submit.submitter?.setAttribute("aria-busy", "true");
  // A page that is still here after a while got a download for an answer, or none at all.
  setTimeout(() => release(form), 10_000);
});

// A page that comes back from the browser's memory may be sent again.
addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-sent]")) release(form);
});

function release(form) {
  delete form.dataset.sent;
  for (const button of form.querySelectorAll("[aria-busy]")) button.removeAttribute("aria-busy");
}

function isBeside(click) {
  const box = click.target.getBoundingClientRect();
  const { clientX: x, clientY: y } = click;
  return x < box.left || x > box.right || y < box.top || y > box.bottom;
}

function switchTheme() {
  const stored = () => {
    try {
      return localStorage.getItem("enza.theme") ?? "auto";
    } catch {
      return document.documentElement.dataset.theme ?? "auto";
    }
  };
  const show = () => {
    for (const button of document.querySelectorAll("[data-theme-choice]")) {
      button.setAttribute("aria-pressed", String(button.dataset.themeChoice === stored()));
    }
  };
  for (const box of document.querySelectorAll("[data-theme-switch]")) {
    box.hidden = false;
    box.addEventListener("click", (click) => {
      const choice = click.target.closest("[data-theme-choice]")?.dataset.themeChoice;
      if (!choice) return;
      if (choice === "auto") delete document.documentElement.dataset.theme;
      else document.documentElement.dataset.theme = choice;
      try {
        localStorage.setItem("enza.theme", choice);
      } catch {
        // The choice then holds for this page alone.
      }
      show();
    });
  }
  show();
}

for (const link of document.querySelectorAll(".ways a")) {
  if (link.pathname === location.pathname) link.setAttribute("aria-current", "page");
}
switchTheme();
enliven(document);
