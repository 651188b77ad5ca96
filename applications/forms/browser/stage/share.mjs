// A form that is published and shared, for tests of those who answer it. Made through the interface for programs, so
// that no test of a respondent depends on how the builder looks.

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Publishes a form and makes a public link to it. `owner` is a page that is signed in. Gives the link's address. */
export async function share(owner, house, form, kind = "public") {
  const post = async (path, body) => {
    const response = await owner.request.post(house.address + path, { data: JSON.stringify(body), headers: { origin: house.address, "content-type": "application/json" } });
    if (!response.ok()) throw new Error(`${path}: ${response.status()} ${await response.text()}`);
    return response.json();
  };
  const { id } = await post("/api/sessions", { application: "form", command: { begin: { form } } });
  const token = Array.from(crypto.getRandomValues(new Uint8Array(20)), (byte) => DIGITS[byte % 62]).join("");
  await post(`/api/sessions/${id}/commands`, "publish");
  await post(`/api/sessions/${id}/commands`, { make_link: { token, kind } });
  return { id, link: `/f/${inDigits(id)}-${token}` };
}

/** An address at which nobody listens. */
export const NOWHERE = "http://127.0.0.1:9/answers";

/** Has the submissions of a form sent on. */
export async function sendOn(owner, house, id, url) {
  const response = await owner.request.put(`${house.address}/api/forms/${id}/webhook`, { data: JSON.stringify({ url }), headers: { origin: house.address, "content-type": "application/json" } });
  if (!response.ok()) throw new Error(`${response.status()} ${await response.text()}`);
}

/** A session's name as links write it. */
function inDigits(id) {
  let number = BigInt(`0x${id.replaceAll("-", "")}`);
  let digits = "";
  while (digits.length < 22) {
    digits = DIGITS[Number(number % 62n)] + digits;
    number /= 62n;
  }
  return digits;
}

/** A sign-up with every kind of answer that a phone should make easy, in both languages. */
export const SIGN_UP = {
  en: {
    title: "Garden party sign-up",
    description: "We are glad that you might come. This takes two minutes.",
    consent: "We use your answers to plan the party and delete them four weeks later.",
    language: "en",
    order: "fixed",
    fields: [
      { fieldId: "name", label: "Your name", required: true, intent: "As it should stand on your badge." },
      { fieldId: "coming", label: "Will you come?", kind: "yes_no", required: true },
      { fieldId: "meal", label: "Which meal would you like?", kind: "choice", required: true, options: ["Fish", "Meat", "Vegetables"] },
      { fieldId: "games", label: "Which games will you play?", kind: "choices", options: ["Boules", "Croquet", "Chess"] },
      { fieldId: "day", label: "On which day do you arrive?", kind: "date", required: true },
      { fieldId: "email", label: "Your e-mail address", kind: "email", required: true },
      { fieldId: "wishes", label: "Anything else?", kind: "long_text" },
    ],
  },
  ja: {
    title: "ガーデンパーティー参加申込",
    description: "ご興味をお持ちいただきありがとうございます。2分ほどで終わります。",
    consent: "回答はパーティーの準備に使い、終了の4週間後に削除します。",
    language: "ja",
    order: "fixed",
    fields: [
      { fieldId: "name", label: "お名前", required: true, intent: "名札に書くお名前です。" },
      { fieldId: "coming", label: "参加しますか", kind: "yes_no", required: true },
      { fieldId: "meal", label: "お食事", kind: "choice", required: true, options: ["魚", "肉", "野菜"] },
      { fieldId: "games", label: "参加したいゲーム", kind: "choices", options: ["ペタンク", "クロッケー", "将棋"] },
      { fieldId: "day", label: "到着日", kind: "date", required: true },
      { fieldId: "email", label: "メールアドレス", kind: "email", required: true },
      { fieldId: "wishes", label: "その他のご要望", kind: "long_text" },
    ],
  },
};
