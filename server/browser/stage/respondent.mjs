// A respondent who answers the sign-up of `share.mjs` in the chat, by its link, from the door to the receipt.

export const ANSWERS = {
  en: { name: "Ada Lovelace", meal: "Vegetables", game: "Croquet", email: "ada@example.org" },
  ja: { name: "山田花子", meal: "野菜", game: "将棋", email: "hanako@example.jp" },
};

export const turn = (page) => page.locator("#composer:not([hidden]) button:not([disabled])").waitFor();
export const line = (page, text) => page.locator(`.message.person .words:text-is(${JSON.stringify(text)})`);

/** Comes by a link, agrees, and waits for the first question. Gives the address to come back to. */
export async function begin(page, address) {
  await page.goto(address);
  await page.locator("[name=consent]").check();
  await page.locator(".begin button").click();
  await page.waitForURL(/\/r\//u);
  await turn(page);
  return new URL(page.url()).pathname;
}

/** What happens is answered in words, and shown. */
export async function say(page, text) {
  await turn(page);
  await page.locator("#words").fill(text);
  await page.locator("#words").press("Enter");
  await line(page, text).last().waitFor();
}

/** Answers everything up to the confirmation. */
export async function answerAll(page, { name, meal, game, email }) {
  await say(page, name);
  await page.locator(".reply").first().click();
  await page.locator(`.reply:text-is(${JSON.stringify(meal)})`).click();
  await page.locator(`.picker .option:has-text(${JSON.stringify(game)})`).click();
  await page.locator(".picker button").click();
  await page.locator(".picker input[type=date]").fill("2027-05-20");
  await page.locator(".picker button").click();
  await page.locator(".picker input[type=email]").fill(email);
  await page.locator(".picker button").click();
  await page.locator(".skips button").first().click();
  await page.locator(".closing").waitFor();
}

/** Says the last yes. */
export async function submit(page) {
  await page.locator(".submit button.main").click();
  await page.locator("#receipt").waitFor();
}
