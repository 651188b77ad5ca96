// Follows the feed of a session: events and pieces of what is being written. Connects again by itself, for as long as it
// takes, and says so quietly.

/** Follows until the session is gone. */
export function follow({ page, head, ask, speak, clear, address = `/api/sessions/${page.dataset.session}/live` }) {
  const notice = document.getElementById("link-lost");
  let source = null;
  let wait = 1000;
  let lost = false;
  connect();
  addEventListener("online", () => lost && connect());
  addEventListener("pagehide", () => source?.close());
  addEventListener("pageshow", (shown) => shown.persisted && connect());

  function connect() {
    source?.close();
    source = new EventSource(`${address}?after=${head()}`);
    source.addEventListener("open", found);
    source.addEventListener("error", failed);
    source.addEventListener("event", () => ask());
    source.addEventListener("piece", (message) => piece(JSON.parse(message.data)));
    source.addEventListener("gone", () => end(page.dataset.gone));
  }

  function piece({ thread, kind, text, spoken }) {
    if (kind === "again") clear(thread);
    else if (spoken && text) speak(thread, text);
  }

  function found() {
    wait = 1000;
    if (!lost) return;
    lost = false;
    // What is being written comes again from its beginning.
    clear();
    ask();
    notice.textContent = page.dataset.back;
    notice.classList.add("is-back");
    setTimeout(() => lost || (notice.hidden = true), 2500);
  }

  async function failed() {
    if (!lost) {
      lost = true;
      notice.textContent = page.dataset.lost;
      notice.classList.remove("is-back");
      notice.hidden = false;
    }
    // The browser tries again by itself after a broken connection, but not after an answer that was no stream.
    if (source.readyState !== EventSource.CLOSED) return;
    const status = await ask();
    if (status === 404) return end(page.dataset.gone);
    if (status === 401) return end(page.dataset.signedOut);
    setTimeout(() => lost && connect(), wait * (0.75 + Math.random() / 2));
    wait = Math.min(wait * 2, 15_000);
  }

  function end(text) {
    source.close();
    lost = false;
    clear();
    notice.textContent = text;
    notice.classList.remove("is-back");
    notice.hidden = false;
  }
}
