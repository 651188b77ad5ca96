// An interview on its page, from the first question to the end: streaming, the gate, a lost line, a restarted server.

import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { answer, answerAll, lines, openBrowser, openHouse, reader, startInterview, turn } from "../../../server/browser/stage/house.mjs";

let browser, house;
before(async () => {
  browser = await openBrowser();
  house = await openHouse({ talker: true });
});
afterEach(() => house.model.resume());
after(async () => {
  await browser?.close();
  await house?.close();
});

for (const lang of ["en", "ja"]) {
  test(`an interview is started, streams, stands at its gate and is submitted (${lang})`, async () => {
    const page = await reader(browser, house, { lang });
    const halfway = house.model.pause();
    await startInterview(page, house);
    await halfway;
    const half = lang === "ja" ? "どんなことが起きている" : "What exactly is happening";
    await page.getByText(half).waitFor();
    const streamed = await page.locator("main").innerText();
    assert.ok(!streamed.includes(lang === "ja" ? "くわしく教えてください" : "as far as you know it"), "only half is there");
    house.model.resume();
    await page.getByText(lang === "ja" ? "くわしく教えてください" : "as far as you know it").first().waitFor();
    await answerAll(page, lang === "ja" ? ["空調が昨日の朝から鳴ります", "本館3階", "ada@example.org"] : ["The air conditioning rattles since yesterday", "Main building, floor 3", "ada@example.org"]);
    await page.locator("form[data-gate] button[value=yes]").click();
    await page.getByText(lang === "ja" ? "ありがとうございました" : "Submitted. Thank you.").waitFor();
    assert.deepEqual(page.troubles, []);
    await page.context().close();
  });
}

test("a session begins at its top, and follows once somebody has spoken", async () => {
  const page = await reader(browser, house, { width: 390, height: 420 });
  await startInterview(page, house);
  await turn(page);
  await page.getByText("as far as you know it").first().waitFor();
  assert.ok((await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)) > 0, "there is something to scroll");
  assert.equal(await page.evaluate(() => scrollY), 0, "the beginning is what is seen first");
  await page.reload();
  await turn(page);
  assert.equal(await page.evaluate(() => scrollY), 0, "and again, as long as nobody has spoken");
  await answer(page, "A rattling noise since Monday");
  await page.locator("[data-seq]:has-text('Where is it?')").waitFor();
  await turn(page);
  // The last line is seen whole above the place to write.
  const isAtTheEnd = () => {
    const [last, floor] = [[...document.querySelectorAll("#lines .message")].at(-1), document.querySelector(".floor")];
    return scrollY > 0 && last.getBoundingClientRect().bottom <= floor.getBoundingClientRect().top + 4;
  };
  await page.waitForFunction(isAtTheEnd);
  await page.reload();
  await page.waitForFunction(isAtTheEnd);
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});

test("a line that is cut in mid-sentence comes back without a gap and without a repeat", async () => {
  const page = await reader(browser, house);
  await startInterview(page, house);
  await answer(page, "A rattling noise since Monday");
  await page.locator("[data-seq]:has-text('Where is it?')").waitFor();
  await turn(page);
  const halfway = house.model.pause();
  await answer(page, "Main building, floor 3");
  await halfway;
  house.relay.dead = true;
  house.relay.cut();
  house.model.resume();
  await page.locator("[data-live]").waitFor({ state: "attached" });
  await page.waitForTimeout(300);
  house.relay.dead = false;
  await turn(page);
  const shown = await lines(page);
  const places = shown.map(([seq]) => seq);
  assert.deepEqual(places, [...new Set(places)].sort((a, b) => a - b), "in order, each once");
  await page.reload();
  await turn(page);
  assert.deepEqual(shown, await lines(page), "what was followed live is what the log has");
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});

