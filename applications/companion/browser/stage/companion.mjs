// A companion on a small folder, with a model that gives these replies one after the other: OpenAI's streaming dialect on
// loopback. `hold()` keeps the next reply back until `release()`, so that a test can look at work under way.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";

/** A model that plays by script. What is asked beyond the script is refused. */
export async function startScript() {
  const replies = [];
  let held = Promise.resolve();
  let release = () => {};
  const server = http.createServer(async (request, response) => {
    for await (const _ of request);
    await held;
    const reply = replies.shift();
    if (!reply) {
      response.writeHead(400, { "content-type": "application/json" });
      return response.end(JSON.stringify({ error: { message: "the script is over" } }));
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    const say = (value) => response.write(`data: ${JSON.stringify(value)}\n\n`);
    const delta = (delta, finish = null) => say({ model: "talker", choices: [{ index: 0, delta, finish_reason: finish }] });
    delta({ role: "assistant", content: JSON.stringify(reply) });
    delta({}, "stop");
    say({ model: "talker", choices: [], usage: { prompt_tokens: 900, completion_tokens: 40 } });
    response.end("data: [DONE]\n\n");
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${server.address().port}/v1`,
    script: (...more) => replies.push(...more),
    forget: () => replies.splice(0).length,
    hold: () => (held = new Promise((go) => (release = go))),
    release: () => release(),
    resume: () => release(),
    close: () => new Promise((done) => { release(); server.closeAllConnections(); server.close(done); }),
  };
}

/** A folder of work with these files. */
export function project(files) {
  const folder = mkdtempSync(path.join(tmpdir(), "enza-project-"));
  mkdirSync(path.join(folder, ".git"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  return {
    folder,
    text: (name) => readFileSync(path.join(folder, name), "utf8"),
    write: (name, text) => writeFileSync(path.join(folder, name), text),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A session on a folder, opened through the interface for programs. Its page is open afterwards. */
export async function openCompanion(page, house, folder, { lang = "en", settings = {} } = {}) {
  if (!page.url().startsWith(house.address)) await page.goto(`${house.address}/`);
  const command = { open: { folder, language: lang, settings } };
  const id = await page.evaluate(async (body) => {
    const headers = { "content-type": "application/json" };
    const answer = await fetch("/api/sessions", { method: "POST", headers, body: JSON.stringify(body) });
    const said = await answer.json();
    if (!answer.ok) throw new Error(JSON.stringify(said));
    return said.id;
  }, { application: "companion", command });
  await page.goto(`${house.address}/sessions/${id}`);
  return id;
}

/** Presses the button of the companion's card, which folds the field for a folder out. */
export async function unfold(page) {
  await page.locator("details:has(form.in-folder) > summary").click();
}

/** A session on a folder, begun on the first page as a person does. Its page is open afterwards. */
export async function beginIn(page, house, folder) {
  await page.goto(`${house.address}/`);
  await unfold(page);
  await page.locator("#field-folder").fill(folder);
  await page.locator("form.in-folder button").click();
  await page.waitForURL(/\/sessions\//u);
  return page.url().match(/sessions\/([^/?#]+)/u)[1];
}

/** Says something and waits until it stands in the conversation. */
export async function say(page, text) {
  await page.locator("#words").fill(text);
  await page.locator("#words").press("Enter");
  await page.locator(`.message.person:has-text(${JSON.stringify(text)})`).last().waitFor();
}

/** A reply with what every one must have. */
export function reply(more) {
  return {
    rationale: "the person asked",
    goal_consistency: "yes",
    constraint_check: "yes",
    next_step: "done",
    step: "PLANNING",
    prompt_pattern: "base_main",
    ...more,
  };
}

/** A reply that wants a whole file written. */
export const write = (file, content, why = "as asked") => ({ operation: "write", path: file, content, rationale: why });

/** A review that is content. */
export function approval(text) {
  const review = { rating: "good", problems: [], proposals: [], approval: "approved" };
  return reply({ reply: text, step: "REVIEW", review });
}
