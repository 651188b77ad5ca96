//! An engine has its store show what the applications declare, and works whether or not it can.

use std::sync::atomic::Ordering;
use std::time::Duration;

use enza_kernel::application::{Application, Entry, Reason, Standing};
use enza_kernel::conversation::Request;
use enza_kernel::effect::{AskModel, Effect, Outcome};
use enza_kernel::table::{Cell, DomainTable, ShownTableFault};
use enza_kernel::testing::till::{CLOSINGS, Till};
use enza_kernel::text::{Lang, Said};
use enza_kernel::time::Now;
use enza_runtime::engine::{Engine, Setup};
use enza_runtime::host::ApplicationRegistry;
use enza_runtime::seams::store::{Rows, SessionCatalog as _, TableQuery};

use crate::engine::fixture::{EngineFixture, IDLE, id, say_and_rest};

/// Another application, which calls a table of its own as the till does.
struct Rival;

#[derive(Debug, Clone, PartialEq)]
struct Never;

impl Reason for Never {
    fn code(&self) -> &'static str {
        "never"
    }

    fn say(&self, _lang: Lang) -> Said {
        Said::new("", "")
    }
}

impl Application for Rival {
    type State = ();
    type Event = ();
    type Command = ();
    type Refusal = Never;

    const NAME: &'static str = "rival";

    fn evolve(_state: &mut (), _entry: &Entry<()>) {}

    fn decide(&self, _state: &(), _command: (), _now: &Now) -> Result<Vec<()>, Never> {
        Ok(Vec::new())
    }

    fn due(&self, _state: &()) -> Vec<Effect> {
        Vec::new()
    }

    fn request(&self, _state: &(), _ask: &AskModel) -> Request {
        Request::default()
    }

    fn settle(&self, _state: &(), _effect: &Effect, _outcome: Outcome, _now: &Now) -> Vec<()> {
        Vec::new()
    }

    fn standing(_state: &()) -> Standing {
        Standing::default()
    }

    fn shown_tables() -> &'static [DomainTable] {
        const OWN: DomainTable = DomainTable { of: "ends", indexes: &[], ..CLOSINGS };
        &[OWN]
    }
}

fn shown(stage: &EngineFixture) -> Vec<Vec<&'static str>> {
    stage.store.shown.lock().unwrap().clone()
}

async fn a_moment() {
    tokio::time::sleep(Duration::from_millis(1)).await;
}

#[tokio::test(start_paused = true)]
async fn an_engine_that_starts_has_the_tables_shown_once_and_one_that_only_looks_does_not() {
    let stage = EngineFixture::new();
    let _looks = Engine::dormant(stage.setup("w0"));
    a_moment().await;
    assert_eq!(shown(&stage), Vec::<Vec<&str>>::new());
    let _works = stage.engine("w1");
    tokio::time::sleep(Duration::from_secs(1_000)).await;
    assert_eq!(shown(&stage), [["closings"]]);
}

#[tokio::test(start_paused = true)]
async fn a_store_that_cannot_be_reached_is_asked_again_and_one_that_may_not_be_written_is_not() {
    let stage = EngineFixture::new();
    stage.store.goes_down();
    let engine = stage.engine("w1");
    tokio::time::sleep(Duration::from_secs(60)).await;
    stage.store.comes_back();
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert_eq!(shown(&stage), [["closings"]]);
    engine.kill();

    let stage = EngineFixture::new();
    stage.store.read_only.store(true, Ordering::Relaxed);
    let engine = stage.with_open_till(&id("s")).await;
    say_and_rest(&engine, &id("s"), "hello").await;
    stage.store.read_only.store(false, Ordering::Relaxed);
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert_eq!(shown(&stage), Vec::<Vec<&str>>::new());
}

#[tokio::test(start_paused = true)]
async fn two_applications_cannot_show_one_name_and_an_engine_with_both_works_without() {
    let stage = EngineFixture::new();
    let both = || ApplicationRegistry::default().with(Till::new(IDLE)).with(Rival);
    assert_eq!(both().shown_tables(), Err(vec![ShownTableFault::Twice("closings".to_owned())]));
    let alone = ApplicationRegistry::default().with(Till::new(IDLE));
    assert_eq!(alone.shown_tables(), Ok(vec![CLOSINGS]));
    assert_eq!(alone.shown_table("closings"), Some(&CLOSINGS));
    assert_eq!(alone.shown_table("openings"), None);
    let engine = Engine::start(Setup { repertoire: both(), ..stage.setup("w1") });
    a_moment().await;
    assert_eq!(shown(&stage), Vec::<Vec<&str>>::new());
    crate::engine::fixture::open_till(&engine, &id("s"), None).await;
    say_and_rest(&engine, &id("s"), "hello").await;
}

#[tokio::test(start_paused = true)]
async fn what_an_application_shows_is_read_by_its_columns_and_is_as_it_declared() {
    let stage = EngineFixture::new();
    let engine = stage.with_open_till(&id("s")).await;
    tokio::time::sleep(IDLE + Duration::from_secs(10)).await;
    let table = engine.applications().shown_table("closings").unwrap();
    let till = vec![("till", Cell::Text("s".to_owned()))];
    let rows = engine.store().table_rows(&TableQuery { equals: till, ..TableQuery::new(table) }).await.unwrap();
    let cells = |column| table.cell(column, rows[0].session.as_str(), &rows[0].key, &rows[0].content);
    let expected = [Cell::Text("s".to_owned()), Cell::Text("too quiet".to_owned())];
    assert_eq!(table.columns.iter().map(cells).collect::<Vec<_>>(), expected);
    let all = stage.memory.rows("closings", Rows::All).await.unwrap();
    assert_eq!(table.misfits(all.iter().map(|row| (row.session.as_str(), row.key.as_str(), &row.content))), []);
}
