// Forms on a phone of 390 points, with the longest words that people write: nothing stands out of the window.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { excess, outOfSight } from "./stage/axe.mjs";
import { openBrowser, openHouse, reader } from "./stage/house.mjs";
import { NOWHERE, sendOn, share } from "../../applications/forms/browser/stage/share.mjs";

const PHONE = { width: 390, height: 844 };
const LONG = "Donaudampfschifffahrtsgesellschaftskapitaenswitwenversicherungspolicennummer";
const WIDE = "とても長い項目名でもスマートフォンの画面からはみ出さずに折り返して表示される必要があります";
const MAIL = `${"a.very.long.name.".repeat(3)}x@${"subdomain.".repeat(4)}example.org`;

/** A form of every kind, with a name for everything that has no place to break. */
function hard(lang) {
  const name = lang === "ja" ? WIDE : LONG;
  const options = [name, `${name}2`, "x"];
  const kinds = ["text", "long_text", "number", "integer", "date", "time", "choice", "choices", "yes_no", "email", "phone", "file"];
  const fields = kinds.map((kind) => ({
    fieldId: `${kind}_${"x".repeat(40)}`,
    label: `${name} ${kind}`,
    kind,
    required: kind === "text",
    ...(kind.startsWith("choice") ? { options, allowOther: true } : {}),
  }));
  const guest = { fieldId: "guest", label: name, group: "guests", kind: "integer" };
  return {
    title: `${name} ${name}`.slice(0, 100),
    description: `https://example.org/${"path/".repeat(30)}`,
    consent: `${name} https://example.org/${"path".repeat(30)}`,
    language: lang,
    order: "fixed",
    fields: [...fields, guest],
    groups: [{ groupId: "guests", item: name.slice(0, 40), min: 0, max: 2 }],
  };
}

let browser, house;
before(async () => {
  browser = await openBrowser();
  house = await openHouse();
});
after(async () => {
  await browser?.close();
  await house?.close();
});

const post = (page, path, data) => page.request.post(house.address + path, { data: JSON.stringify(data), headers: { origin: house.address, "content-type": "application/json" } });

/** An interview in which the first answers are given, by the interface for programs. Gives its address. */
async function begun(page, link, answers) {
  const { ticket } = await (await post(page, `/api${link}`, { consented: true, languages: "en-GB" })).json();
  for (const text of answers) {
    await settled(page, ticket);
    const answer = await post(page, `/api/r/${ticket}/answer`, text === null ? { absence: "skipped" } : { text });
    assert.ok(answer.ok(), await answer.text());
  }
  await settled(page, ticket);
  return `/r/${ticket}`;
}

