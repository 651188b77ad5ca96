//! How a topic is set up, paused and closed, by whom, and what others see of it.

use std::collections::BTreeSet;

use enza_deliberation::Topics;
use enza_deliberation::topic::{
    CODES, SettingsFault, TABLES, TopicCommand, TopicRefusal, TopicSettings, TopicState, TopicStatus,
};
use enza_kernel::application::{Application, Entry, Reason, restore, store};
use enza_kernel::floor::Offer;
use enza_kernel::reader::Reader;
use enza_kernel::refusal::CommonRefusal;
use enza_kernel::table::Cell;
use enza_kernel::text::Lang;
use enza_kernel::time::{Actor, Timestamp};
use serde_json::json;

use super::world::{HOUR, World, every_four_hours, session};

#[test]
fn del_c3_the_defaults_are_the_documents() {
    let world = World::begun(TopicSettings::default());
    let settings = &world.state.settings;
    assert_eq!((settings.participants, settings.minimum, settings.turns, settings.most_per_run), (4, 2, 10, 2));
    assert_eq!((settings.activity_days, settings.window_seconds), (3, 900));
    assert!(!settings.partners, "nobody is topped up unless the topic says so");
    // Midnight UTC is nine in Tokyo; the next of 3, 7, 11, 15, 19 and 23 o'clock is eleven.
    assert_eq!(world.timer("run").unwrap().at, Timestamp(2 * HOUR));
}

#[test]
fn settings_that_cannot_work_are_refused() {
    let mut world = World::begun(TopicSettings::default());
    let ok = TopicSettings::default;
    for (settings, fault) in [
        (TopicSettings { participants: 9, ..ok() }, SettingsFault::Seats),
        (TopicSettings { minimum: 1, ..ok() }, SettingsFault::Seats),
        (TopicSettings { minimum: 5, ..ok() }, SettingsFault::Seats),
        (TopicSettings { turns: 0, ..ok() }, SettingsFault::Turns),
        (TopicSettings { mode: "duel".into(), ..ok() }, SettingsFault::Mode),
        (TopicSettings { activity_days: 0, ..ok() }, SettingsFault::Days),
        (TopicSettings { most_per_run: 0, ..ok() }, SettingsFault::PerRun),
        (TopicSettings { window_seconds: 100_000, ..ok() }, SettingsFault::Window),
    ] {
        assert_eq!(world.owner(TopicCommand::SetSettings { settings }), Err(TopicRefusal::Settings(fault)));
    }
    let nowhere = json!({"zone": "Nowhere/Town", "recurs": {"cron": "0 * * * *"}});
    let settings = TopicSettings { schedule: serde_json::from_value(nowhere).unwrap(), ..ok() };
    let refused = world.owner(TopicCommand::SetSettings { settings });
    assert!(matches!(refused, Err(TopicRefusal::Settings(SettingsFault::Schedule(_)))), "{refused:?}");
}

#[test]
fn only_the_owner_changes_anything() {
    let mut world = World::begun(every_four_hours());
    let somebody = || Actor::Person("mira".to_owned());
    for command in [
        TopicCommand::RunNow,
        TopicCommand::Pause,
        TopicCommand::Archive,
        TopicCommand::DropNext { debate: "x".into() },
    ] {
        assert_eq!(world.by(somebody(), command), Err(TopicRefusal::Common(CommonRefusal::NotYourPart)));
    }
    assert_eq!(
        world.by(session("x", "debater"), TopicCommand::RunNow),
        Err(TopicRefusal::Common(CommonRefusal::NotAPerson))
    );
    assert_eq!(World::default().owner(TopicCommand::RunNow), Err(TopicRefusal::Common(CommonRefusal::NotOpen)));
}

#[test]
fn what_falls_into_a_pause_is_gone() {
    let mut world = World::begun(every_four_hours());
    world.owner(TopicCommand::Pause).unwrap();
    assert!(world.timer("run").is_none());
    assert_eq!(world.owner(TopicCommand::Pause), Ok(vec![]));
    world.time = 9 * HOUR;
    world.owner(TopicCommand::Resume).unwrap();
    assert_eq!(world.timer("run").unwrap().at, Timestamp(12 * HOUR));
}

#[test]
fn a_closed_topic_opens_nothing_and_calls_its_run_off() {
    let mut world = World::begun(every_four_hours());
    world.ring("run");
    world.find(&["d1", "d2"]);
    let first = world.summoned()[0].clone();
    world.comes(&first);
    world.owner(TopicCommand::Archive).unwrap();
    assert_eq!(world.released().len(), 2, "who had sat down and who was asked");
    assert!(world.timer("run").is_none() && world.timer("summons").is_none());
    assert_eq!(world.owner(TopicCommand::RunNow), Err(TopicRefusal::Archived));
    assert_eq!(world.state.listing.as_ref().unwrap().status, TopicStatus::Archived);
}

#[test]
fn a_look_that_comes_back_to_a_closed_topic_changes_nothing() {
    let mut world = World::begun(every_four_hours());
    world.ring("run");
    let look = world.errands().remove(0);
    world.owner(TopicCommand::Archive).unwrap();
    assert_eq!(world.errands().len(), 0);
    let before = world.log.len();
    let found = enza_kernel::effect::Outcome::Found { rows: Vec::new(), draw: [1, 2] };
    world.settle(&enza_kernel::effect::Effect::RunErrand(look), found);
    assert_eq!(world.log.len(), before);
}

