// A language model that plays an interview well and as slowly as a test wants: OpenAI's streaming dialect on loopback.
//
// It calls the tool it was asked for, in small pieces. `pause()` stops it in the middle of a question until `resume()`,
// so that a test can look at half a sentence, cut a connection there, or take the server away.

import http from "node:http";

export async function startModel() {
  let open = true;
  let waiting = [];
  let halfway = null;
  const gate = () => (open ? Promise.resolve() : new Promise((go) => waiting.push(go)));

  const server = http.createServer(async (request, response) => {
    let body = "";
    for await (const piece of request) body += piece;
    const asked = JSON.parse(body);
    const tool = wanted(asked);
    const text = JSON.stringify(argumentsOf(tool, asked));
    response.writeHead(200, { "content-type": "text/event-stream" });
    const say = (value) => response.write(`data: ${JSON.stringify(value)}\n\n`);
    const delta = (delta, finish = null) => say({ model: "talker", choices: [{ index: 0, delta, finish_reason: finish }] });
    delta({ role: "assistant", tool_calls: [{ index: 0, id: `call-${Date.now()}-${Math.random()}`, type: "function", function: { name: tool, arguments: "" } }] });
    const pieces = text.match(/[\s\S]{1,6}/gu) ?? [];
    for (const [place, piece] of pieces.entries()) {
      if (tool === "ask" && place === Math.floor(pieces.length / 2)) {
        halfway?.();
        await gate();
      }
      delta({ tool_calls: [{ index: 0, function: { arguments: piece } }] });
    }
    delta({}, "tool_calls");
    say({ model: "talker", choices: [], usage: { prompt_tokens: 900, completion_tokens: 40, prompt_tokens_details: { cached_tokens: 600 } } });
    response.end("data: [DONE]\n\n");
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));

  return {
    url: `http://127.0.0.1:${server.address().port}/v1`,
    // Stops in the middle of the next question; resolves once it is there.
    pause() {
      open = false;
      return new Promise((there) => (halfway = there));
    },
    resume() {
      open = true;
      halfway = null;
      waiting.splice(0).forEach((go) => go());
    },
    close: () => new Promise((done) => { server.closeAllConnections(); server.close(done); }),
  };
}

// The tool that the request names; else the first it offers.
function wanted(asked) {
  return asked.tool_choice?.function?.name ?? asked.tools[0].function.name;
}

function argumentsOf(tool, asked) {
  switch (tool) {
    case "ask":
      return { question: question(asked) };
    case "review":
      return { passed: true, field_value: lastAnswer(asked) };
    default:
      return {};
  }
}

// Questions long enough to be seen half-written, one after another, in the language of the form.
const QUESTIONS = {
  ja: [
    "どんなことが起きているのか、見たこと、聞いたことを、わかる範囲でくわしく教えてください。",
    "それはどこで起きていますか。建物と階、部屋や目印がわかれば、くわしく教えてください。",
    "このあと確認したいことが出てきたら、どちらに連絡すればよいですか。くわしく教えてください。",
  ],
  en: [
    "What exactly is happening there? Please tell me what you have seen or heard, as far as you know it.",
    "Where is it? The building and the floor help, and so does anything close by, as far as you know it.",
    "How can we reach you if something is unclear? An address or a number will do, as far as you know it.",
  ],
};

function question(asked) {
  const everything = JSON.stringify(asked.messages);
  const questions = /[ぁ-ん]/u.test(everything) ? QUESTIONS.ja : QUESTIONS.en;
  const done = everything.match(/\((\d+) of \d+ fields are done|\d+項目のうち(\d+)項目が済み/u);
  return questions[Math.min(Number(done?.[1] ?? done?.[2] ?? 0), questions.length - 1)];
}

// What the respondent said last: the prompt has it as data, in a fence of its own or in the lines of a conversation.
function lastAnswer(asked) {
  const texts = asked.messages.map((message) => (typeof message.content === "string" ? message.content : JSON.stringify(message.content)));
  const said = texts.join("\n").match(/"answer":"((?:[^"\\]|\\.)*)"/gu) ?? [];
  const last = said.at(-1);
  return last ? JSON.parse(`{${last}}`).answer : "as told";
}
