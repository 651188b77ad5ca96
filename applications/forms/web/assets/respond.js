// The respondent's pages come alive: the chat follows its feed and sends without loading anew; what is typed is kept in
// this tab until it is known to have arrived. Everything works without this file, too.

import { classic, isChanged } from "./classic.js";
import { load, save } from "./drawer.js";
import { enliven, lengthOf, newKey, toast, trouble } from "./enza.js";
import { asking, fetchNews, follow, patience, reloadOnce } from "./feed.js";
import { inTurn } from "./saying.js";
import { hasSpoken, isAtTheEnd, speaking, toTheEnd } from "./speaking.js";

const talk = document.getElementById("talk");
const sheet = document.getElementById("sheet");

prepareDoor();
prepareCopies();
dateReceipt();
if (talk?.hasAttribute("data-live")) chat();
if (sheet) classic(sheet);

/** The door: the browser's time zone, and a fresh page for whoever comes back by the back button. */
function prepareDoor() {
  for (const zone of document.querySelectorAll("[data-timezone]")) {
    zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
    // A page that the browser kept would begin the same interview again; the server offers to go on with it.
    addEventListener("pageshow", (shown) => shown.persisted && location.reload());
  }
}

/** Buttons that need a script show only where there is one. */
function prepareCopies() {
  for (const button of document.querySelectorAll("[data-copies], [data-prints]")) button.hidden = false;
  document.addEventListener("click", async (click) => {
    if (click.target.closest("[data-prints]")) print();
    const button = click.target.closest("[data-copies]");
    if (!button) return;
    const source = document.getElementById(button.dataset.copies);
    try {
      await navigator.clipboard.writeText(source.value);
      toast(button.dataset.done);
    } catch {
      // Without the clipboard the text is at least chosen, to be copied by hand.
      source.hidden = false;
      source.focus();
      source.select();
    }
  });
}

/** A receipt says the day, too, even where that is today. */
function dateReceipt() {
  for (const moment of document.querySelectorAll("#receipt .facts time")) {
    const language = document.documentElement.lang;
    moment.textContent = new Date(moment.dateTime).toLocaleString(language, { dateStyle: "long", timeStyle: "short" });
  }
}

function chat() {
  const at = talk.dataset.at;
  const lines = document.getElementById("lines");
  const composer = document.getElementById("composer");
  const entry = document.getElementById("words");
  const send = composer.querySelector("button");
  const error = document.getElementById("words-error");
  const drawer = `enza.answer.${at}`;
  let head = Number(talk.dataset.head);
  const ask = asking(news);
  const say = inTurn({ entry, button: send, say: sendWords });
  let composing = false;

  const { speak, clear } = speaking({ page: talk, nameOf: () => document.getElementById("speaking").dataset.name });

  preparePanel();
  if (!entry.value) entry.value = load(drawer) ?? "";
  entry.dispatchEvent(new Event("input", { bubbles: true }));
  grow();
  if (hasSpoken()) toTheEnd();

  entry.addEventListener("input", () => {
    save(drawer, entry.value);
    error.hidden = true;
    grow();
  });
  entry.addEventListener("compositionstart", () => (composing = true));
  // The Enter that ends a composition comes after its end in some browsers: it is let pass for one turn.
  entry.addEventListener("compositionend", () => setTimeout(() => (composing = false)));
  entry.addEventListener("keydown", (key) => {
    const isSend = key.key === "Enter" && !key.shiftKey && !key.ctrlKey && !key.altKey && !key.metaKey;
    if (!isSend || composing || key.isComposing || key.keyCode === 229) return;
    key.preventDefault();
    composer.requestSubmit();
  });
  talk.addEventListener("submit", (submit) => {
    const form = submit.target;
    if (form !== composer && !form.matches("form.order")) return;
    submit.preventDefault();
    if (form === composer) say();
    else order(form, submit.submitter);
  });

  follow({ page: talk, address: `${at}/live`, head: () => head, ask, speak, clear });

  /** Sends the words that stand there. Says whether they arrived. */
  async function sendWords() {
    if (lengthOf(entry.value) > Number(entry.dataset.limit)) return complain(talk.dataset.tooLong);
    const text = entry.value;
    const words = await post(composer, send);
    if (words !== null) return complain(words);
    // Whoever wrote on while it was under way keeps what is new.
    if (entry.value === text) {
      entry.value = "";
      save(drawer, "");
      entry.dispatchEvent(new Event("input", { bubbles: true }));
    }
    ask();
    return true;
  }

  async function order(form, pressed) {
    if (form.dataset.busy) return;
    const words = await post(form, pressed);
    const place = form.querySelector("[data-error]");
    if (words === null) {
      form.closest("details.edit")?.removeAttribute("open");
      closePanel();
      ask();
    } else if (place) {
      place.textContent = words;
      place.hidden = false;
    } else {
      toast(words, "bad");
    }
  }

  /** Sends a form; says what was wrong, or null. The key stays until it is known to have arrived. */
  async function post(form, pressed) {
    form.dataset.busy = "yes";
    pressed?.setAttribute("aria-busy", "true");
    const sent = new FormData(form);
    const body = form.enctype === "multipart/form-data" ? sent : new URLSearchParams(sent);
    const response = await deliver(form.action, body);
    delete form.dataset.busy;
    pressed?.removeAttribute("aria-busy");
    if (!response?.ok) return trouble(response);
    if (form.elements.key) form.elements.key.value = newKey();
    return null;
  }

  function complain(words) {
    error.textContent = words;
    error.hidden = false;
    entry.focus();
    return false;
  }

  async function news() {
    const { status, drawn } = await fetchNews(`${at}/news?after=${head}`);
    if (drawn?.hasAttribute("data-over")) reloadOnce();
    else if (drawn) put(drawn);
    return status;
  }

  function put(found) {
    const stayed = isAtTheEnd();
    const part = (name) => found.querySelector(`[data-part="${name}"]`);
    let added = 0;
    let isAsked = false;
    for (const line of [...part("lines").children]) {
      if (Number(line.dataset.seq) <= head || lines.querySelector(`[data-seq="${line.dataset.seq}"]`)) continue;
      lines.append(line);
      added += 1;
      isAsked ||= line.matches(".agent.said");
    }
    head = Math.max(head, Number(found.dataset.head));
    talk.dataset.head = head;
    replace(document.getElementById("progress"), part("progress"));
    replace(document.getElementById("at-work"), part("at-work"));
    const turned = replace(document.getElementById("turn"), part("turn"));
    replace(document.getElementById("panel-body"), part("panel"));
    for (const button of talk.querySelectorAll("[data-copies]")) button.hidden = false;
    updateComposer(part("composer").querySelector("form"));
    // The respondent's own line comes while the next question is being written already: that one goes on.
    if (isAsked || !found.hasAttribute("data-working")) clear();
    enliven(talk);
    const title = turned && document.getElementById("closing-title");
    if (title) title.scrollIntoView({ block: "start" });
    else if (hasSpoken() && (stayed || added > 0)) toTheEnd();
  }

  function updateComposer(fresh) {
    const button = fresh.querySelector("button");
    const returns = send.disabled && !button.disabled;
    send.disabled = button.disabled;
    composer.hidden = fresh.hidden;
    const isElsewhere = document.activeElement && document.activeElement !== document.body;
    if (returns && !isElsewhere && matchMedia("(pointer: fine)").matches) entry.focus({ preventScroll: true });
  }

  function grow() {
    entry.rows = 1;
    const line = Number.parseFloat(getComputedStyle(entry).lineHeight) || 24;
    const room = entry.scrollHeight - Number.parseFloat(getComputedStyle(entry).paddingBlockStart) * 2;
    entry.rows = Math.max(1, Math.min(8, Math.round(room / line)));
  }
}

