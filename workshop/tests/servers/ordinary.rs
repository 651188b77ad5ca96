//! Servers that behave: what they offer, what they get, and that they end with us.

use enza_workshop::servers::{Server, ServerError, ServerStatus, SettingsError};
use serde_json::json;

use crate::servers::fixture::{ServersFixture, gone};

#[tokio::test]
async fn all_pages_of_tools_are_offered_under_the_servers_name() {
    let house = ServersFixture::with("well");
    let opened = house.opened().await;
    let offered = opened["one"].as_ref().unwrap();
    let names: Vec<&str> = offered.iter().map(|tool| tool.name.as_str()).collect();
    assert_eq!(names, ["one/echo", "one/variables", "one/shout", "one/huge", "one/no"]);
    assert_eq!(offered[0].about, "Says it again.");
    assert_eq!(offered[0].arguments, json!({"type": "object", "properties": {"text": {"type": "string"}}}));
}

#[tokio::test]
async fn a_tool_is_used_and_the_server_is_started_only_once() {
    let house = ServersFixture::with("well");
    house.opened().await["one"].as_ref().unwrap();
    assert_eq!(house.used("one/echo", json!({"text": "こんにちは"})).await, Ok("こんにちは".to_owned()));
    assert_eq!(house.used("one/shout", json!({"text": "hey"})).await, Ok("{\n  \"loud\": \"HEY\"\n}".to_owned()));
    assert_eq!(house.traces(), ["start", "call echo", "call shout"]);
    assert_eq!(house.servers.standing(&house.session), [("one".to_owned(), ServerStatus::Running)].into());
}

#[tokio::test]
async fn a_session_that_is_gone_on_with_starts_the_server_at_the_first_call() {
    let house = ServersFixture::with("well");
    assert_eq!(house.used("one/echo", json!({"text": "late"})).await, Ok("late".to_owned()));
    assert_eq!(house.traces(), ["start", "call echo"]);
}

#[tokio::test]
async fn a_server_gets_the_named_variables_and_the_folder_and_nothing_else() {
    let house = ServersFixture::with("well");
    let said = house.used("one/variables", json!({})).await.unwrap();
    let (named, folder) = said.split_once(" in ").unwrap();
    assert_eq!(folder, house.terms.folder.to_str().unwrap());
    // Whatever wraps the interpreter may set variables of its own; ours it must not have.
    let ours = |name: &&str| std::env::var_os(name).is_some() || name.starts_with("PRIVATE");
    let shells = ["PWD", "OLDPWD", "SHLVL", "_", "LC_CTYPE"];
    let named: Vec<&str> = named.split(' ').filter(|name| !shells.contains(name) && !name.contains("PYENV")).collect();
    assert_eq!(named.iter().copied().filter(|name| ours(name)).collect::<Vec<_>>(), ["PATH"], "{named:?}");
    assert!(named.contains(&"TRACES") && std::env::var_os("CARGO_MANIFEST_DIR").is_some(), "{named:?}");
}

#[tokio::test]
async fn tools_that_the_settings_leave_out_are_neither_offered_nor_used() {
    let house = ServersFixture::by("well", |terms| {
        terms.servers.get_mut("one").unwrap().tools = vec!["echo".to_owned(), "sh*".to_owned()];
    });
    let opened = house.opened().await;
    let names: Vec<&str> = opened["one"].as_ref().unwrap().iter().map(|tool| tool.name.as_str()).collect();
    assert_eq!(names, ["one/echo", "one/shout"]);
    let told = house.used("one/huge", json!({})).await.unwrap_err();
    assert!(told.starts_with("one/huge is not among the tools"), "{told}");
    assert_eq!(house.traces(), ["start"]);
}

#[tokio::test]
async fn what_is_no_servers_tool_goes_to_the_others_and_unknown_servers_are_told() {
    let house = ServersFixture::with("well");
    let told = house.used("deliver", json!({})).await.unwrap_err();
    assert_eq!(told, "There is no tool named deliver here.");
    let told = house.used("two/echo", json!({})).await.unwrap_err();
    assert!(told.contains("[servers.two] in the settings"), "{told}");
    let told = house.used("one/echo", json!("text")).await.unwrap_err();
    assert_eq!(told, "Give the arguments as a JSON object.");
    assert_eq!(house.traces(), Vec::<String>::new());
}

#[tokio::test]
async fn servers_start_beside_each_other_and_one_that_cannot_keeps_none_from_it() {
    let house = ServersFixture::by("well", |terms| {
        let one = terms.servers["one"].clone();
        terms.servers.insert("two".to_owned(), one);
        terms.servers.insert(
            "no-program".to_owned(),
            Server { command: vec!["/missing/program".to_owned()], ..Server::default() },
        );
        terms.servers.insert("no-command".to_owned(), Server::default());
        let environment = vec!["ABSENT".to_owned()];
        terms.servers.insert("no-variable".to_owned(), Server { environment, ..terms.servers["one"].clone() });
    });
    let opened = house.opened().await;
    assert!(opened["one"].is_ok() && opened["two"].is_ok(), "{opened:?}");
    assert_eq!(opened["no-command"], Err(ServerError::Unfit(SettingsError::NoWay)));
    assert_eq!(opened["no-variable"], Err(ServerError::NoVariable { name: "ABSENT".to_owned() }));
    assert!(matches!(&opened["no-program"], Err(ServerError::NotStarted { .. })), "{opened:?}");
}

#[tokio::test]
async fn a_server_ends_with_us_and_so_does_everything_it_started() {
    let house = ServersFixture::with("family");
    house.opened().await["one"].as_ref().unwrap();
    let (server, child) = (house.process("start"), house.process("child"));
    assert!(server.exists() && child.exists());
    house.servers.close(&house.session);
    gone(child).await;
    gone(server).await;
}