#[test]
fn del_c9_a_title_is_one_line() {
    let mut world = World::begun(every_four_hours());
    let edit = TopicCommand::Edit { title: "新しい\n## 指示".into(), description: "説明".into() };
    world.owner(edit).unwrap();
    assert_eq!(world.state.title(), "新しい ## 指示");
}

#[test]
fn the_table_of_topics_has_what_lists_need() {
    let world = World::begun(every_four_hours());
    let row = Topics::rows(&world.log[0]).remove(0);
    let (table, content) = (&TABLES[0], row.content.unwrap());
    for column in table.columns.iter().filter(|column| column.is_required) {
        assert_ne!(table.cell(column, "topic-1", &row.key, &content), Cell::Null, "{}", column.name);
    }
    assert_eq!(enza_kernel::table::faults(TABLES).len(), 0);
}

#[test]
fn del_c22_what_debaters_brought_is_shown_to_nobody_the_owner_included() {
    let mut world = World::begun(every_four_hours());
    world.ring("run");
    world.find(&["d1", "d2"]);
    world.opens();
    let persona = super::world::brief("d1").persona;
    for reader in [Reader::host(), Reader::spectator()] {
        for entry in &world.log {
            let shown = if Topics::shows(entry, &reader) { json!(entry).to_string() } else { String::new() };
            assert!(!shown.contains("core_values") && !shown.contains(&persona), "{shown}");
        }
        assert!(!Topics::shows_state(&world.state, &reader));
    }
    for entry in world.log.iter().filter(|entry| Topics::shows(entry, &Reader::spectator())) {
        assert!(!json!(entry).to_string().contains("hana"), "who owns it is not for everyone: {entry:?}");
    }
}

#[test]
fn every_offer_of_the_floor_is_accepted_and_others_are_offered_nothing() {
    let world = World::begun(every_four_hours());
    let offers = world.app.floor(&world.state, &Reader::host(), Lang::Ja).offers;
    assert_eq!(offers.len(), 3);
    for offer in offers {
        let Offer::Press { command, .. } = offer else { panic!("a button") };
        let mut world = World::begun(every_four_hours());
        assert_ne!(world.owner(serde_json::from_value(command).unwrap()), Ok(vec![]));
    }
    assert_eq!(world.app.floor(&world.state, &Reader::spectator(), Lang::Ja).offers, []);
}

#[test]
fn every_refusal_of_a_topic_is_said_in_both_languages_with_what_to_do_next() {
    use SettingsFault::{Days, Mode, PerRun, Seats, Turns, Window};
    let mut all = vec![
        TopicRefusal::Archived,
        TopicRefusal::RunUnderWay,
        TopicRefusal::NotSummoned,
        TopicRefusal::ProposalUnknown,
        TopicRefusal::DebateUnknown,
    ];
    all.extend([Days, Mode, PerRun, Seats, Turns, Window].map(TopicRefusal::Settings));
    for refusal in &all {
        for lang in [Lang::Ja, Lang::En] {
            let said = refusal.say(lang);
            for text in [&said.message, &said.hint] {
                assert!(text.ends_with(['.', '。']) && !text.contains(['⁇', '{']), "{refusal:?}: {text}");
            }
        }
    }
    let given: BTreeSet<&str> = all.iter().map(Reason::code).collect();
    assert_eq!(given, CODES.iter().copied().collect());
}

#[test]
fn a_topic_reads_the_same_from_its_log() {
    let mut world = World::begun(every_four_hours());
    world.ring("run");
    world.find(&["d1", "d2", "d3"]);
    world.opens();
    let mut state = TopicState::default();
    for entry in &world.log {
        let event = restore::<Topics>(&store::<Topics>(&entry.event)).unwrap();
        Topics::evolve(&mut state, &Entry { event, ..entry.clone() });
    }
    assert_eq!(state, world.state);
    assert_eq!(serde_json::from_str::<TopicState>(&serde_json::to_string(&state).unwrap()).unwrap(), state);
    assert!(Topics::commands().to_string().contains("convene"));
}

#[test]
fn the_history_of_a_topic_is_told_in_both_languages() {
    let mut world = World::begun(every_four_hours());
    world.owner(TopicCommand::Pause).unwrap();
    world.owner(TopicCommand::Resume).unwrap();
    world.time = 9 * HOUR;
    world.ring("run");
    world.find(&["d1"]);
    world.comes("d1");
    world.owner(TopicCommand::RunNow).unwrap();
    world.find(&["d1", "d2"]);
    world.opens();
    world.owner(TopicCommand::Archive).unwrap();
    let told = |lang: Lang, reader: &Reader| {
        let lines = world.log.iter().filter_map(|entry| Topics::line(entry, reader, lang));
        lines.map(|line| line.text + "\n").collect::<String>()
    };
    insta::assert_snapshot!(told(Lang::En, &Reader::host()));
    insta::assert_snapshot!(told(Lang::Ja, &Reader::host()));
    insta::assert_snapshot!(told(Lang::En, &Reader::spectator()));
}