/** Sends until an answer comes, a few times. The key in it makes sure that it is done once, however often it arrives. */
async function deliver(address, body) {
  const headers = { accept: "application/json" };
  // A file on a slow line takes as long as it takes.
  const limit = () => (body instanceof FormData ? undefined : patience());
  for (const wait of [500, 1500, null]) {
    const response = await fetch(address, { method: "POST", headers, body, signal: limit() }).catch(() => null);
    const isUnsure = !response || response.status >= 500;
    if (!isUnsure || wait === null) return response;
    await new Promise((done) => setTimeout(done, wait));
  }
}

/** On a phone the panel is a sheet that is drawn up, and put away by Escape, the button, or a touch beside it. */
function preparePanel() {
  const panel = document.getElementById("panel");
  const opener = document.querySelector("[data-panel]");
  talk.classList.add("is-alive");
  opener.hidden = false;
  document.querySelector("[data-panel-close]").hidden = false;
  opener.addEventListener("click", () => {
    talk.classList.add("shows-panel");
    opener.setAttribute("aria-expanded", "true");
    panel.querySelector("[data-panel-close]").focus();
  });
  document.addEventListener("click", (click) => {
    if (!talk.classList.contains("shows-panel") || opener.contains(click.target)) return;
    if (click.target.closest("[data-panel-close]") || !panel.contains(click.target)) closePanel();
  });
  document.addEventListener("keydown", (key) => key.key === "Escape" && closePanel());
}

function closePanel() {
  if (!talk.classList.contains("shows-panel")) return;
  talk.classList.remove("shows-panel");
  const opener = document.querySelector("[data-panel]");
  opener.setAttribute("aria-expanded", "false");
  opener.focus();
}

/** Replaces what is drawn, unless it is the same, or someone is writing in it. Says whether it did. */
function replace(old, fresh) {
  if (shape(old) === shape(fresh)) return false;
  const written = [...old.querySelectorAll("input:not([type=hidden], [readonly]), textarea, select")];
  const isInUse = old.querySelector("details.edit[open]") && written.some((one) => one === document.activeElement || isChanged(one));
  if (isInUse) return false;
  const focused = old.contains(document.activeElement) ? document.activeElement.textContent : null;
  old.replaceChildren(...fresh.childNodes);
  if (focused) [...old.querySelectorAll("button, a, summary")].find((one) => one.textContent === focused)?.focus();
  return true;
}

function shape(part) {
  const copy = part.cloneNode(true);
  for (const key of copy.querySelectorAll('[name="key"]')) key.remove();
  for (const one of copy.querySelectorAll("[open]")) one.removeAttribute("open");
  for (const one of copy.querySelectorAll("[data-copies]")) one.removeAttribute("hidden");
  for (const moment of copy.querySelectorAll("time")) moment.replaceWith(moment.dateTime);
  return copy.innerHTML;
}
