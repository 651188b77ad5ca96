//! What must hold after the storm, whatever happened in it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use enza_interview::{Event, Interview};
use enza_kernel::application::Phase;
use enza_kernel::conversation::{Reply, Request};
use enza_kernel::time::Seq;
use enza_runtime::engine::{Engine, Setup};
use enza_runtime::seams::model::{Deltas, Model, ModelFailure};
use enza_runtime::seams::store::{Filter, Recorded, SessionId, SessionRow};
use enza_runtime::seams::tools::NoTools;
use enza_storage::Durability;

use crate::home::Home;
use crate::worker::Acknowledged;

/// Checks everything, and says all that is wrong.
pub fn check(home: &Home, acknowledged: &[Acknowledged]) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let wrong = runtime.block_on(look(home, acknowledged));
    assert!(wrong.is_empty(), "{wrong:#?}");
}

async fn look(home: &Home, acknowledged: &[Acknowledged]) -> Vec<String> {
    let store = enza_storage::open(&home.database, Durability::Full).await.unwrap().store;
    let registry = enza::applications::all().registry();
    let engine = Engine::dormant(Setup::new(store, Arc::new(Silent), Arc::new(NoTools), registry));
    let rows = engine.store().list(&Filter::default()).await.unwrap();
    let mut by_session: BTreeMap<&str, Vec<&Acknowledged>> = BTreeMap::new();
    for one in acknowledged {
        by_session.entry(&one.session).or_default().push(one);
    }
    let mut wrong = Vec::new();
    let (mut events_in_all, mut cut_off) = (0, 0);
    for row in &rows {
        let events = engine.store().events(&row.id, Seq::START, usize::MAX).await.unwrap();
        events_in_all += events.len();
        cut_off += events.iter().filter(|recorded| recorded.stored.kind == "DeliveryLost").count();
        log_is_whole(row, &events, &mut wrong);
        let mine = by_session.remove(row.id.as_str()).unwrap_or_default();
        promises_are_kept(&engine, &row.id, &mine, &events, &mut wrong).await;
        replays(&engine, &row.id, &mut wrong).await;
        let delivered_by_tool =
            events.iter().filter_map(event).any(|event| matches!(event, Event::Delivered { receipt: Some(_), .. }));
        let line = format!("{} ", row.id);
        if delivered_by_tool && !home.deliveries().lines().any(|delivery| delivery.starts_with(&line)) {
            wrong.push(format!("{}: recorded as delivered, and was not", row.id));
        }
    }
    wrong.extend(by_session.keys().map(|session| format!("{session}: acknowledged, and not there")));
    deliveries_are_not_repeated(home, &mut wrong);
    let (sessions, acknowledged) = (rows.len(), acknowledged.len());
    println!("{sessions} sessions, {events_in_all} events, {acknowledged} acknowledged, {cut_off} deliveries cut off");
    wrong
}

fn log_is_whole(row: &SessionRow, events: &[Recorded], wrong: &mut Vec<String>) {
    let id = &row.id;
    if row.standing.phase != Phase::Ended {
        wrong.push(format!("{id}: did not come to its end: {:?}", row.standing));
    }
    if row.head.0 != events.len() as u64 || events.iter().zip(1..).any(|(event, place)| event.seq != Seq(place)) {
        wrong.push(format!("{id}: the log has a gap"));
    }
    let mut is_open = false;
    for recorded in events {
        is_open = match recorded.stored.kind.as_str() {
            "GateOpened" => true,
            "GateAnswered" if !is_open => {
                wrong.push(format!("{id}: a gate was answered twice"));
                false
            }
            "GateAnswered" => false,
            _ => is_open,
        };
    }
}

/// Every acknowledged key was accepted, once, where it was said to be; and its words are in the log, once.
async fn promises_are_kept(
    engine: &Engine,
    session: &SessionId,
    acknowledged: &[&Acknowledged],
    events: &[Recorded],
    wrong: &mut Vec<String>,
) {
    let mut heard: BTreeMap<String, u32> = BTreeMap::new();
    for event in events.iter().filter_map(event) {
        if let Event::AnswerGiven { text, .. } = event {
            *heard.entry(text).or_default() += 1;
        }
    }
    for one in acknowledged {
        let accepted = engine.store().accepted(session, &one.key).await.unwrap();
        if accepted != Some(Seq(one.seq)) {
            wrong.push(format!("{session}: {} was acknowledged at {}, accepted: {accepted:?}", one.key, one.seq));
        }
        if let Some(words) = &one.said
            && heard.get(words) != Some(&1)
        {
            wrong.push(format!("{session}: {words:?} is in the log {:?} times", heard.get(words)));
        }
    }
    wrong.extend(heard.iter().filter(|(_, times)| **times > 1).map(|(words, _)| format!("{session}: {words:?} twice")));
}

async fn replays(engine: &Engine, session: &SessionId, wrong: &mut Vec<String>) {
    let replay = engine.replay(session).await.unwrap();
    if !replay.snapshot_agrees || !replay.prompts_that_differ.is_empty() {
        wrong.push(format!("{session}: a replay differs: {replay:?}"));
    }
}

fn deliveries_are_not_repeated(home: &Home, wrong: &mut Vec<String>) {
    let mut once = BTreeSet::new();
    for line in home.deliveries().lines() {
        if !once.insert(line.to_owned()) {
            wrong.push(format!("delivered twice: {line}"));
        }
    }
    if once.is_empty() {
        wrong.push("nothing was delivered at all".to_owned());
    }
}

fn event(recorded: &Recorded) -> Option<Event> {
    recorded.event::<Interview>().ok()
}

/// Nobody is asked anything here.
struct Silent;

#[async_trait::async_trait]
impl Model for Silent {
    fn name(&self, _request: &Request) -> String {
        "silent".to_owned()
    }

    async fn reply(&self, _request: &Request, _deltas: &dyn Deltas) -> Result<Reply, ModelFailure> {
        Err(ModelFailure::Refused("nobody answers here".to_owned()))
    }
}
