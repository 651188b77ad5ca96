//! Why it does what it does: the prompt of the last call, what fills the window, what was refused and why.
//!
//! Everything comes from the log; nothing is remembered here.

use enza_companion::{Companion, Event, State};
use enza_kernel::application::Reason as _;
use enza_kernel::conversation::{Request, estimate_tokens};
use enza_kernel::time::Seq;
use enza_runtime::engine::Prompt;
use enza_runtime::seams::store::Recorded;
use enza_terminal::screen::figures::count;
use enza_terminal::screen::{Chart, Names};
use enza_terminal::talk::GoesOn;
use enza_terminal::trouble::Trouble;
use enza_work::hazard;

use super::lists;
use super::talk::Talk;
use crate::words::{lists as names, talk as words};

impl Talk<'_> {
    /// The latest moves, and why the last of those that were refused was.
    pub(super) async fn why(&mut self, state: &State) -> Result<GoesOn, Trouble> {
        let events = self.events().await?;
        let lang = self.show.screen.lang;
        let refused = events.iter().rev().flat_map(Recorded::entry::<Companion>).find_map(|entry| {
            let Event::MoveRefused { to, why, trigger, .. } = entry.event else { return None };
            let said = why.say(lang);
            Some(names::refused(lang, &to, &trigger, &said.message, &said.hint))
        });
        let text = lists::why(self.show.screen, state, refused.as_deref());
        self.told(&text)
    }

    /// The prompt of the last call, or of the one that is being made.
    pub(super) async fn prompt(&mut self, state: &State) -> Result<GoesOn, Trouble> {
        let lang = self.show.screen.lang;
        let Some(prompt) = self.last_prompt(state).await? else { return self.tell(names::no_prompt(lang)) };
        let head = names::prompt_head(lang, &prompt.request.agent, prompt.asked_at.0);
        let text = prompt.request.to_plain_text();
        let text = format!("{}\n{}", self.show.screen.paint.strong(&head), hazard::mask(text.trim_end()));
        self.told(&text)
    }

    /// What fills the window at the last call, as bars.
    pub(super) async fn context(&mut self, state: &State) -> Result<GoesOn, Trouble> {
        let screen = self.show.screen;
        let Some(prompt) = self.last_prompt(state).await? else { return self.tell(names::no_prompt(screen.lang)) };
        let parts = parts(&prompt.request);
        let mut chart = Chart::new(Names::Cut, names::context_head(screen.lang));
        for (name, tokens) in &parts {
            chart.line(names::part(screen.lang, name), [count(*tokens)], *tokens);
        }
        let all = parts.iter().map(|(_, tokens)| tokens).sum();
        chart.total(names::all(screen.lang).to_owned(), [count(all)]);
        let bars = chart.lines(screen.width(), screen.paint).join("\n");
        let cuts = &prompt.request.cuts;
        let cuts = cuts.iter().map(|cut| names::left_out_of(screen.lang, &cut.section, &count(cut.tokens)));
        let cuts = screen.lang.list(cuts);
        let mut lines = vec![bars];
        if !cuts.is_empty() {
            lines.extend(enza_terminal::screen::fold(&names::left_out(screen.lang, &cuts), screen.width()));
        }
        lines.push(lists::context(screen, state));
        self.told(&lines.join("\n"))
    }

    /// The prompt behind the last reply in front; where there is none yet, one that is due.
    async fn last_prompt(&self, state: &State) -> Result<Option<Prompt>, Trouble> {
        let thread = state.front().map(enza_companion::Task::thread);
        let events = self.events().await?;
        let replied = events.iter().rev().find(|recorded| is_reply(recorded, thread.as_deref()));
        let at = replied.or(events.last()).map(|recorded| recorded.seq);
        let Some(at) = at else { return Ok(None) };
        Ok(self.engine.prompts_at(&self.session, at).await?.into_iter().next())
    }

    pub(super) async fn events(&self) -> Result<Vec<Recorded>, Trouble> {
        Ok(self.engine.store().events(&self.session, Seq::START, usize::MAX).await?)
    }
}

fn is_reply(recorded: &Recorded, thread: Option<&str>) -> bool {
    let Ok(Event::Stepped(step)) = recorded.event::<Companion>() else { return false };
    step.prompt().is_some() && thread.is_none_or(|thread| step.thread == thread)
}

/// The parts of a prompt with about how many tokens each takes, in their order.
fn parts(request: &Request) -> Vec<(String, u64)> {
    let of = |parts: &[enza_kernel::conversation::Part]| -> Vec<(String, u64)> {
        parts.iter().map(|part| (part.name.clone(), estimate_tokens(&part.text))).collect()
    };
    let talk = request.messages.iter().map(enza_kernel::conversation::Message::tokens).sum();
    let schema = request.output.as_ref().map_or(0, |schema| estimate_tokens(&schema.to_string()));
    let mut all = of(&request.stable);
    all.push(("conversation".to_owned(), talk));
    all.extend(of(&request.fresh));
    all.push(("schema".to_owned(), schema));
    all.retain(|(_, tokens)| *tokens > 0);
    all
}

impl Talk<'_> {
    /// Who answers, or who is to from now on.
    pub(super) fn model(&mut self, given: &[String]) -> Result<GoesOn, Trouble> {
        let lang = self.show.screen.lang;
        let (role, name) = match given {
            [] => return self.tell(&words::model(lang, self.chosen, &self.models.given())),
            [name] => (None, name),
            [role, name, ..] => (Some(role.as_str()), name),
        };
        let told = match self.models.give(role, name) {
            None => words::no_such_role(lang, role.unwrap_or_default()),
            Some(Ok(pick)) => words::recast(lang, role, &pick),
            Some(Err(trouble)) => enza_terminal::words::model_trouble::say(&trouble, lang).in_one(),
        };
        self.tell(&told)
    }
}
