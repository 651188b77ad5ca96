// Writing and deciding: the place to write, the buttons, the gate. What is sent goes through the interface for programs.
//
// What was typed is kept in this browser until it is known to have arrived. Each message has one idempotency key for as
// long as its words are the same, so sending it again after a lost answer says it once.

import { lengthOf, newKey, toast, trouble } from "./enza.js";
import { given } from "./gate.js";
import { inTurn } from "./saying.js";

/** Brings the forms of a session to life. `sent` is called when something was accepted. */
export function compose({ session, sent }) {
  const page = document.getElementById("session");
  const form = document.getElementById("composer");
  const entry = document.getElementById("words");
  const button = form.querySelector("button");
  const error = document.getElementById("words-error");
  const drawer = `enza.draft.${session}`;
  const say = inTurn({ entry, button, say: sendWords });
  let composing = false;
  let draft = load(drawer);

  if (!entry.value && draft.text) entry.value = draft.text;
  entry.dispatchEvent(new Event("input", { bubbles: true }));
  grow();

  entry.addEventListener("input", () => {
    if (draft.text !== entry.value) draft = { text: entry.value, key: null };
    save(drawer, draft);
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
  page.addEventListener("submit", (submit) => {
    if (submit.target.matches("form.order")) order(submit);
    if (submit.target.matches("form[data-gate]")) answer(submit);
  });

  /** Sends the words that stand there. Says whether they arrived. */
  async function sendWords() {
    if (lengthOf(entry.value) > Number(entry.dataset.limit)) return complain(page.dataset.tooLong);
    const text = entry.value;
    const way = chosen();
    draft = { text, way, key: draft.text === text && draft.way === way && draft.key ? draft.key : newKey() };
    save(drawer, draft);
    button.setAttribute("aria-busy", "true");
    const { ok, words, remarks } = await post(
      `/api/sessions/${session}/commands`,
      filled(JSON.parse(way), form.dataset.place, text),
      draft.key,
    );
    button.removeAttribute("aria-busy");
    if (!ok) return complain(words);
    // Whoever wrote on while it was under way keeps what is new.
    if (entry.value === text) {
      entry.value = "";
      draft = { text: "", key: null };
      save(drawer, draft);
      entry.dispatchEvent(new Event("input", { bubbles: true }));
    }
    const first = form.querySelector('[type="radio"]');
    if (first) first.checked = true;
    remark(remarks);
    sent();
    return true;
  }

  /** The command that the words go into. */
  function chosen() {
    return form.querySelector('[name="command"]:checked')?.value ?? form.dataset.command;
  }

  async function order(submit) {
    const target = submit.target;
    submit.preventDefault();
    await once(target, submit.submitter, `/api/sessions/${session}/commands`, JSON.parse(target.dataset.command));
    target.closest("dialog")?.close();
  }

  async function answer(submit) {
    const target = submit.target;
    submit.preventDefault();
    // An Enter somewhere in the form is no answer.
    if (!submit.submitter?.value) return;
    await once(target, submit.submitter, `/api/sessions/${session}/gates/${target.dataset.gate}`, given(target, submit.submitter));
  }

  async function once(target, pressed, address, body) {
    if (target.dataset.busy) return;
    target.dataset.busy = "yes";
    pressed?.setAttribute("aria-busy", "true");
    const said = JSON.stringify(body);
    if (target.dataset.said !== said) {
      target.dataset.said = said;
      target.dataset.key = newKey();
    }
    const { ok, words } = await post(address, body, target.dataset.key);
    delete target.dataset.busy;
    pressed?.removeAttribute("aria-busy");
    if (ok) delete target.dataset.said;
    else toast(words, "bad");
    // What was refused is often stale: the page shows how it stands now.
    sent();
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
    entry.rows = Math.max(1, Math.min(10, Math.round(room / line)));
  }

  /** The ways to say it, where they are others than before. Whoever has chosen one keeps it. */
  function updateWays(fresh) {
    const [old, anew] = [form, fresh].map((one) => one.querySelector(".ways-to-say"));
    const commands = (part) => [...part.querySelectorAll("input")].map((one) => one.value).join();
    if (commands(old) === commands(anew)) return;
    const was = chosen();
    old.replaceChildren(...anew.childNodes);
    const same = [...old.querySelectorAll("input[type=radio]")].find((one) => one.value === was);
    if (same) same.checked = true;
  }

  return {
    /** Takes over what the server has drawn anew, without touching the words. */
    update(fresh) {
      for (const name of ["command", "place"]) {
        if (fresh.dataset[name] === undefined) delete form.dataset[name];
        else form.dataset[name] = fresh.dataset[name];
      }
      form.elements.place.value = fresh.elements.place.value;
      updateWays(fresh);
      form.querySelector("label").textContent = fresh.querySelector("label").textContent;
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

/** Sends a body; says whether it was accepted, what there is to remark, and if it was not, why. */
async function post(address, body, key) {
  const headers = { "content-type": "application/json", accept: "application/json", "idempotency-key": key };
  const response = await fetch(address, { method: "POST", headers, body: JSON.stringify(body) }).catch(() => null);
  if (!response?.ok) return { ok: false, words: await trouble(response) };
  const { remarks = [] } = await response.json().catch(() => ({}));
  return { ok: true, remarks };
}

/** A command with words put into its hole, which a JSON pointer names. */
function filled(command, place, text) {
  const steps = place.split("/").slice(1).map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  const last = steps.pop();
  const around = steps.reduce((at, step) => at[step], command);
  around[last] = text;
  return command;
}

function load(drawer) {
  try {
    return { text: "", key: null, ...JSON.parse(localStorage.getItem(drawer) ?? "{}") };
  } catch {
    return { text: "", key: null };
  }
}

function save(drawer, draft) {
  try {
    if (draft.text) localStorage.setItem(drawer, JSON.stringify(draft));
    else localStorage.removeItem(drawer);
  } catch {
    // Without storage the words live as long as the page.
  }
}
