//! `enza doctor`: what works, what does not, and what to do about it.
//!
//! The database is looked at without being made; only one that is there is opened, for a write that changes nothing.
//! Each finding is one line, and a fault ends the command with status 1.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::time::Instant;

use enza_models::choice::ChoiceReason;
use enza_runtime::seams::store::Failure;
use enza_storage::{Address, Checkup, Concern, Identity, Integrity, Sqlite};
use enza_workshop::run::{OURSELVES, Protection};
use serde_json::{Value, json};

use crate::arguments::Doctor;
use crate::commands::backup::progress;
use crate::environment::Environment;
use crate::known_databases;
use crate::screen::{Screen, bytes, pad, width};
use crate::setup;
use crate::trouble::Trouble;
use crate::words::doctor as words;
use crate::words::{backup, models, trouble};

/// Less room than this is worth a warning.
const LITTLE_ROOM: u64 = 200 << 20;
/// Less room than this will not do.
const NO_ROOM: u64 = 10 << 20;

/// How something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Health {
    /// Well.
    Ok,
    /// It works, but.
    Warn,
    Fail,
}

/// One finding.
#[derive(Debug, Clone)]
pub struct Finding {
    what: words::What,
    health: Health,
    text: String,
    hint: Option<String>,
}

/// Examines everything.
pub async fn run(around: &Environment, screen: &Screen, order: Doctor) -> Result<(), Trouble> {
    let mut findings = vec![folder(around), room(around)];
    if order.accept_log_loss {
        findings.push(accept_log_loss(around).await);
    }
    if order.begin_anew {
        findings.push(begin_anew(around).await);
    }
    findings.extend(database(around).await);
    if order.deep {
        findings.extend(deep(around, screen).await);
    }
    findings.push(model(around));
    findings.push(commands(around));
    findings.push(language(around));
    findings.push(terminal(around));
    show(screen, &findings)?;
    match findings.iter().filter(|finding| finding.health == Health::Fail).count() {
        0 => Ok(()),
        count => Err(Trouble::NotWell { count: count as u64 }),
    }
}

fn folder(around: &Environment) -> Finding {
    let lang = around.lang;
    match write_in(&around.data) {
        Ok(Some(())) => well(words::What::Folder, words::folder_well(lang, &around.data)),
        Ok(None) => well(words::What::Folder, words::folder_not_yet(lang, &around.data)),
        Err(why) => {
            let trouble = Trouble::Folder { path: around.data.clone(), why: why.to_string() };
            ill(words::What::Folder, &trouble, around)
        }
    }
}

/// Writes and removes a file in the folder, or in the nearest folder above that is there.
fn write_in(data: &Path) -> std::io::Result<Option<()>> {
    let folder = nearest(data);
    let probe = folder.join(format!(".enza-doctor-{}", std::process::id()));
    let mut file = fs::File::create(&probe)?;
    let written = file.write_all(b"probe").and_then(|()| file.sync_all());
    fs::remove_file(&probe)?;
    written?;
    Ok((folder == data).then_some(()))
}

fn nearest(data: &Path) -> &Path {
    data.ancestors()
        .find(|folder| folder.exists())
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
}

fn room(around: &Environment) -> Finding {
    let lang = around.lang;
    let Ok(about) = rustix::fs::statvfs(nearest(&around.data)) else {
        return Finding { health: Health::Warn, ..well(words::What::Room, words::room_unknown(lang).to_owned()) };
    };
    let free = about.f_bavail.saturating_mul(about.f_frsize);
    let health = if free < NO_ROOM {
        Health::Fail
    } else if free < LITTLE_ROOM {
        Health::Warn
    } else {
        Health::Ok
    };
    let hint = (health != Health::Ok).then(|| words::make_room(lang).to_owned());
    Finding { what: words::What::Room, health, text: bytes(free), hint }
}

