//! What a person finds on coming to a session of the companion, and may do in it next.

use enza_kernel::floor::{Floor, Known, Offer, Position, Weight};
use enza_kernel::text::Lang;
use serde_json::json;

use super::Companion;
use super::desk::Desk;
use super::flow::hearing::WORDS;
use super::state::State;
use super::steps::Step;

/// The floor as it is now.
pub(super) fn floor(app: &Companion, state: &State, lang: Lang) -> Floor {
    Floor {
        gate: Companion::open_gate(state).cloned(),
        offers: offers(state, lang),
        progress: None,
        known: known(state, lang),
        positions: state.desks.iter().map(|desk| position(app, desk)).collect(),
    }
}

fn position(app: &Companion, desk: &Desk) -> Position {
    Position { table: app.steps.name().to_owned(), thing: desk.id.to_string(), at: desk.at.at().to_owned() }
}

fn offers(state: &State, lang: Lang) -> Vec<Offer> {
    if state.closed || state.owner.is_empty() {
        return Vec::new();
    }
    let press =
        |ja: &str, en: &str, command, weight| Offer::Press { label: lang.pick(ja, en).to_owned(), command, weight };
    let front = state.front();
    let is_busy = front.is_some_and(|desk| state.is_busy(desk));
    let mut offers = Vec::new();
    if front.is_some_and(|desk| desk.task.is_some() && desk.step() == Step::Review) && !is_busy {
        offers.push(press("結果を受け入れる", "Accept the result", json!("accept"), Weight::Main));
    }
    offers.push(Offer::Say {
        label: if is_busy {
            lang.pick("次に伝えること", "What comes next")
        } else {
            lang.pick("メッセージ", "Message")
        }
        .to_owned(),
        limit: WORDS,
        command: json!({ "say": { "text": "" } }),
        place: "/say/text".to_owned(),
    });
    if front.is_some_and(|desk| state.failure(desk).is_some()) {
        offers.push(press("もう一度試す", "Try again", json!("retry"), Weight::Retry));
    }
    if is_busy {
        offers.push(press("バックグラウンドへ", "To the background", json!("background"), Weight::Plain));
        offers.push(press("止める", "Stop", json!({ "stop": {} }), Weight::Grave));
    }
    offers
}

/// What is held in mind, and what else is under way.
fn known(state: &State, lang: Lang) -> Vec<Known> {
    let Some(desk) = state.front() else { return Vec::new() };
    let mind = &desk.mind;
    let one = |label: &str, value: String| Known {
        label: label.to_owned(),
        value: Some(value).filter(|value| !value.is_empty()),
        remark: None,
        current: false,
        change: None,
    };
    let join = |items: &[String]| items.join("\n");
    let mut known = vec![
        one(lang.pick("フォルダ", "Folder"), state.folder.clone()),
        one(lang.pick("状態", "State"), format!("{}, {}", desk.step().say(lang), desk.status.say(lang))),
        one(lang.pick("目標", "Goal"), mind.goal.clone()),
        one(lang.pick("なぜ今", "Why now"), mind.why_now.clone()),
        one(lang.pick("制約", "Constraints"), join(&mind.constraints)),
        one(lang.pick("計画", "Next moves"), join(&mind.plan_brief)),
        one(lang.pick("未解決の問い", "Open questions"), join(&mind.open_questions)),
    ];
    let forbidden: Vec<String> = state.constraints.iter().map(|one| one.text.clone()).collect();
    if !forbidden.is_empty() {
        known.push(one(lang.pick("禁じたこと", "Forbidden"), forbidden.join("\n")));
    }
    for behind in state.desks.iter().filter(|other| other.id != desk.id && !other.aside) {
        let title = behind.task.as_ref().map_or(String::new(), |work| work.title.clone());
        let standing = format!("{} ({}, {})", title, behind.step().say(lang), behind.status.say(lang));
        known.push(one(&lang.pick(format!("作業 {}", behind.id), format!("Task {}", behind.id)), standing));
    }
    known
}
