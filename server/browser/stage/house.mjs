// A house for one test file: the real binary with a data folder of its own, and a browser that looks at it.
//
// Nothing of the developer's gets in: no key, no config file, no weights. The server stands behind a small relay, so
// that a test can cut the line in mid-stream without the server noticing, and can take the server away and bring it back
// at the same address. With ENZA_SLOW_LINE the relay is a slow line, on which a test that looks too early is found out.

import { spawn } from "node:child_process";
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { Transform } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { chromium } from "playwright-core";
import { startModel } from "./model.mjs";

const BINARY = process.env.ENZA_BINARY ?? fail("Set ENZA_BINARY to the enza binary, or run testing/browser.");
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";

/** `talker` for a model that plays interviews, `plays` for another that is started already. */
export async function openHouse({ accounts = false, talker = false, plays = null } = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), "enza-browser-"));
  const model = talker ? await startModel() : plays;
  if (model) enterProvider(folder, model.url);
  const relay = await startRelay();
  const house = {
    folder,
    model,
    relay,
    address: relay.address,
    server: null,
    link: null,
    async start() {
      const options = ["serve", "--json", "--listen", "127.0.0.1:0", "--public", relay.address];
      if (accounts) options.push("--accounts");
      if (model) options.push("--model", "talker/talker");
      house.server = await startServer(folder, options);
      house.link = house.server.announced.link;
      relay.to = new URL(`http://${house.server.announced.listening}`).port;
    },
    async stop() {
      await house.server.stop();
    },
    async close() {
      await house.server.stop();
      await relay.close();
      await model?.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await house.start();
  return house;
}

// Nothing here is meant to take long. These are nets for a machine that is busy with other things.
const LAUNCH = 180_000;
const STEP = 120_000;
const RELOADS = 300_000;

export async function openBrowser() {
  return chromium.launch({ timeout: LAUNCH, executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"] });
}

// A reader: a language, a palette, a width. `scripts: false` is a browser without JavaScript.
export async function reader(browser, house, { lang = "en", dark = false, width = 1280, height = 900, scripts = true, signedIn = true } = {}) {
  const context = await browser.newContext({
    locale: lang === "ja" ? "ja-JP" : "en-GB",
    colorScheme: dark ? "dark" : "light",
    viewport: { width, height },
    javaScriptEnabled: scripts,
    deviceScaleFactor: 1,
    reducedMotion: "reduce",
  });
  context.setDefaultTimeout(STEP);
  const page = await context.newPage();
  page.troubles = [];
  page.on("pageerror", (error) => page.troubles.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error" && !/Failed to load resource|ERR_|status of 4/u.test(message.text())) page.troubles.push(message.text());
  });
  if (signedIn) {
    if (house.cookies) await context.addCookies(house.cookies);
    else {
      await page.goto(house.link);
      house.cookies = await context.cookies();
    }
  }
  return page;
}

// Nothing tells a page without scripts that something has come: whoever reads it loads it again until it is there.
export async function reloadUntil(page, isThere) {
  const end = Date.now() + RELOADS;
  while (!(await isThere())) {
    if (Date.now() > end) fail(`it never came on ${page.url()}`);
    await page.reload();
  }
}

// A person who answers the sample interview until it stands at its gate.
export async function startInterview(page, house) {
  await page.goto(`${house.address}/`);
  await page.locator("form.opening:has(input[value=sample]) button").first().click();
  await page.waitForURL(/\/sessions\//u);
  return page.url().match(/sessions\/([^/?#]+)/u)[1];
}

// Waits for the turn of the person, and says something.
export async function answer(page, text) {
  await turn(page);
  const box = page.locator("#words");
  await box.fill(text);
  await box.press("Enter");
  await page.locator(`[data-seq]:has-text(${JSON.stringify(text)})`).last().waitFor();
}

// Waits until a person may write.
export async function turn(page) {
  await page.locator("#composer:not([hidden]) button:not([disabled])").waitFor();
}

export async function answerAll(page, answers) {
  for (const text of answers) await answer(page, text);
  await page.locator("form[data-gate]").waitFor();
}

// What the conversation shows: each line's place and words, in the order of the page.
export function lines(page) {
  return page.locator("[data-seq]").evaluateAll((all) => all.map((one) => [Number(one.dataset.seq), one.innerText.trim()]));
}

async function startServer(folder, options) {
  const environment = {
    PATH: process.env.PATH,
    HOME: folder,
    ENZA_DATA: path.join(folder, "data"),
    ENZA_CONFIG: path.join(folder, "config"),
    ENZA_MODELS: path.join(folder, "models"),
    TALKER_KEY: "not-a-real-key",
    RUST_BACKTRACE: "0",
  };
  const child = spawn(BINARY, options, { env: environment, stdio: ["ignore", "pipe", "pipe"] });
  let out = "";
  let err = "";
  child.stderr.on("data", (piece) => (err += piece));
  const ended = new Promise((done) => child.on("exit", done));
  const announced = await new Promise((there, broken) => {
    child.stdout.on("data", (piece) => {
      out += piece;
      if (out.includes("\n")) there(JSON.parse(out));
    });
    child.on("exit", (code) => broken(new Error(`the server ended with ${code}: ${err}`)));
  });
  return {
    announced,
    log: () => err,
    async stop(signal = "SIGTERM") {
      if (child.exitCode === null) child.kill(signal);
      await ended;
    },
  };
}

// Passes bytes on to wherever the server is. `cut()` breaks every line there is; `dead` refuses new ones.
async function startRelay() {
  const lines = new Set();
  const relay = { to: null, dead: false, address: "" };
  const server = net.createServer((near) => {
    near.on("error", () => {});
    if (relay.dead || !relay.to) return near.destroy();
    const far = net.connect(relay.to, "127.0.0.1");
    const line = { near, far };
    lines.add(line);
    const end = () => {
      near.destroy();
      far.destroy();
      lines.delete(line);
    };
    far.on("error", end);
    near.on("close", end);
    far.on("close", end);
    near.pipe(far);
    if (process.env.ENZA_SLOW_LINE) far.pipe(slowly()).pipe(near);
    else far.pipe(near);
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  relay.address = `http://127.0.0.1:${server.address().port}`;
  relay.cut = () => [...lines].forEach(({ near, far }) => { near.destroy(); far.destroy(); });
  relay.close = () => new Promise((done) => { relay.cut(); server.close(done); });
  return relay;
}

// Passes on a little at a time, as a distant server does: pages are seen half, and before their scripts are there.
function slowly() {
  const [piece, pause] = [700, 8];
  return new Transform({
    async transform(bytes, _, done) {
      for (let at = 0; at < bytes.length; at += piece) {
        await wait(pause);
        this.push(bytes.subarray(at, at + piece));
      }
      done();
    },
  });
}

function enterProvider(folder, url) {
  const providers = path.join(folder, "config", "providers");
  mkdirSync(providers, { recursive: true });
  const text = `name = "talker"\ntitle = "Talker"\ndialect = "openai"\nbase_url = "${url}"\nkey_variable = "TALKER_KEY"\nneeds_key = true\ndefault_model = "talker"\nhint = "For tests."\n\n[pace]\nat_once = 4\n\n[quirks]\nstructured = "native"\ntool_choice = "named"\nusage_in_stream = true\nseed = false\n`;
  writeFileSync(path.join(providers, "talker.toml"), text);
}

function fail(text) {
  throw new Error(text);
}
