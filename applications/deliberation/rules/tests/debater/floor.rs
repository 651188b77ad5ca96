//! What the owner sees: panels, lines, offers that are accepted, and refusals that say what to do next.

use std::collections::BTreeSet;

use enza_deliberation::{DEBATER_CODES, Debater, DebaterCommand, DebaterRefusal, GrowthTime, STABLE_CODES};
use enza_kernel::application::{Application as _, Reason as _};
use enza_kernel::floor::{Floor, Offer, Who, put_words};
use enza_kernel::panel::PanelContent;
use enza_kernel::reader::Reader;
use enza_kernel::testing::prose;
use enza_kernel::text::Lang;
use serde_json::Value;

use super::world::{World, ada};

const LANGS: [Lang; 2] = [Lang::Ja, Lang::En];

fn floor(world: &World, lang: Lang) -> Floor {
    world.app.floor(&world.state, &Reader::host(), lang)
}

fn commands(floor: &Floor) -> Vec<Value> {
    let offers = floor.offers.iter().map(|offer| match offer {
        Offer::Say { command, place, .. } => put_words(command, place, "もっと聞いて"),
        Offer::Press { command, .. } => command.clone(),
    });
    let deeds = floor.lists().flat_map(|(_, things)| things).flat_map(|thing| &thing.deeds);
    offers.chain(deeds.map(|deed| deed.command.clone())).collect()
}

/// Every offer would be accepted, in this state.
fn all_are_accepted(world: &World) -> usize {
    let commands = commands(&floor(world, Lang::Ja));
    for command in &commands {
        let parsed: DebaterCommand = serde_json::from_value(command.clone()).unwrap();
        let now = enza_kernel::time::Now { time: world.time, head: world.head(), by: ada() };
        world.app.decide(&world.state, parsed, &now).unwrap_or_else(|refusal| panic!("{command}: {refusal:?}"));
    }
    commands.len()
}

#[test]
fn every_offer_is_accepted_wherever_it_is_made() {
    let mut world = World::opened(Lang::Ja, GrowthTime::AtCompletion);
    assert_eq!(all_are_accepted(&world), 0);
    world.play();
    world.learn("表").unwrap();
    assert_eq!(all_are_accepted(&world), 1);
    world.sit_through("d1");
    assert_eq!(all_are_accepted(&world), 3, "feedback, a trial, and knowledge to remove");
    world.give("d1", "もっと質問して").unwrap();
    world.seat("d2");
    world.complete("d2");
    world.unanswered("growth");
    world.play();
    assert_eq!(all_are_accepted(&world), 4, "the growth can be tried again");
    world.tell(DebaterCommand::RetryGrowth).unwrap();
    world.play();
    assert_eq!(all_are_accepted(&world), 4, "and be taken back");
    world.by(super::world::stable(), DebaterCommand::Retire).unwrap();
    assert_eq!(all_are_accepted(&world), 0);
}

/// DEL-109 as far as rules go: so many of ten in use.
#[test]
fn panels_show_profile_knowledge_with_its_meter_feedback_trial_and_growth() {
    let mut world = World::back_home();
    for title in ["一", "二", "三"] {
        world.learn(title).unwrap();
    }
    world.tell(DebaterCommand::TryFeedback { debate: "d1".to_owned(), content: "数字で".to_owned() }).unwrap();
    world.play();
    world.give("d1", "もっと具体的に、数字で").unwrap();
    world.sit_through("d2");
    for lang in LANGS {
        let floor = floor(&world, lang);
        let ids: Vec<&str> = floor.filled_panels().map(|panel| panel.id.as_str()).collect();
        assert_eq!(ids, ["profile", "slots", "knowledge", "feedback", "trial", "growth"]);
        let meter = floor.meters().next().unwrap();
        assert_eq!((meter.used, meter.limit), (3, 10));
        assert!(floor.facts().any(|fact| fact.value.as_deref() == Some("Lv.2")));
        let growth = floor.panels.iter().find(|panel| panel.id == "growth").unwrap();
        let PanelContent::List { things } = &growth.content else { panic!("{growth:?}") };
        assert_eq!(things[0].text, "Lv.1 → Lv.2");
        assert!(things[0].remark.as_ref().unwrap().contains('+'), "{things:?}");
    }
    let japanese = floor(&world, Lang::Ja);
    assert_eq!(japanese.meters().next().unwrap().label, "スロット使用中");
}