async fn database(around: &Environment) -> Vec<Finding> {
    let lang = around.lang;
    match enza_storage::inspect(&around.database).await {
        Err(failure) => vec![ill(words::What::Database, &Trouble::Store(failure), around)],
        Ok(None) if known_before(around).is_some() => {
            let gone = Failure::Missing(Address::read(&around.database).name().unwrap_or_default());
            vec![ill(words::What::Database, &Trouble::Store(gone), around)]
        }
        Ok(None) => {
            let what = match Address::read(&around.database) {
                Address::Memory => "memory".to_owned(),
                Address::Sqlite(path) => format!("sqlite {}", path.display()),
                Address::Postgres(_) => "postgres".to_owned(),
            };
            vec![well(words::What::Database, words::database_not_yet(lang, &what))]
        }
        Ok(Some(checkup)) => {
            let (probed, concerns) = write_probe(around).await;
            let mut findings = vec![
                well(words::What::Database, words::database(lang, &checkup)),
                schema(around, &checkup),
                integrity(around, &checkup),
                well(words::What::Durability, words::durability(lang, around.durability).to_owned()),
                probed,
            ];
            findings.extend(concerns.iter().map(|concern| Finding {
                health: Health::Warn,
                hint: Some(backup::concern_hint(lang).to_owned()),
                ..well(words::What::Sessions, backup::concern(lang, concern))
            }));
            findings
        }
    }
}

/// What is remembered of the database.
fn known_before(around: &Environment) -> Option<Identity> {
    Address::read(&around.database).name().and_then(|name| known_databases::find(&around.data, &name))
}

/// Goes on without the broken part of a write-ahead log.
async fn accept_log_loss(around: &Environment) -> Finding {
    let lang = around.lang;
    let cut = match Address::read(&around.database) {
        Address::Sqlite(path) => {
            tokio::task::spawn_blocking(move || Sqlite::cut_off_log(&path)).await.unwrap_or(Ok(None))
        }
        Address::Memory | Address::Postgres(_) => Ok(None),
    };
    match cut {
        Ok(Some(copy)) => well(words::What::Log, backup::cut_off(lang, &copy)),
        Ok(None) => well(words::What::Log, backup::not_broken(lang).to_owned()),
        Err(failure) => ill(words::What::Log, &Trouble::Store(failure), around),
    }
}

/// Forgets what the database was. What is left of an emptied one is put aside, so that nothing of it gets into a new one.
async fn begin_anew(around: &Environment) -> Finding {
    let address = Address::read(&around.database);
    if let Some(name) = address.name() {
        known_databases::forget(&around.data, &name);
    }
    let aside = match (enza_storage::inspect(&around.database).await, &address) {
        (Err(Failure::Missing(_)), Address::Sqlite(path)) => Sqlite::put_aside(path),
        _ => Ok(None),
    };
    match aside {
        Ok(aside) => well(words::What::Sessions, backup::forgotten(around.lang, aside.as_deref())),
        Err(failure) => ill(words::What::Sessions, &Trouble::Store(failure), around),
    }
}

/// Checks everything, and says what is wrong in a line each.
async fn deep(around: &Environment, screen: &Screen) -> Vec<Finding> {
    let lang = around.lang;
    let checked = match enza_storage::inspect_deep(&around.database, progress(screen)).await {
        Err(failure) => return vec![ill(words::What::Deep, &Trouble::Store(failure), around)],
        Ok(None) => return vec![well(words::What::Deep, backup::not_deep(lang).to_owned())],
        Ok(Some(checked)) => checked,
    };
    if checked.is_sound() {
        return vec![well(words::What::Deep, backup::all_well(lang, &checked))];
    }
    let mut findings: Vec<_> = checked
        .faults
        .iter()
        .map(|wrong| Finding { health: Health::Fail, ..well(words::What::Deep, backup::wrong(lang, wrong)) })
        .collect();
    if let Some(last) = findings.last_mut() {
        last.hint = Some(words::restore_one(lang, checked.wrong));
    }
    findings
}

fn schema(around: &Environment, checkup: &Checkup) -> Finding {
    well(words::What::Schema, words::schema(around.lang, checkup.version, checkup.known))
}

fn integrity(around: &Environment, checkup: &Checkup) -> Finding {
    let lang = around.lang;
    match &checkup.integrity {
        Integrity::Sound => well(words::What::Integrity, words::sound(lang).to_owned()),
        Integrity::NotChecked => well(words::What::Integrity, words::not_checked(lang).to_owned()),
        Integrity::Damaged(complaints) => {
            let failure = Failure::Damaged(complaints.join("; "));
            ill(words::What::Integrity, &Trouble::Store(failure), around)
        }
    }
}

