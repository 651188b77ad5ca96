//! `enza account link`: a one-time link that signs someone in, for whoever has the server's machine.
//!
//! It works beside a running server, since both use one database: the way back in for an owner who lost the first link
//! and for an administrator who forgot a password.

use enza_runtime::seams::clock::{Clock as _, WallClock};
use enza_server::access::{issue_link, link_address};
use enza_server::state::LOCAL;
use serde_json::json;

use super::serve::read_public;
use crate::arguments::{AccountCommand, AccountLink, DEFAULT_LISTEN};
use crate::environment::Environment;
use crate::screen::Screen;
use crate::setup;
use crate::trouble::Trouble;
use crate::words::serve as words;

/// Runs one of them.
pub async fn run(around: &Environment, screen: &Screen, order: AccountCommand) -> Result<(), Trouble> {
    match order {
        AccountCommand::Link(order) => link(around, screen, order).await,
    }
}

async fn link(around: &Environment, screen: &Screen, order: AccountLink) -> Result<(), Trouble> {
    let public = order.public.map_or_else(|| Ok(format!("http://{DEFAULT_LISTEN}")), |url| read_public(&url))?;
    let register = setup::open_database(around).await?.register;
    let name = order.name.as_deref().unwrap_or(LOCAL);
    if name != LOCAL && register.person(name).await?.is_none() {
        return Err(Trouble::NoPerson { name: name.to_owned() });
    }
    let secret = issue_link(&*register, Some(name), WallClock.now()).await?;
    let address = link_address(&public, &secret);
    if screen.json {
        return screen.value(&json!({ "name": name, "link": address }));
    }
    screen.say(&words::link(screen.lang, name, &address))
}