#[test]
fn the_history_is_told_in_both_languages() {
    let mut world = World::back_home();
    world.learn("表").unwrap();
    world.give("d1", "もっと質問して").unwrap();
    world.sit_through("d2");
    let change = world.state.changes()[0].id.clone();
    world.tell(DebaterCommand::TakeBack { change }).unwrap();
    for lang in LANGS {
        let lines = world.log.iter().filter_map(|entry| Debater::line(entry, &Reader::host(), lang));
        let told: Vec<String> = lines.map(|line| line.text).collect();
        assert!(told.len() >= 9, "{told:#?}");
        assert!(told.iter().all(|line| !line.contains('⁇') && !line.contains('{')), "{told:#?}");
        assert!(told.iter().any(|line| line.contains("Lv.2 → Lv.3")), "{told:#?}");
    }
}

fn refusals() -> Vec<DebaterRefusal> {
    use DebaterRefusal::*;
    vec![
        ValuesUnfit,
        Retired,
        InReserve,
        Seated,
        AlreadySeated,
        NoSuchSeat,
        RunFull { most_per_run: 2 },
        KnowledgeFull,
        KnowledgeUnknown,
        NotCompleted,
        NotAParticipant,
        FeedbackExists,
        FeedbackClosed,
        FeedbackUnknown,
        FeedbackApplied,
        Growing,
        NothingToTakeBack,
        TrialUnderWay,
        Unborn,
    ]
}

#[test]
fn every_refusal_has_its_code_and_says_what_happened_and_what_to_do() {
    let codes: BTreeSet<&str> = refusals().iter().map(DebaterRefusal::code).collect();
    // Values are refused by the stable first, in whose list that stands.
    assert!(STABLE_CODES.contains(&"values-unfit"));
    assert_eq!(codes, DEBATER_CODES.iter().copied().chain(["values-unfit"]).collect());
    for (refusal, lang) in refusals().into_iter().flat_map(|refusal| LANGS.map(|lang| (refusal.clone(), lang))) {
        let said = refusal.say(lang);
        let ends = |text: &str| text.ends_with(['.', '。']) && !text.contains(['⁇', '{']);
        assert!(ends(&said.message) && ends(&said.hint) && said.message != said.hint, "{refusal:?}: {said:?}");
    }
}

/// Names and titles end in marks of their own; two marks never meet.
#[test]
fn no_line_reads_like_a_machine_whatever_things_are_called() {
    for name in ["Really!", "お名前。", "Who is it?", "A. B.", "「表」"] {
        let mut world = World::back_home();
        world.by(super::world::stable(), DebaterCommand::Rename { name: name.to_owned() }).unwrap();
        world.learn(name).unwrap();
        let id = world.state.knowledge()[0].id.clone();
        let edit = DebaterCommand::EditKnowledge { id: id.clone(), title: name.to_owned(), content: "x".to_owned() };
        world.tell(edit).unwrap();
        world.tell(DebaterCommand::RemoveKnowledge { id }).unwrap();
        for lang in LANGS {
            let lines = world.log.iter().filter_map(|entry| Debater::line(entry, &Reader::host(), lang));
            for line in lines.filter(|line| line.who == Who::Session) {
                let faults = prose::faults(&line.text);
                // What a feedback is called is a participant's word here.
                let faults: Vec<_> = faults.iter().filter(|fault| !fault.ends_with(": feedback")).collect();
                assert!(faults.is_empty(), "{}: {faults:?}", line.text);
            }
        }
    }
}
