// A picture of every page: both languages, light and dark, on a desk and on a phone. `./test --screens` runs this.

import { mkdirSync } from "node:fs";
import path from "node:path";
import { answer, answerAll, openBrowser, openHouse, reader, startInterview, turn } from "./stage/house.mjs";
import { approval, openCompanion, project, reply, say, startScript, unfold, write } from "../../applications/companion/browser/stage/companion.mjs";
import * as respondent from "../../applications/forms/browser/stage/respondent.mjs";
import { NOWHERE, sendOn, share, SIGN_UP } from "../../applications/forms/browser/stage/share.mjs";

const folder = process.argv[2];
const browser = await openBrowser();
const house = await openHouse({ talker: true });
const guests = await openHouse({ accounts: true });
const formed = await openHouse();
const script = await startScript();
const workshop = await openHouse({ plays: script });
const projects = [];
// A chat is drawn as the window shows it: at its end, with what is to be answered above the entry.
const AS_SEEN = ["respond-chat"];
let count = 0;

const answers = {
  en: ["The air conditioning rattles since yesterday morning", "Main building, floor 3, room B", "ada@example.org"],
  ja: ["3階の空調が昨日の朝から大きな音を立てています", "本館3階、会議室Bの窓側", "ada@example.org"],
};

for (const lang of ["en", "ja"]) {
  const page = await reader(browser, house, { lang });
  const under_way = await startInterview(page, house);
  await answer(page, answers[lang][0]);
  await turn(page);
  const at_gate = await startInterview(page, house);
  await answerAll(page, answers[lang]);
  const ended = await startInterview(page, house);
  await answerAll(page, answers[lang]);
  await page.locator("form[data-gate] button[value=yes]").click();
  await page.locator(".message, [data-seq]").last().waitFor();
  await page.goto(`${house.address}/sessions/${ended}/inspect?at=10`);
  await page.locator("form[action$='/fork'] button").first().click();
  await page.waitForURL((url) => /\/sessions\/[^/]+$/u.test(url.pathname) && !url.pathname.includes(ended));
  const fork = page.url().match(/sessions\/([^/?#]+)/u)[1];
  const events = await page.evaluate(async (id) => (await (await fetch(`/api/sessions/${id}/events?limit=100`)).json()).events, ended);
  const reply = events.filter((one) => JSON.stringify(one.body).includes('"asked_at"')).at(-1).seq;
  await page.context().close();
  const pages = {
    home: "/",
    "session-question": `/sessions/${under_way}`,
    "session-gate": `/sessions/${at_gate}`,
    "session-ended": `/sessions/${ended}`,
    "inspector-event": `/sessions/${ended}/inspect?at=${reply}`,
    "inspector-state": `/sessions/${ended}/inspect?at=${reply}&side=state`,
    "inspector-prompt": `/sessions/${ended}/inspect?at=${reply}&side=prompt`,
    "inspector-moves": `/sessions/${at_gate}/inspect?at=12&side=moves`,
    compare: `/compare?a=${ended}&b=${fork}`,
    usage: "/usage",
    settings: "/settings",
    "settings-model": "/settings/model",
    "settings-budget": "/settings/budget",
    "settings-tokens": "/settings/tokens",
    "settings-account": "/settings/account",
    administration: "/administration",
    "administration-sessions": "/administration/sessions",
    "administration-usage": "/administration/usage",
    "administration-settings": "/administration/settings",
    "administration-journal": "/administration/journal",
    design: "/design",
    api: "/api",
    problem: "/nowhere",
  };
  const form = await shared(lang);
  const companion = await partnership(lang);
  for (const [look, options] of looks()) {
    const page = await reader(browser, house, { lang, ...options });
    for (const [name, where] of Object.entries(pages)) await picture(page, house.address + where, lang, look, name);
    await page.context().close();
    const stranger = await reader(browser, guests, { lang, ...options, signedIn: false });
    for (const [name, where] of Object.entries({ landing: "/", "sign-in": "/sign-in", register: "/register" })) {
      await picture(stranger, guests.address + where, lang, look, name);
    }
    await stranger.context().close();
    const owner = await reader(browser, formed, { lang, ...options });
    for (const [name, where] of Object.entries(form.owners)) await picture(owner, formed.address + where, lang, look, name);
    await owner.context().close();
    const partner = await reader(browser, workshop, { lang, ...options });
    for (const [name, where] of Object.entries(companion)) await picture(partner, workshop.address + where, lang, look, name);
    await beginnings(partner, lang, look);
    await partner.context().close();
    const guest = await reader(browser, formed, { lang, ...options, signedIn: false });
    for (const [name, where] of Object.entries(form.respondents)) await picture(guest, formed.address + where, lang, look, name);
    await guest.context().close();
  }
}
await browser.close();
await house.close();
await guests.close();
await formed.close();
await workshop.close();
for (const one of projects) one.close();
process.stdout.write(`${count} pictures in ${folder}\n`);

function looks() {
  return Object.entries({
    light: { width: 1280 },
    dark: { width: 1280, dark: true },
    phone: { width: 390, height: 844 },
  });
}

/** A form that was answered, by one to the end, by one up to the confirmation, and is being answered by a third. */
async function shared(lang) {
  const owner = await reader(browser, formed, { lang });
  const { id, link } = await share(owner, formed, SIGN_UP[lang]);
  await sendOn(owner, formed, id, NOWHERE);
  const respond = async (steps) => {
    const page = await reader(browser, formed, { lang, signedIn: false });
    const ticket = await respondent.begin(page, formed.address + link);
    await steps(page);
    await page.context().close();
    return ticket;
  };
  const chat = await respond(async (page) => {
    await respondent.say(page, respondent.ANSWERS[lang].name);
    await page.locator(".reply").first().click();
    await page.locator(`.reply:text-is(${JSON.stringify(respondent.ANSWERS[lang].meal)})`).waitFor();
  });
  const confirmation = await respond((page) => respondent.answerAll(page, respondent.ANSWERS[lang]));
  const receipt = await respond(async (page) => {
    await respondent.answerAll(page, respondent.ANSWERS[lang]);
    await respondent.submit(page);
  });
  const answers = `/forms/${id}/submissions`;
  await owner.goto(`${formed.address}${answers}?status=submitted`);
  const sheet = await owner.locator("a.sheet-link").first().getAttribute("href");
  await owner.context().close();
  return {
    owners: {
      forms: "/forms",
      "form-new": "/forms/new",
      "form-builder": `/forms/${id}`,
      "form-share": `/forms/${id}/share`,
      submissions: answers,
      "submissions-sheet": sheet,
      "submissions-deliveries": `${answers}/deliveries`,
    },
    respondents: {
      "respond-door": link,
      "respond-chat": chat,
      "respond-classic": `${chat}/form`,
      "respond-confirmation": confirmation,
      "respond-receipt": receipt,
    },
  };
}

/** A companion that has changed one file and stands at its gate with two more and a command. */
async function partnership(lang) {
  const said = {
    en: { first: "Say in the README what it does", next: "Greet people in the evening, too", why: "The greeting and its test change together.", goal: "An evening greeting", now: "The evening shift has asked for it", plan: ["Change the greeting", "Adapt the test"] },
    ja: { first: "READMEに何をするものか書いてください", next: "夕方のあいさつも作ってください", why: "あいさつとそのテストを一緒に変えます。", goal: "夕方のあいさつ", now: "夜勤の人たちから頼まれているため", plan: ["あいさつを変える", "テストを合わせる"] },
  }[lang];
  const before = ["use std::fmt;", "", "pub struct Greeting {", "    name: String,", "}", "", "impl fmt::Display for Greeting {", "    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {", '        write!(out, "Hello, {}!", self.name)', "    }", "}", "", "#[test]", "fn it_greets() {", '    assert_eq!(Greeting::new("Ada").to_string(), "Hello, Ada!");', "}", ""].join("\n");
  const after = before.replace("    name: String,", "    name: String,\n    is_late: bool,").replaceAll("Hello", "Good evening");
  const work = project({ "src/greeting.rs": before, "README.md": "# Greeter\n" });
  projects.push(work);
  const page = await reader(browser, workshop, { lang });
  const id = await openCompanion(page, workshop, work.folder, { lang, settings: { budget: 200_000 } });
  const mind = { goal: said.goal, why_now: said.now, plan_brief: said.plan };
  script.script(reply({ reply: said.why, state_delta: mind, actions: [write("README.md", "# Greeter\n\nGreets.\n", said.why)] }), approval(said.why));
  await say(page, said.first);
  await page.locator("form[data-gate] button[value=yes]").click();
  await page.locator(".presses .button.main").waitFor();
  const run = { operation: "run", command: ["cargo", "test"], rationale: said.why };
  script.script(reply({ reply: said.why, actions: [write("src/greeting.rs", after, said.why), write("notes.txt", "seen \u202e unseen\n", said.why), run] }));
  await say(page, said.next);
  await page.locator("form[data-gate]").waitFor();
  await page.context().close();
  return { "companion-begin": "/", "companion-gate": `/sessions/${id}` };
}

/** What follows a folder that does not do, and one whose project asks for what it does not get. */
async function beginnings(page, lang, look) {
  const work = project({ ".enza/companion.toml": 'checks = [{ name = "tests", command = ["cargo", "test", "--workspace"] }]\n' });
  projects.push(work);
  for (const [name, folder] of [["companion-unfit", "/home/ada/greter"], ["companion-left-out", work.folder]]) {
    await page.goto(`${workshop.address}/`);
    await unfold(page);
    await page.locator("#field-folder").fill(folder);
    const landed = page.waitForEvent("domcontentloaded");
    await page.locator("form.in-folder button").click();
    await landed;
    await draw(page, lang, look, name);
  }
}

async function picture(page, address, lang, look, name) {
  const answer = await page.goto(address);
  if (answer.status() >= 400 && name !== "problem") process.stdout.write(`${answer.status()} ${address}\n`);
  await draw(page, lang, look, name);
}

/** A picture of the page as it stands. */
async function draw(page, lang, look, name) {
  const place = path.join(folder, lang, look);
  mkdirSync(place, { recursive: true });
  const fullPage = !AS_SEEN.includes(name);
  // What sticks to the window would be drawn in the middle of a page that has scrolled.
  if (fullPage) await page.evaluate(() => scrollTo({ top: 0 }));
  await page.screenshot({ path: path.join(place, `${name}.png`), fullPage });
  count += 1;
}
