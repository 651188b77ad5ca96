// Follows the feed of a page: that something happened, and pieces of what is being written. Connects again by itself, for as long as it
// takes, and says so quietly.

/** How long to wait before asking again where no answer came. */
const A_WHILE = 2000;

/** After this a question that was not answered counts as lost. A line that died in silence would be waited for for ever. */
const PATIENCE = 30_000;

let isLeaving = false;

/** Ends a wait that has become too long. Older browsers do not know it, and wait on. */
export function patience() {
  return AbortSignal.timeout?.(PATIENCE);
}

/** Loads the page anew, once, and asks nothing more: a second time would cancel the first, which is still under way. */
export function reloadOnce() {
  if (isLeaving) return;
  isLeaving = true;
  location.reload();
}

/** What is new, as the server draws it: nothing drawn, and a status of 0, where no answer came. */
export async function fetchNews(address) {
  try {
    const response = await fetch(address, { signal: patience() });
    // Whoever is not signed in any more is led to the door.
    if (response.redirected) return { status: 401 };
    if (!response.ok) return { status: response.status };
    const drawn = new DOMParser().parseFromString(await response.text(), "text/html").getElementById("news");
    return { status: drawn ? response.status : 0, drawn };
  } catch {
    return { status: 0 };
  }
}

/**
 * Asks by `news` one question at a time, once more if something came meanwhile, and again where no answer came: the feed
 * tells of each event only once.
 */
export function asking(news) {
  let answer = null;
  let askAgain = false;
  let later = 0;
  return function ask() {
    if (isLeaving) return Promise.resolve(0);
    if (answer) {
      askAgain = true;
      return answer;
    }
    clearTimeout(later);
    answer = news().finally(() => (answer = null)).then((status) => {
      if (askAgain) ask();
      else if (status === 0 || status >= 500) later = setTimeout(ask, A_WHILE);
      return status;
    });
    askAgain = false;
    return answer;
  };
}

/** Follows until the session is gone. */
export function follow({ page, head, ask, speak, clear }) {
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
    source = new EventSource(`${page.dataset.at}/live?after=${head()}`);
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
