//! `enza prompt`: the prompt behind a reply, rendered again, or the prompts that are due after an event.

use enza_kernel::refusal::CommonRefusal;
use enza_kernel::time::Seq;
use enza_runtime::engine::{Declined, Prompt};
use enza_runtime::host::Refused;
use serde_json::{Value, json};

use crate::arguments::PromptArgs;
use crate::commands::session::SecretMasking;
use crate::environment::Environment;
use crate::screen::Screen;
use crate::setup;
use crate::trouble::Trouble;
use crate::words::sessions as words;

/// Shows prompts.
pub async fn run(around: &Environment, screen: &Screen, order: PromptArgs) -> Result<(), Trouble> {
    let engine = setup::read_only_engine(around).await?;
    let row = setup::find_session(&**engine.store(), &order.id).await?;
    let seq = Seq(order.seq);
    if seq == Seq::START || seq > row.head {
        return Err(Trouble::NoSuchEvent { seq, head: row.head });
    }
    let reading = setup::read_session(&engine, &row).await?;
    let mut prompts = engine.prompts_at(&row.id, seq).await?;
    let had_some = !prompts.is_empty();
    prompts.retain(|prompt| reading.shows_prompt(&prompt.thread));
    if had_some && prompts.is_empty() {
        return Err(Declined::Refused(Refused::from_reason(&CommonRefusal::NotYourPart)).into());
    }
    let form = SecretMasking::of(&around.applications, &row, order.raw);
    if screen.json {
        screen.value(&form.value(Value::Array(prompts.iter().map(as_json).collect())))?;
    } else if prompts.is_empty() {
        screen.say(&words::no_prompt(screen.lang, seq.0))?;
    } else {
        for prompt in &prompts {
            screen.say(&screen.paint.strong(&words::prompt_head(screen.lang, &prompt.thread, prompt.asked_at.0)))?;
            screen.say(&screen.paint.faint(&standing(screen, prompt)))?;
            screen.say("")?;
            screen.say(form.text(&prompt.request.to_plain_text()).trim_end())?;
        }
    }
    if prompts.iter().all(Prompt::is_exact) { Ok(()) } else { Err(Trouble::PromptDiffers { seq }) }
}

fn standing(screen: &Screen, prompt: &Prompt) -> String {
    let digest = prompt.request.digest();
    match (prompt.recorded.is_some(), prompt.is_exact()) {
        (true, true) => words::prompt_exact(screen.lang, &digest),
        (true, false) => words::prompt_differs(screen.lang, &digest),
        (false, true | false) => words::prompt_due(screen.lang).to_owned(),
    }
}

fn as_json(prompt: &Prompt) -> Value {
    json!({
        "thread": prompt.thread,
        "asked_at": prompt.asked_at,
        "request": prompt.request,
        "text": prompt.request.to_plain_text(),
        "digest": prompt.request.digest(),
        "recorded": prompt.recorded,
        "exact": prompt.recorded.map(|_| prompt.is_exact()),
    })
}
