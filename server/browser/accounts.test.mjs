// Coming in: by a one-time link, by registering, by name and password; and staying out.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openBrowser, openHouse, reader, startInterview } from "./stage/house.mjs";

let browser, alone, shared;
before(async () => {
  browser = await openBrowser();
  alone = await openHouse();
  shared = await openHouse({ accounts: true });
});
after(async () => {
  await browser?.close();
  await alone?.close();
  await shared?.close();
});

test("the printed link signs in once", async () => {
  const page = await reader(browser, alone);
  await page.goto(`${alone.address}/`);
  await page.locator("form.opening").first().waitFor();
  const second = await reader(browser, alone, { signedIn: false });
  const answer = await second.goto(alone.link);
  assert.equal(answer.status(), 410);
  await second.getByText("link-spent").waitFor();
  await page.context().close();
  await second.context().close();
});

test("nobody sees anything without signing in", async () => {
  const page = await reader(browser, alone, { signedIn: false });
  for (const path of ["/usage", "/settings", "/administration", "/sessions/none"]) {
    await page.goto(alone.address + path);
    assert.equal(await page.locator("form.opening, table").count(), 0, path);
  }
  await page.context().close();
});

test("the first person comes by the link, registers, signs out and in again; a wrong password stays out", async () => {
  const page = await reader(browser, shared, { signedIn: false });
  await page.goto(shared.link);
  await page.locator("input[name=name]").fill("ada");
  await page.locator("input[name=password]").first().fill("a long enough secret");
  await page.locator("main form button[type=submit], main form button:not([type])").first().click();
  await page.locator("form.opening").first().waitFor();
  const session = await startInterview(page, shared);
  await page.locator("header.top details.menu summary").click();
  // Whoever goes on before the answer is there takes the question back.
  const answered = (path) => page.waitForResponse((response) => response.request().method() === "POST" && response.url().endsWith(path));
  await Promise.all([answered("/sign-out"), page.locator("form[action='/sign-out'] button").click()]);
  await page.goto(`${shared.address}/sessions/${session}`);
  assert.equal(await page.locator("#composer").count(), 0, "signed out means out");
  const signIn = async (password) => {
    await page.goto(`${shared.address}/sign-in`);
    await page.locator("input[name=name]").fill("ada");
    await page.locator("input[name=password]").fill(password);
    await Promise.all([answered("/sign-in"), page.locator("main form button").first().click()]);
  };
  await signIn("a wrong enough secret");
  await page.locator("input[name=password]").waitFor();
  assert.equal(await page.locator("input[name=name]").inputValue(), "ada", "the name that was typed stays");
  await signIn("a long enough secret");
  await page.goto(`${shared.address}/sessions/${session}`);
  await page.locator("#composer").waitFor();
  await page.context().close();
});
