//! `enza model list`: the model in use and why, what is on this machine, and which providers have a key.

use enza_models::local::folder::find_server;
use serde_json::json;

use crate::environment::{Environment, variable};
use crate::screen::{Columns, Screen, bytes};
use crate::setup;
use crate::trouble::Trouble;
use crate::words::models as words;

/// Lists them.
pub fn run(around: &Environment, screen: &Screen) -> Result<(), Trouble> {
    let catalog = setup::model_catalog(around)?;
    let chosen = catalog.choose(around.model.as_deref())?;
    let stock = catalog.model_folder.list().map_err(enza_models::catalog::ModelError::from)?;
    let server = find_server(&catalog.model_folder, variable("PATH").as_deref()).map(|found| found.program);
    if screen.json {
        let weights: Vec<_> = stock
            .iter()
            .map(|one| json!({"name": one.name, "bytes": one.bytes, "checked": one.checked, "path": one.path}))
            .collect();
        let providers: Vec<_> = catalog
            .providers
            .iter()
            .map(|one| json!({"name": one.name, "key_variable": one.key_variable, "has_key": catalog.has_key(one)}))
            .collect();
        let model = chosen.pick.to_string();
        let because = words::because(enza_kernel::text::Lang::En, &chosen.because);
        return screen.value(&json!({
            "model": model, "because": because, "weights": weights, "server": server, "providers": providers,
            "agents": catalog.config.agents,
        }));
    }
    let lang = screen.lang;
    let [in_use, here, providers] = words::heads(lang);
    screen.say(&screen.paint.strong(in_use))?;
    screen.say(&format!("  {}", words::who(lang, &chosen)))?;
    for (role, model) in &catalog.config.agents {
        screen.say(&format!("  {role}: {model}"))?;
    }
    if chosen.pick == enza_models::choice::ModelRef::Understudy {
        screen.say(&format!("  {}", words::how_to_get_one(lang)))?;
    }
    screen.say(&format!("\n{}", screen.paint.strong(here)))?;
    let mut columns = Columns::bare();
    for one in &stock {
        columns.row([format!("  local/{}", one.name), bytes(one.bytes), words::checked(lang, one.checked).to_owned()]);
    }
    if stock.is_empty() {
        screen.say(&format!("  {}", words::no_weights(lang)))?;
    }
    let program = server.as_ref().map(|path| path.display().to_string());
    columns.row(["  llama-server".to_owned(), words::server(lang, program.as_deref())]);
    show(screen, &columns)?;
    screen.say(&format!("\n{}", screen.paint.strong(providers)))?;
    let mut columns = Columns::bare();
    for one in catalog.providers.iter() {
        let state = words::key_state(lang, one.key_variable.as_deref(), catalog.has_key(one));
        let model = one.default_model.as_deref().map_or("MODEL", |model| model);
        columns.row([format!("  {}/{model}", one.name), one.title.clone(), state]);
    }
    show(screen, &columns)
}

fn show(screen: &Screen, columns: &Columns) -> Result<(), Trouble> {
    columns.lines(screen.width()).iter().try_for_each(|line| screen.say(line))
}
