// An editor for tests: the protocol's own library on this side, `enza companion --acp` on the other.
//
// A house of its own with a small project, and a model on loopback that plays by script. Whatever the library made of a
// message is compared with what stood on the wire: it passes over what it does not understand, and we must not.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable, Transform, Writable } from "node:stream";
import * as acp from "@agentclientprotocol/sdk";

const BINARY = process.env.ENZA_BINARY;
if (!BINARY) throw new Error("Set ENZA_BINARY to the enza binary, or run testing/editor.");

/** A project, a model with these replies, and nobody connected yet. */
export async function openStage(replies, { lang = "en_US.UTF-8" } = {}) {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "enza-editor-")));
  const model = await startModel(replies);
  const put = (name, text) => {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  };
  put("project/src/greet.txt", "hello\nworld\n");
  const provider = ['name = "stage"', 'title = "The stage"', 'dialect = "openai"', `base_url = "${model.url}"`, 'key_variable = "STAGE_KEY"', "needs_key = true", 'hint = "Keys are at the stage door."'];
  put("config/providers/stage.toml", `${provider.join("\n")}\n`);
  const environment = {
    PATH: process.env.PATH,
    HOME: folder,
    LANG: lang,
    ENZA_DATA: path.join(folder, "data"),
    ENZA_CONFIG: path.join(folder, "config"),
    ENZA_MODELS: path.join(folder, "models"),
    ENZA_MODEL: "stage/actor",
    STAGE_KEY: "not-a-real-key",
    RUST_BACKTRACE: "0",
  };
  return {
    model,
    put,
    project: path.join(folder, "project"),
    config: path.join(folder, "config"),
    text: (name) => readFileSync(path.join(folder, "project", name), "utf8"),
    enza: (...words) => run(BINARY, words, environment, path.join(folder, "project")),
    connect: (answers) => connect(environment, answers),
    async close() {
      await model.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** An editor at the other end of the wire. `permit` answers each request for permission. */
async function connect(environment, permit = () => ({ outcome: "cancelled" })) {
  const child = spawn(BINARY, ["companion", "--acp"], { env: environment, stdio: ["pipe", "pipe", "pipe"] });
  let errors = "";
  child.stderr.on("data", (piece) => (errors += piece));
  const wire = [];
  let rest = "";
  const tap = new Transform({
    transform(piece, _encoding, done) {
      rest += piece;
      const lines = rest.split("\n");
      rest = lines.pop();
      // Whatever is no JSON would throw here: standard output has nothing but the protocol.
      for (const line of lines) wire.push(JSON.parse(line));
      done(null, piece);
    },
  });
  const updates = [];
  const asked = [];
  const stream = acp.ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout.pipe(tap)));
  const app = acp
    .client({ name: "testing/editor" })
    .onNotification(acp.methods.client.session.update, (context) => void updates.push(context.params))
    .onRequest(acp.methods.client.session.requestPermission, async (context) => {
      asked.push(context.params);
      return { outcome: await permit(context.params) };
    });
  const connection = app.connect(stream);
  const agent = connection.agent;
  return {
    agent,
    updates,
    asked,
    wire,
    child,
    errors: () => errors,
    request: (method, params) => agent.request(method, params),
    notify: (method, params) => agent.notify(method, params),
    /** Writes something that the library never would. */
    write: (text) => child.stdin.write(text),
    of: (kind) => updates.map((one) => one.update).filter((update) => update.sessionUpdate === kind),
    words: () => updates.map((one) => one.update).filter((update) => update.sessionUpdate === "agent_message_chunk").map((update) => update.content.text).join(""),
    /** Ends it in order, and holds what the library understood against what was said. */
    async close() {
      // Its end is told before its last words are read; the closing of its pipes is not.
      const ended = new Promise((done) => child.on("close", (code) => done(code)));
      child.stdin.end();
      assert.equal(await ended, 0, errors);
      await connection.closed;
      const said = wire.filter((message) => message.method === "session/update").map((message) => message.params);
      assert.deepEqual(updates, said);
      const questions = wire.filter((message) => message.method === "session/request_permission").map((message) => message.params);
      assert.deepEqual(asked, questions);
    },
  };
}

/** A reply that the companion's rules understand. */
export function reply(more) {
  return { rationale: "the person asked", goal_consistency: "yes", constraint_check: "yes", next_step: "done", step: "PLANNING", prompt_pattern: "base_main", ...more };
}

export const talk = (text) => reply({ reply: text });

export const change = () =>
  reply({ reply: "I will greet the moon.", actions: [{ operation: "edit", path: "src/greet.txt", old: "world", content: "moon", rationale: "as asked" }] });

export const approval = () =>
  reply({ reply: "It greets the moon.", step: "REVIEW", review: { rating: "good", problems: [], proposals: [], approval: "approved" } });

/** A reply that is written in these pieces, letter by letter as they are, each but the first once the test says so. */
export const pieces = (...each) => ({ pieces: each });

/** A piece at which the connection breaks. */
export const BREAK = Symbol("break");

/** A model that gives these replies one after the other. `"silence"` keeps it waiting until the end. */
async function startModel(replies) {
  const left = [...replies];
  const asked = [];
  let heard = null;
  let goOn = () => {};
  const server = http.createServer(async (request, response) => {
    let body = "";
    for await (const piece of request) body += piece;
    asked.push(body);
    heard?.();
    const next = left.shift();
    if (next === "silence") return;
    if (next === undefined) {
      response.writeHead(400, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: { message: "the script is over" } }));
      return;
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    const say = (value) => response.write(`data: ${JSON.stringify(value)}\n\n`);
    for (const [place, piece] of (next.pieces ?? [JSON.stringify(next)]).entries()) {
      if (place > 0) await new Promise((done) => (goOn = done));
      if (piece === BREAK) return void response.destroy();
      say({ choices: [{ index: 0, delta: { content: piece } }] });
    }
    say({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] });
    say({ choices: [], usage: { prompt_tokens: 1000, completion_tokens: 100 } });
    response.end("data: [DONE]\n\n");
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${server.address().port}/v1`,
    asked,
    /** Lets it write the next piece. */
    goOn: () => goOn(),
    /** Resolves once it is asked again. */
    hears: () => new Promise((there) => (heard = there)),
    close: () => new Promise((done) => { server.closeAllConnections(); server.close(done); }),
  };
}

function run(program, words, environment, folder) {
  return new Promise((done) => {
    const child = spawn(program, words, { env: environment, cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
    let [out, err] = ["", ""];
    child.stdout.on("data", (piece) => (out += piece));
    child.stderr.on("data", (piece) => (err += piece));
    child.on("close", (status) => done({ status, out, err }));
  });
}
