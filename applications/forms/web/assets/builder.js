// The builder with life in it: saving as one types, cards that move, rows that grow.
//
// The server draws every part; here cards are only moved, taken out and put back. What is typed is sent as the page's own
// form, and the answer brings the parts that follow from it. Nothing that was typed is replaced by an answer.

import { enliven, trouble } from "./enza.js";

const builder = document.getElementById("builder");
if (builder) build(builder);

function build(page) {
  const form = document.getElementById("draft");
  const cards = document.getElementById("cards");
  const groups = document.getElementById("groups");
  const dialog = document.getElementById("meanwhile");
  const saved = document.getElementById("saved");
  const edition = form.elements.edition;
  const words = page.dataset;
  // What was typed before this file had arrived, or was put back by the browser, is not kept yet.
  let last = entries(form).some(isTyped) ? "" : content();
  let hasSaved = false;
  let timer = 0;
  let running = null;
  let stopped = false;
  let fresh = 0;

  for (const handle of cards.querySelectorAll("[data-drag]")) handle.hidden = false;
  document.getElementById("blank-card").content.querySelector("[data-drag]").hidden = false;

  form.addEventListener("input", (input) => {
    if (input.target.name?.endsWith(".label")) rename(input.target.closest(".field-card"));
    if (input.target.name?.endsWith(".item")) refer();
    grow(input.target.closest("[data-row]"));
    later();
  });
  form.addEventListener("change", (change) => {
    grow(change.target.closest("[data-row]"));
    if (content() !== last) later();
  });
  form.addEventListener("submit", submitted);
  cards.addEventListener("keydown", (key) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[key.key];
    if (!by || !key.altKey || key.ctrlKey || key.metaKey || key.isComposing) return;
    key.preventDefault();
    move(key.target.closest(".field-card"), by, key.target);
  });
  cards.addEventListener("pointerdown", drag);
  addEventListener("beforeunload", (leave) => {
    if (!stopped && content() !== last) leave.preventDefault();
  });
  document.addEventListener("visibilitychange", () => document.hidden && save());
  dialog.querySelector("[data-theirs]").addEventListener("click", () => {
    stopped = true;
    location.reload();
  });
  dialog.querySelector("[data-mine]").addEventListener("click", () => {
    edition.value = dialog.dataset.edition;
    dialog.close();
    save();
  });
  // A download leaves the page as it is: it may be sent again.
  const keep = dialog.querySelector("[data-keeps]");
  keep.addEventListener("click", () =>
    setTimeout(() => {
      delete form.dataset.sent;
      keep.removeAttribute("aria-busy");
    }, 500),
  );
  dialog.addEventListener("close", () => content() !== last && show(words.unsaved, "warn"));

  if (content() !== last) later();

  // Buttons do here what they do on the server; the rest of the form is sent plainly.
  function submitted(submit) {
    const press = submit.submitter?.dataset.press;
    const card = submit.submitter?.closest(".field-card, .group-card");
    const acts = {
      up: () => move(card, -1, submit.submitter),
      down: () => move(card, 1, submit.submitter),
      add: () => add("blank-card", cards),
      "add-group": () => add("blank-group", groups),
      duplicate: () => duplicate(card),
      remove: () => remove(card),
      "remove-group": () => remove(card),
    };
    if (submit.submitter?.hasAttribute("data-keeps")) return;
    const isSaving = !submit.submitter || submit.submitter.value === "save";
    if (press || isSaving) {
      submit.preventDefault();
      submit.stopImmediatePropagation();
      if (press) acts[press]();
      else save();
      return;
    }
    // Leaving for a test run or a version: what is under way must be over, or the edition would be an old one.
    if (running || timer) {
      submit.preventDefault();
      submit.stopImmediatePropagation();
      const { submitter } = submit;
      submitter.setAttribute("aria-busy", "true");
      save().then((kept) => {
        submitter.removeAttribute("aria-busy");
        const again = form.querySelector(`button[name="press"][value="${submitter.value}"]`);
        // A form cannot be sent again from within its own sending.
        if (kept && again && !again.disabled) setTimeout(() => form.requestSubmit(again));
      });
      return;
    }
    stopped = true;
  }

  function content() {
    return new URLSearchParams(new FormData(form)).toString().replace(/(^|&)edition=\d+/u, "");
  }

  function later() {
    show(words.unsaved, "");
    clearTimeout(timer);
    timer = setTimeout(save, 800);
  }

  /** Saves what is there, once more if it has changed meanwhile. Says whether it is kept. */
  async function save() {
    clearTimeout(timer);
    timer = 0;
    if (running) {
      await running;
      return content() === last ? true : save();
    }
    if (content() === last) {
      show(hasSaved ? words.saved : "", hasSaved ? "good" : "");
      return true;
    }
    running = send();
    const kept = await running;
    running = null;
    if (kept && content() !== last && !timer) return save();
    return kept;
  }

  async function send() {
    show(words.saving, "");
    const sent = content();
    const body = new URLSearchParams(new FormData(form));
    const response = await fetch(`/forms/${words.form}/save`, { method: "POST", body }).catch(() => null);
    if (response?.ok && response.headers.get("content-type")?.includes("json")) {
      last = sent;
      hasSaved = true;
      take(await response.json());
      // What was typed while it was under way is not kept yet, and whoever leaves now must not be told that it is.
      const isAll = content() === last;
      show(isAll ? words.saved : words.unsaved, isAll ? "good" : "");
      return true;
    }
    if (response?.status === 409) {
      const { error } = await response.clone().json().catch(() => ({ error: {} }));
      if (error.code === "form-edited-meanwhile") {
        await meet();
        return false;
      }
    }
    show(response?.status === 401 ? words.gone : await trouble(response), "bad");
    // A line that was lost comes back; what is typed is tried again until then.
    if (!response || response.status >= 500) timer = setTimeout(save, 5000);
    return false;
  }

  /** Another window was faster: nothing is sent before the owner has chosen. */
  async function meet() {
    const response = await fetch(`/api/forms/${words.form}`).catch(() => null);
    if (response?.ok) dialog.dataset.edition = (await response.json()).edition;
    show(words.unsaved, "bad");
    if (!dialog.open) dialog.showModal();
  }

  function take(answer) {
    edition.value = answer.edition;
    document.getElementById("form-title").textContent = answer.title;
    for (const [name, html] of Object.entries(answer.parts)) {
      const part = page.querySelector(`[data-part="${name}"]`);
      const made = document.createElement("template");
      made.innerHTML = html;
      const inner = made.content.querySelector(`[data-part="${name}"]`);
      if (inner) part.replaceWith(inner);
      else part.replaceChildren(made.content);
    }
    for (const [id, faults] of Object.entries(answer.faults)) {
      const card = document.getElementById(id);
      if (!card) continue;
      card.toggleAttribute("data-has-faults", faults.length > 0);
      card.querySelector("[data-faults]").replaceChildren(...faults.map(faultLine));
    }
    for (const card of cards.children) {
      const entry = entryOf(card, "field_id");
      if (entry && !entry.value) entry.placeholder = answer.ids[card.dataset.key] ?? "";
    }
    enliven(page);
  }

  function show(text, tone) {
    saved.textContent = text;
    saved.className = `saved ${tone}`;
  }

  function move(card, by, focus) {
    const other = by < 0 ? card.previousElementSibling : card.nextElementSibling;
    if (!other?.matches(".field-card")) return;
    if (by < 0) other.before(card);
    else other.after(card);
    arranged(card);
    card.scrollIntoView({ block: "nearest" });
    const target = focus?.isConnected && !focus.disabled ? focus : card.querySelector(".card-name");
    target.focus({ preventScroll: true });
  }

  /** After cards have another order: numbers, what can be pressed, what can be pointed to. */
  function arranged(card) {
    const all = [...cards.querySelectorAll(":scope > .field-card")];
    for (const [place, one] of all.entries()) {
      one.querySelector("[data-place]").textContent = place + 1;
      one.querySelector('[data-press="up"]').disabled = place === 0;
      one.querySelector('[data-press="down"]').disabled = place === all.length - 1;
    }
    refer();
    later();
    if (card) announce(words.moved, { name: nameOf(card), place: all.indexOf(card) + 1, count: all.length });
  }

  function add(template, list) {
    const card = keyed(document.getElementById(template).content.firstElementChild.cloneNode(true));
    list.append(card);
    arranged();
    announce(words.added, {});
    card.querySelector("input[type=text]").focus();
  }

  function duplicate(card) {
    const copy = card.cloneNode(true);
    const [from, to] = [entries(card), entries(copy)];
    for (const [place, entry] of from.entries()) {
      to[place].value = entry.value;
      to[place].checked = entry.checked;
    }
    card.after(keyed(copy));
    entryOf(copy, "field_id").value = "";
    arranged();
    announce(words.added, {});
    const label = entryOf(copy, "label");
    label.focus();
    label.select();
  }

  /** Takes a card out; a line in its place puts it back. */
  function remove(card) {
    const name = nameOf(card);
    const key = card.dataset.key;
    const isField = card.matches(".field-card");
    const line = document.createElement("li");
    line.className = "removed";
    const said = document.createElement("span");
    said.textContent = words.removed.replace("{name}", name);
    const undo = document.createElement("button");
    undo.type = "button";
    undo.className = "button plain";
    undo.textContent = words.undo;
    line.append(said, undo);
    for (const old of page.querySelectorAll("li.removed")) old.remove();
    // Whatever points to it keeps its id, so that its author is told.
    const id = isField ? entryOf(card, "field_id").value || entryOf(card, "field_id").placeholder : entryOf(card, "group_id").value;
    const kept = [...form.querySelectorAll("select.reference, select.group-reference")].filter((select) => select.value === `@${key}`);
    card.replaceWith(line);
    if (isField) for (const select of kept) select.append(new Option(id, id, true, true));
    else for (const select of kept) select.value = "";
    undo.addEventListener("click", () => {
      line.replaceWith(card);
      arranged();
      for (const select of kept) select.value = `@${key}`;
      refer();
      announce(words.undone, {});
      (card.querySelector(".card-name") ?? card.querySelector("input")).focus();
    });
    arranged();
    announce(words.removed, { name });
    undo.focus();
  }

  /** Gives a card that was copied a key of its own, everywhere. */
  function keyed(card) {
    const [old, key] = [card.dataset.key, `n${Date.now().toString(36)}${(fresh += 1)}`];
    const list = card.matches(".field-card") ? "field" : "group";
    const renamed = (text) =>
      text
        .replaceAll(`${list}s[${old}]`, `${list}s[${key}]`)
        .replaceAll(`${list}s-${old}-`, `${list}s-${key}-`)
        .replace(new RegExp(`^${list}-${old}(?=$|-)`, "u"), `${list}-${key}`)
        .replace(new RegExp(`:${old}$`, "u"), `:${key}`);
    for (const element of [card, ...card.querySelectorAll("*")]) {
      for (const name of ["id", "name", "for", "aria-labelledby", "aria-describedby"]) {
        if (element.hasAttribute(name)) element.setAttribute(name, renamed(element.getAttribute(name)));
      }
      if (element.name === "press") element.value = renamed(element.value);
    }
    card.dataset.key = key;
    return card;
  }

  /** Lets every choice of a field offer those that stand before it, under the names they have now. */
  function refer() {
    const known = [...cards.querySelectorAll(":scope > .field-card")];
    for (const [place, card] of known.entries()) {
      for (const select of card.querySelectorAll("select.reference")) offer(select, known.slice(0, place));
      for (const select of card.querySelectorAll("select.group-reference")) offer(select, [...groups.querySelectorAll(".group-card")]);
    }
  }

  function offer(select, others) {
    const chosen = select.value;
    const options = others.map((other) => new Option(nameOf(other), `@${other.dataset.key}`));
    const isThere = options.some((option) => option.value === chosen);
    // What is chosen and does not fit any more stays in sight: the server says what is wrong with it.
    if (chosen && !isThere) options.unshift(new Option(select.selectedOptions[0].textContent, chosen));
    select.replaceChildren(select.options[0], ...options);
    select.value = chosen;
  }

  /** A row that is being filled is followed by another empty one. */
  function grow(row) {
    if (!row || row.nextElementSibling?.matches("[data-row]")) return;
    const isEmpty = entries(row).every((entry) => !entry.value || entry.matches("select.test"));
    if (isEmpty) return;
    const next = row.cloneNode(true);
    const number = Number(row.querySelector("[name]").name.match(/\[(\d+)\]\.\w+$/u)[1]);
    for (const element of next.querySelectorAll("*")) {
      for (const name of ["id", "name", "for"]) {
        const value = element.getAttribute(name);
        if (value) element.setAttribute(name, value.replace(`[${number}].`, `[${number + 1}].`).replace(new RegExp(`-${number}--(\\w+)$`, "u"), `-${number + 1}--$1`));
      }
    }
    for (const entry of entries(next)) entry.value = entry.matches("select.test") ? "is" : "";
    row.after(next);
  }

  function rename(card) {
    const name = card.querySelector(".card-name");
    name.textContent = nameOf(card);
    for (const button of card.querySelectorAll(".card-moves [aria-label]")) {
      button.setAttribute("aria-label", `${button.getAttribute("aria-label").split(": ")[0]}: ${nameOf(card)}`);
    }
    refer();
  }

  function drag(down) {
    const card = down.target.closest("[data-drag]")?.closest(".field-card");
    if (!card || down.button !== 0) return;
    down.preventDefault();
    const order = () => [...cards.children].indexOf(card);
    const from = order();
    card.classList.add("is-dragged");
    // The document listens, not the handle: an element that is moved loses what it has captured.
    const over = (moved) => {
      const others = [...cards.querySelectorAll(":scope > .field-card")].filter((one) => one !== card);
      const below = others.find((one) => moved.clientY < middle(one));
      if (below ? card.nextElementSibling !== below : cards.lastElementChild !== card) {
        if (below) below.before(card);
        else cards.append(card);
      }
      const edge = 60;
      if (moved.clientY < edge) scrollBy(0, -12);
      if (moved.clientY > innerHeight - edge) scrollBy(0, 12);
    };
    const end = () => {
      for (const name of ["pointerup", "pointercancel"]) document.removeEventListener(name, end);
      document.removeEventListener("pointermove", over);
      card.classList.remove("is-dragged");
      if (order() !== from) arranged(card);
    };
    document.addEventListener("pointermove", over);
    for (const name of ["pointerup", "pointercancel"]) document.addEventListener(name, end);
  }

  function announce(text, pieces) {
    const said = Object.entries(pieces).reduce((so_far, [name, piece]) => so_far.replace(`{${name}}`, piece), text);
    document.getElementById("announced").textContent = said;
  }

  function nameOf(card) {
    const entry = entryOf(card, card.matches(".field-card") ? "label" : "item");
    return entry.value.trim() || cardsUnnamed();
  }

  function cardsUnnamed() {
    return document.getElementById("blank-card").content.querySelector(".card-name").dataset.unnamed;
  }
}

function entryOf(card, part) {
  return card.querySelector(`[name$="].${part}"]`);
}

function entries(root) {
  return [...root.querySelectorAll("input, select, textarea")];
}

function isTyped(entry) {
  const isText = entry.matches("textarea, input:not([type=hidden], [type=checkbox], [type=radio])");
  return isText && entry.value !== entry.defaultValue;
}

function faultLine(text) {
  const line = document.createElement("li");
  line.className = "error";
  line.textContent = text;
  return line;
}

function middle(element) {
  const box = element.getBoundingClientRect();
  return box.top + box.height / 2;
}
