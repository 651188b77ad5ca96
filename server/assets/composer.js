// The place to write. What was typed is kept until it is known to have arrived, together with the key by which the same
// words count once.

import { lengthOf, newKey, toast } from "./enza.js";
import { load, save } from "./drawer.js";
import { inTurn } from "./saying.js";
import { send } from "./send.js";

/** How many lines the entry grows to at most. */
const TALLEST = 8;

/** Brings the entry of a page to life. `sent` is called when something was accepted. */
export function compose({ page, sent }) {
  const form = document.getElementById("composer");
  const entry = document.getElementById("words");
  const button = form.querySelector("button");
  const error = document.getElementById("words-error");
  const { key } = form.elements;
  const drawer = `enza.words.${page.dataset.at}`;
  const say = inTurn({ entry, button, say: sendWords });
  let composing = false;
  let draft = kept(load(drawer, page.dataset.keeps));

  if (!entry.value && draft.text) entry.value = draft.text;
  if (draft.key && entry.value === draft.text) key.value = draft.key;
  entry.dispatchEvent(new Event("input", { bubbles: true }));
  grow();

  entry.addEventListener("input", () => {
    // Other words are another message.
    if (entry.value !== draft.text) key.value = newKey();
    keep();
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
    form.requestSubmit();
  });
  form.addEventListener("submit", (submit) => {
    submit.preventDefault();
    say();
  });

  /** Sends the words that stand there. Says whether they arrived. */
  async function sendWords() {
    if (lengthOf(entry.value) > Number(entry.dataset.limit)) return complain(page.dataset.tooLong);
    const text = entry.value;
    keep();
    const { ok, words, remarks } = await send(form, button);
    if (!ok) return complain(words);
    // Whoever wrote on while it was under way keeps what is new.
    if (entry.value === text) entry.value = "";
    entry.dispatchEvent(new Event("input", { bubbles: true }));
    const first = form.querySelector('[type="radio"]');
    if (first) first.checked = true;
    remark(remarks);
    sent();
    return true;
  }

  function keep() {
    draft = { text: entry.value, key: key.value };
    save(drawer, draft.text && JSON.stringify(draft), page.dataset.keeps);
  }

  /** Says which files went along, and below the entry which did not. */
  function remark(remarks) {
    const of = (kind) => remarks.filter((one) => one.kind === kind).map((one) => one.text);
    const [notes, warnings] = [of("note"), of("warning")];
    if (notes.length) toast(notes.join("\n"));
    if (warnings.length) complain(warnings.join(" "));
  }

  function complain(words) {
    error.textContent = words;
    error.hidden = false;
    entry.focus();
    return false;
  }

  function grow() {
    entry.rows = 1;
    const line = Number.parseFloat(getComputedStyle(entry).lineHeight) || 24;
    const room = entry.scrollHeight - Number.parseFloat(getComputedStyle(entry).paddingBlockStart) * 2;
    entry.rows = Math.max(1, Math.min(TALLEST, Math.round(room / line)));
  }

  /** What is sent beside the words, where it is another than before. Whoever has chosen a way to say it keeps that. */
  function updateWays(fresh) {
    const [old, anew] = [form, fresh].map((one) => one.querySelector(".ways-to-say"));
    const all = (part) => [...part.querySelectorAll("input")].map((one) => `${one.name}=${one.value}`).join();
    if (all(old) === all(anew)) return;
    const was = old.querySelector(":checked")?.value;
    old.replaceChildren(...anew.childNodes);
    const same = [...old.querySelectorAll("input[type=radio]")].find((one) => one.value === was);
    if (same) same.checked = true;
  }

  return {
    /** Takes over what the server has drawn anew, without touching the words. */
    update(fresh) {
      const label = "label[for=words]";
      updateWays(fresh);
      form.querySelector(label).textContent = fresh.querySelector(label).textContent;
      entry.dataset.limit = fresh.elements.words.dataset.limit;
      const returns = button.disabled && !fresh.querySelector("button").disabled;
      button.disabled = fresh.querySelector("button").disabled;
      const appears = form.hidden && !fresh.hidden;
      form.hidden = fresh.hidden;
      const isElsewhere = document.activeElement && document.activeElement !== document.body;
      if ((returns || appears) && !isElsewhere && matchMedia("(pointer: fine)").matches) entry.focus({ preventScroll: true });
      grow();
    },
  };
}

function kept(text) {
  try {
    return { text: "", key: null, ...JSON.parse(text ?? "{}") };
  } catch {
    return { text: "", key: null };
  }
}
