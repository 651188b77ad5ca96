import { mkdirSync } from "node:fs";
import { openBrowser, openHouse, reader } from "./stage/house.mjs";
import { share, SIGN_UP } from "./stage/share.mjs";
const folder = process.argv[2]; mkdirSync(folder, { recursive: true });
const only = process.argv[3];
const browser = await openBrowser();
const house = await openHouse({});
const owner = await reader(browser, house, {});
const looks = { light: { width: 1280 }, dark: { width: 1280, dark: true }, phone: { width: 390, height: 844 } };
for (const lang of ["en", "ja"]) {
  const { link } = await share(owner, house, SIGN_UP[lang]);
  for (const [look, o] of Object.entries(looks)) {
    if (only && only !== `${lang}-${look}`) continue;
    const page = await reader(browser, house, { lang, ...o, signedIn: false });
    const shot = (name, full = false) => page.screenshot({ path: `${folder}/${lang}-${look}-${name}.png`, fullPage: full });
    await page.goto(house.address + link);
    await shot("1door", true);
    await page.locator("[name=consent]").check();
    await page.locator(".begin button").click();
    await page.waitForURL(/\/r\//u);
    await page.locator("#composer button:not([disabled])").waitFor();
    await shot("2first");
    await page.locator("#words").fill(lang === "ja" ? "山田花子" : "Ada Lovelace");
    await page.locator("#words").press("Enter");
    await page.locator(".reply").first().waitFor();
    await shot("3yesno");
    await page.locator(".reply").first().click();
    await page.locator(".reply").nth(2).waitFor();
    await shot("4choice");
    await page.locator(".reply").nth(2).click();
    await page.locator(".picker .option").first().waitFor();
    await page.locator(".picker .option").first().click();
    await shot("5choices");
    await page.locator(".picker button").click();
    await page.locator(".picker input[type=date]").waitFor();
    await shot("6date");
    if (look === "phone") { await page.locator("[data-panel]").click(); await page.locator("#panel details.edit summary").first().click(); await shot("7panel"); await page.locator("[data-panel-close]").click(); }
    else { await page.locator("#panel details.edit summary").first().click(); await shot("7panel"); }
    await page.goto(page.url() + "/form");
    await shot("8sheet", true);
    await page.locator("#sheet-email").fill("nonsense");
    await page.locator("#sheet-day").fill("2027-05-20");
    await page.locator(".classic button").click();
    await page.locator(".notice.bad").waitFor();
    await shot("9wrong", true);
    await page.locator("#sheet-email").fill("ada@example.org");
    await page.locator(".classic button").click();
    await page.waitForURL((u) => !u.pathname.endsWith("/form"));
    await page.locator(".closing").waitFor();
    await shot("a-confirm", true);
    await page.locator(".submit button").click();
    await page.locator("#receipt").waitFor();
    await shot("b-receipt", true);
    await page.goto(house.address + link);
    await shot("c-again", true);
    await page.goto(house.address + link.slice(0, -3));
    await shot("d-unknown");
    console.log(lang, look, page.troubles);
    await page.context().close();
  }
}
await browser.close(); await house.close();
