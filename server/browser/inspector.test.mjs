// The inspector: walks through the events, shows state and prompt, forks, compares.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { answer, answerAll, openBrowser, openHouse, reader, startInterview, turn } from "./stage/house.mjs";

let browser, house;
before(async () => {
  browser = await openBrowser();
  house = await openHouse();
});
after(async () => {
  await browser?.close();
  await house?.close();
});

test("a session is forked in the middle, the fork goes another way, and both are compared", async () => {
  const page = await reader(browser, house);
  const parent = await startInterview(page, house);
  await answer(page, "The lift is stuck since this morning");
  await turn(page);
  const head = Math.max(...(await page.locator("[data-seq]").evaluateAll((all) => all.map((one) => Number(one.dataset.seq)))));
  await answer(page, "Building A, ground floor");
  await turn(page);
  await page.goto(`${house.address}/sessions/${parent}/inspect?at=${head}`);
  await page.locator("svg").first().waitFor();
  await page.locator("form[action$='/fork'] button").first().click();
  await page.waitForURL((url) => /\/sessions\/[^/]+$/u.test(url.pathname) && !url.pathname.includes(parent));
  const fork = page.url().match(/sessions\/([^/?#]+)/u)[1];
  await turn(page);
  assert.equal(await page.locator("[data-seq]:has-text('Building A')").count(), 0, "what came later is not in the fork");
  assert.equal(await page.locator("[data-seq]:has-text('The lift is stuck')").count(), 1, "what came before is");
  await answer(page, "Building B, roof");
  await page.goto(`${house.address}/compare?a=${parent}&b=${fork}`);
  const text = await page.locator("main").innerText();
  assert.ok(text.includes("Building A, ground floor") && text.includes("Building B, roof"), text);
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});

test("every event can be looked at: its body, the state, the prompt behind a reply, the moves", async () => {
  const page = await reader(browser, house, { lang: "ja" });
  const id = await startInterview(page, house);
  await answerAll(page, ["エレベーターが今朝から動かない", "A棟の1階", "ada@example.org"]);
  const events = await page.evaluate(async (id) => (await (await fetch(`/api/sessions/${id}/events?limit=100`)).json()).events, id);
  const reply = events.find((one) => JSON.stringify(one.body).includes('"asked_at"'));
  for (const at of [1, reply.seq, events.at(-1).seq]) {
    const answer = await page.goto(`${house.address}/sessions/${id}/inspect?at=${at}`);
    assert.equal(answer.status(), 200);
  }
  await page.goto(`${house.address}/sessions/${id}/inspect?at=${reply.seq}`);
  const tabs = await page.locator("[role=tab], .tabs a").allInnerTexts();
  assert.ok(tabs.length >= 4, tabs.join(", "));
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});
