//! What a person finds on coming to their debaters: the places, the debaters, and what may be done about each.
//!
//! Raising a debater wants a name, three values and a name for its session, and is left to the pages.

use enza_kernel::floor::{Floor, Opening};
use enza_kernel::panel::{ItemAction, ListItem, Meter, Panel};
use enza_kernel::text::Lang;
use serde_json::json;

use super::command::StableCommand;
use super::house::{DebaterStatus, HouseRules};
use super::state::{KeptDebater, StableState};
use crate::words::words;

pub(super) fn floor(state: &StableState, house: &HouseRules, lang: Lang) -> Floor {
    if state.owner.is_none() {
        return Floor::default();
    }
    let words = words(lang);
    let meter = |label: &str, used: usize, limit: u32| Meter {
        label: label.to_owned(),
        used: used as u64,
        limit: limit.into(),
    };
    let meters = vec![
        meter(words.say("stable.places"), state.debaters.len(), house.most_debaters),
        meter(words.say("stable.active"), state.active(), house.most_active),
    ];
    let debaters = state.debaters.iter().map(|kept| item(state, house, kept, lang)).collect();
    let panels = vec![
        Panel::meters("places", words.say("stable.places"), meters),
        Panel::list("debaters", words.say("stable.debaters"), debaters),
    ];
    Floor { panels, ..Floor::default() }
}

fn item(state: &StableState, house: &HouseRules, kept: &KeptDebater, lang: Lang) -> ListItem {
    let words = words(lang);
    let deed = |label: &str, about: Option<&str>, command: &StableCommand| ItemAction {
        label: label.to_owned(),
        about: about.map(str::to_owned),
        command: json!(command),
    };
    let set = |status| StableCommand::SetStatus { debater: kept.debater.clone(), status };
    let mut deeds = Vec::new();
    if kept.is_ready {
        match kept.status {
            _ if kept.asked.is_some() => {}
            DebaterStatus::Active => deeds.push(deed(words.say("stable.rest"), None, &set(DebaterStatus::Reserve))),
            DebaterStatus::Reserve if state.active() < house.most_active as usize => {
                deeds.push(deed(words.say("stable.activate"), None, &set(DebaterStatus::Active)));
            }
            DebaterStatus::Reserve => {}
        }
        let delete = StableCommand::Delete { debater: kept.debater.clone() };
        deeds.push(deed(words.say("stable.delete"), Some(words.say("stable.delete_about")), &delete));
    }
    let status = if kept.is_ready { kept.status.called(lang) } else { words.say("stable.coming") };
    ListItem { text: kept.name.clone(), remark: Some(status.to_owned()), current: !kept.is_ready, deeds }
}

/// A stable has one way to begin.
pub(super) fn openings(lang: Lang) -> Vec<Opening> {
    let words = words(lang);
    vec![Opening {
        name: "stable".to_owned(),
        title: words.say("stable.title").to_owned(),
        about: words.say("stable.opening_about").to_owned(),
        command: json!(StableCommand::Open { lang }),
    }]
}