/// Writes the time to a row that is there for it.
async fn write_probe(around: &Environment) -> (Finding, Vec<Concern>) {
    let began = Instant::now();
    let known = known_before(around);
    let probed = async {
        let opened = enza_storage::open_known(&around.database, around.durability, known.as_ref()).await?;
        opened.store.try_write(setup::now()).await?;
        Ok(opened.concerns)
    };
    match probed.await {
        Ok(concerns) => (well(words::What::Probe, words::probed(around.lang, began.elapsed())), concerns),
        Err(failure) => (ill(words::What::Probe, &Trouble::Store(failure), around), Vec::new()),
    }
}

/// Whether a session would find its model. Nobody is asked: that is what `enza model test` is for.
fn model(around: &Environment) -> Finding {
    let found = setup::model_catalog(around).and_then(|catalog| {
        let chosen = catalog.choose(around.model.as_deref())?;
        catalog.router(&chosen)?;
        Ok(chosen)
    });
    match found {
        Ok(chosen) => {
            let is_stand_in = chosen.because == ChoiceReason::NothingElse;
            Finding {
                what: words::What::Model,
                health: if is_stand_in { Health::Warn } else { Health::Ok },
                text: models::who(around.lang, &chosen),
                hint: is_stand_in.then(|| models::how_to_get_one(around.lang).to_owned()),
            }
        }
        Err(trouble) => ill(words::What::Model, &trouble, around),
    }
}

/// Whether commands in a folder of work can be confined here; without it, they are not run.
fn commands(around: &Environment) -> Finding {
    let lang = around.lang;
    match enza_workshop::run::check(Path::new(OURSELVES)) {
        Ok(found) => {
            let say = |walls: &[Protection]| walls.iter().map(|wall| wall.say(lang)).collect::<Vec<_>>();
            let hint = (!found.lacks.is_empty()).then(|| words::not_confined(lang, &say(&found.lacks)));
            let text = words::confined(lang, found.abi, &say(&found.holds));
            Finding { hint, ..well(words::What::Commands, text) }
        }
        Err(fault) => {
            let said = fault.say(lang);
            Finding { health: Health::Warn, hint: Some(said.hint), ..well(words::What::Commands, said.message) }
        }
    }
}

fn language(around: &Environment) -> Finding {
    well(words::What::Language, words::language(around.lang, &around.lang_from))
}

fn terminal(around: &Environment) -> Finding {
    let text = words::terminal(around.lang, around.on_screen, around.width, around.colour);
    well(words::What::Terminal, text)
}

fn well(what: words::What, text: String) -> Finding {
    Finding { what, health: Health::Ok, text, hint: None }
}

fn ill(what: words::What, trouble: &Trouble, around: &Environment) -> Finding {
    let said = trouble::say(trouble, around.lang);
    let hint = format!("{} ({})", said.hint, trouble::page(around.lang, trouble.code()));
    Finding { what, health: Health::Fail, text: said.message, hint: Some(hint) }
}

fn show(screen: &Screen, findings: &[Finding]) -> Result<(), Trouble> {
    if screen.json {
        let lines: Vec<Value> = findings
            .iter()
            .map(|one| {
                json!({"what": one.what.word(), "health": words::health(one.health), "text": one.text, "hint": one.hint})
            })
            .collect();
        return screen.value(&Value::Array(lines));
    }
    let column = findings.iter().map(|one| width(one.what.name(screen.lang))).max().unwrap_or(0) + 2;
    for Finding { what, health, text, hint } in findings {
        let mark = pad(words::health(*health), 4);
        let mark = match health {
            Health::Ok => screen.paint.good(&mark),
            Health::Warn => screen.paint.warn(&mark),
            Health::Fail => screen.paint.bad(&mark),
        };
        screen.say(&format!("{mark}  {}{text}", pad(what.name(screen.lang), column)))?;
        if let Some(hint) = hint {
            screen.say(&format!("{}{hint}", " ".repeat(column + 6)))?;
        }
    }
    Ok(())
}