test("a page that is open while the server restarts reconnects by itself, and what was typed is still there", async () => {
  const page = await reader(browser, house);
  await startInterview(page, house);
  await turn(page);
  await page.locator("#words").fill("Half a sentence that nobody");
  await house.stop();
  await page.locator("#words").press("End");
  await page.locator("#words").pressSequentially(" sent yet");
  await page.locator("#words").press("Enter");
  await page.locator("#words-error:not([hidden])").waitFor();
  assert.equal(await page.locator("#words").inputValue(), "Half a sentence that nobody sent yet", "a failed send loses nothing");
  await house.start();
  await page.reload();
  await turn(page);
  assert.equal(await page.locator("#words").inputValue(), "Half a sentence that nobody sent yet", "nor does a reload");
  await page.locator("#words").press("Enter");
  await page.locator("[data-seq]:has-text('Half a sentence that nobody sent yet')").waitFor();
  await page.context().close();
});

test("a watcher who did nothing sees what happens after a restart", async () => {
  const page = await reader(browser, house);
  const id = await startInterview(page, house);
  await turn(page);
  const other = await page.context().newPage();
  await other.goto(`${house.address}/sessions/${id}`);
  await turn(other);
  await house.stop();
  await house.start();
  await answer(page, "Said after the restart");
  await other.locator("[data-seq]:has-text('Said after the restart')").waitFor();
  await page.context().close();
});

test("two quick clicks send once", async () => {
  const page = await reader(browser, house);
  await startInterview(page, house);
  await turn(page);
  await page.locator("#words").fill("Only once, please");
  await page.evaluate(() => {
    const form = document.querySelector("#composer");
    form.requestSubmit();
    form.requestSubmit();
  });
  await page.locator("[data-seq]:has-text('Only once, please')").waitFor();
  await turn(page);
  assert.equal(await page.locator("[data-seq]:has-text('Only once, please')").count(), 1);
  await page.context().close();
});

test("words for a question that is faster than the acknowledgement before it are sent as soon as that comes", async () => {
  const page = await reader(browser, house);
  await startInterview(page, house);
  await turn(page);
  let acknowledge;
  const acknowledged = new Promise((go) => (acknowledge = go));
  let posts = 0;
  await page.route(/\/commands$/u, async (route) => {
    posts += 1;
    if (posts > 1) return route.continue();
    const response = await route.fetch();
    await acknowledged;
    await route.fulfill({ response });
  });
  await answer(page, "A rattling noise since Monday");
  await page.locator("[data-seq]:has-text('Where is it?')").waitFor();
  await turn(page);
  await page.locator("#words").fill("Main building, floor 3");
  await page.locator("#words").press("Enter");
  assert.equal(posts, 1, "one at a time");
  acknowledge();
  await page.locator("[data-seq]:has-text('Main building, floor 3')").waitFor();
  await page.waitForFunction(() => document.querySelector("#words").value === "");
  assert.equal(posts, 2);
  await page.context().close();
});

test("words and an answer at the gate whose acknowledgements are lost are sent again and count once", async () => {
  const page = await reader(browser, house);
  await startInterview(page, house);
  const lost = new Set();
  await page.route(/\/(commands|gates)$/u, async (route) => {
    const way = new URL(route.request().url()).pathname.split("/").pop();
    if (lost.has(way)) return route.continue();
    lost.add(way);
    await route.fetch();
    await route.abort();
  });
  await answerAll(page, ["A rattling noise since Monday", "Main building, floor 3", "ada@example.org"]);
  assert.equal(await page.locator(".message.person:has-text('A rattling noise since Monday')").count(), 1);
  assert.equal(await page.locator("#words-error").isVisible(), false);
  await page.locator("form[data-gate] button[value=yes]").click();
  await page.getByText("Submitted. Thank you.").waitFor();
  await page.waitForFunction(() => !document.querySelector("[aria-busy]"));
  assert.equal(await page.locator(".toast.bad").count(), 0, "what was accepted is not refused");
  assert.deepEqual([...lost].sort(), ["commands", "gates"]);
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});

test("a session that is deleted while it is watched says so", async () => {
  const page = await reader(browser, house);
  const id = await startInterview(page, house);
  await turn(page);
  const status = await page.evaluate(async (id) => (await fetch(`/api/sessions/${id}`, { method: "DELETE" })).status, id);
  assert.equal(status, 204);
  const notice = await page.locator("[data-gone]").first().getAttribute("data-gone");
  await page.getByText(notice.split(/[.。]/u)[0]).first().waitFor();
  await page.context().close();
});