async function settled(page, ticket) {
  for (let tries = 0; tries < 600; tries += 1) {
    const seen = await (await page.request.get(`${house.address}/api/r/${ticket}`)).json();
    if (!seen.working) return seen;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error("it is still working");
}

/** Looks at a page as it stands, and with everything unfolded. */
async function look(page, path, found) {
  await page.goto(house.address + path);
  const note = async (how) => {
    const by = await excess(page);
    if (by > 0) found.push(`${path} ${how}: too wide by ${by}`);
    // The first few lead to the cause.
    found.push(...(await outOfSight(page)).slice(0, 3).map((one) => `${how} ${one}`));
  };
  await note("as it is");
  await page.evaluate(() => document.querySelectorAll("details").forEach((one) => (one.open = true)));
  await note("unfolded");
}

for (const lang of ["en", "ja"]) {
  test(`nothing of a form, an interview or its answers overflows a phone (${lang})`, async () => {
    const owner = await reader(browser, house, { lang, ...PHONE });
    const { id, link } = await share(owner, house, hard(lang));
    await sendOn(owner, house, id, `${NOWHERE}/${"path".repeat(40)}`);
    const single = await post(owner, `/api/forms/${id}/links`, { kind: "single", count: 2, note: LONG.slice(0, 60), prefill: { [`text_${"x".repeat(40)}`]: LONG } });
    assert.ok(single.ok(), await single.text());
    const skips = Array.from({ length: 11 }, () => null);
    const talk = await begun(owner, link, [LONG, LONG, "many"]);
    const confirming = await begun(owner, link, [MAIL, ...skips, "no"]);
    const submitted = await begun(owner, link, [`${WIDE}${LONG}`, ...skips, "no"]);
    const confirmed = await post(owner, `/api${submitted}/confirm`, {});
    assert.ok(confirmed.ok(), await confirmed.text());
    await settled(owner, submitted.slice(3));
    const sessions = await (await owner.request.get(`${house.address}/api/forms/${id}/submissions`)).json();
    const session = (sessions.submissions ?? sessions.sheets)[0].session;
    const found = [];
    for (const part of ["", "/share", "/submissions", `/submissions/${session}`, `/submissions/${session}/delete`, "/deliveries", "/delete"]) {
      await look(owner, part === "/deliveries" ? `/forms/${id}/submissions/deliveries` : `/forms/${id}${part}`, found);
    }
    for (const path of ["/forms", "/forms/new", `/sessions/${id}`]) await look(owner, path, found);
    const guest = await reader(browser, house, { lang, ...PHONE, signedIn: false });
    const wrong = `${talk}/form`;
    for (const path of [link, talk, wrong, `${talk}/leave`, confirming, `${confirming}/form`, submitted, "/f/nothing", "/r/nothing"]) {
      await look(guest, path, found);
    }
    assert.deepEqual(found, []);
    assert.deepEqual([...owner.troubles, ...guest.troubles], []);
    await owner.context().close();
    await guest.context().close();
  });
}

test("a chat that fits the window stays at its top", async () => {
  const owner = await reader(browser, house);
  const { link } = await share(owner, house, { title: "Short", language: "en", order: "fixed", fields: ["Your name", "Your town"].map((label, nth) => ({ fieldId: `f${nth}`, label, required: true })) });
  const page = await reader(browser, house, { width: 1280, height: 900, signedIn: false });
  await page.goto(house.address + link);
  await page.locator(".begin button").click();
  await page.waitForURL(/\/r\//u);
  await page.locator("#composer:not([hidden]) button:not([disabled])").waitFor();
  await page.locator("#words").fill("Ada");
  await page.locator("#words").press("Enter");
  await page.locator(".message.agent:has-text('Your town')").waitFor();
  assert.equal(await page.evaluate(() => scrollY), 0, "the title is not scrolled away for the foot of the page");
  await page.context().close();
  await owner.context().close();
});

test("a chat begins at its top, and follows once somebody has spoken", async () => {
  const owner = await reader(browser, house);
  const { link } = await share(owner, house, hard("en"));
  const page = await reader(browser, house, { width: 390, height: 500, signedIn: false });
  await page.goto(house.address + link);
  await page.locator("[name=consent]").check();
  await page.locator(".begin button").click();
  await page.waitForURL(/\/r\//u);
  await page.locator("#composer:not([hidden]) button:not([disabled])").waitFor();
  assert.ok((await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)) > 0, "there is something to scroll");
  assert.equal(await page.evaluate(() => scrollY), 0, "the beginning is what is seen first");
  await page.locator("#words").fill("Ada");
  await page.locator("#words").press("Enter");
  await page.locator(".message.person").waitFor();
  await page.locator("#composer:not([hidden]) button:not([disabled])").waitFor();
  // The last line is seen whole above the place to write, and nothing more than that is passed over.
  const isAtTheEnd = () => {
    const [last, floor] = [[...document.querySelectorAll("#lines .message")].at(-1), document.querySelector(".floor")];
    return scrollY > 0 && last.getBoundingClientRect().bottom <= floor.getBoundingClientRect().top + 4;
  };
  await page.waitForFunction(isAtTheEnd);
  await page.reload();
  await page.waitForFunction(isAtTheEnd);
  await page.context().close();
  await owner.context().close();
});
