//! The companion by way of `enza serve`, on real folders: opened as at the terminal, with the files that words name.

use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use serde_json::{Value, json};

use crate::behaviour::serve::Server;
use crate::house::House;

/// A house with a project, settings and a running server, and whoever owns it.
struct Served {
    house: House,
    server: Server,
    cookie: String,
}

const SETTINGS: &str = r#"
    budget = 900000
    rules = [{ verdict = "deny", operation = "change", pattern = "secret/**" }]
    checks = [{ name = "tests", command = ["true"] }]
"#;

impl Served {
    fn new() -> Self {
        let house = House::new();
        house.file("config/companion.toml", SETTINGS);
        house.file("project/src/a.rs", "fn a() {}\n");
        house.file("project/AGENTS.md", "Use tabs.\n");
        std::fs::create_dir_all(house.data().parent().unwrap().join("project/.git")).unwrap();
        let server = Server::start(&house, &["--model", "understudy"]);
        let cookie = server.enter(&server.link());
        Self { house, server, cookie }
    }

    /// A path in the house, as it is really called.
    fn path(&self, name: &str) -> String {
        let house = self.house.data().parent().unwrap().canonicalize().unwrap();
        house.join(name).display().to_string()
    }

    fn open(&self, open: Value) -> (u16, Value) {
        let new = json!({ "application": "companion", "command": { "open": open } });
        self.server.post("/api/sessions", &self.cookie, &new)
    }

    /// A session in the project.
    fn begun(&self) -> String {
        let (status, begun) = self.open(json!({ "folder": self.path("project") }));
        assert_eq!(status, 201, "{begun}");
        begun["id"].as_str().unwrap().to_owned()
    }

    fn send(&self, session: &str, command: &Value) -> Value {
        let (status, answer) = self.server.post(&format!("/api/sessions/{session}/commands"), &self.cookie, command);
        assert_eq!(status, 200, "{answer}");
        answer
    }

    /// The bodies of a session's events.
    fn log(&self, session: &str) -> Vec<Value> {
        let (_, answer) = self.server.get(&format!("/api/sessions/{session}/events?limit=100"), &self.cookie);
        let (_, body) = answer.split_once("\r\n\r\n").unwrap();
        let page: Value = serde_json::from_str(body).unwrap_or_else(|why| panic!("{why}: {answer}"));
        page["events"].as_array().unwrap().iter().map(|event| event["body"].clone()).collect()
    }

    /// What a session was opened with.
    fn opened(&self, session: &str) -> Value {
        self.log(session)[0].clone()
    }

    /// The files that went with the last words.
    fn attached(&self, session: &str) -> Vec<(String, String)> {
        let log = self.log(session);
        let heard = log.iter().rev().find(|body| body["text"].is_string() && body["files"].is_array());
        let files = heard.map(|body| body["files"].as_array().unwrap().clone()).unwrap_or_default();
        let both =
            |file: &Value| (file["path"].as_str().unwrap().to_owned(), file["text"].as_str().unwrap().to_owned());
        files.iter().map(both).collect()
    }
}

/// G23: what a program sends can add to the settings of the machine, and take nothing from them.
#[test]
fn a_session_is_opened_with_the_settings_instructions_and_map_of_the_machine() {
    let served = Served::new();
    let allow = json!({ "verdict": "allow", "operation": "change", "pattern": "**" });
    let settings = json!({ "rules": [allow], "mode": "plan", "budget": 1_000_000 });
    let (status, begun) =
        served.open(json!({ "folder": served.path("project"), "language": "ja", "settings": settings }));
    assert_eq!((status, begun.get("remarks")), (201, None), "{begun}");
    let open = served.opened(begun["id"].as_str().unwrap());
    let patterns: Vec<_> = open["settings"]["rules"].as_array().unwrap().iter().map(|rule| &rule["pattern"]).collect();
    assert_eq!(patterns, ["secret/**", "**"]);
    let kept = ["mode", "budget"].map(|name| &open["settings"][name]);
    assert_eq!(kept, [&json!("plan"), &json!(900_000)], "the lower budget counts");
    assert_eq!(open["settings"]["checks"][0]["name"], "tests");
    assert_eq!(open["instructions"], json!([{ "path": "AGENTS.md", "text": "Use tabs." }]));
    assert_eq!((&open["language"], &open["map"]), (&json!("ja"), &json!("AGENTS.md\nsrc/ (1)\nsrc/a.rs")));
}

#[test]
fn what_an_untrusted_project_asks_for_does_not_count_and_is_told() {
    let served = Served::new();
    let wishes =
        "checks = [{ name = \"evil\", command = [\"sh\"] }]\nrules = [{ verdict = \"deny\", operation = \"run\" }]";
    served.house.file("project/.enza/companion.toml", &wishes.replace("\"run\"", "\"run\", pattern = \"*\""));
    let (status, begun) = served.open(json!({ "folder": served.path("project") }));
    assert_eq!((status, &begun["remarks"][0]["kind"]), (201, &json!("warning")), "{begun}");
    let told = begun["remarks"][0]["text"].as_str().unwrap();
    assert!(told.contains("evil: sh") && told.contains("not trusted"), "{told}");
    let open = served.opened(begun["id"].as_str().unwrap());
    assert_eq!(
        (open["settings"]["checks"].as_array().unwrap().len(), &open["settings"]["rules"][1]["verdict"]),
        (1, &json!("deny"))
    );
}

#[test]
fn a_folder_that_does_not_do_is_told_and_so_is_a_setting_that_is_not_ones_to_send() {
    let served = Served::new();
    let file = served.path("project/src/a.rs");
    let unspeakable = std::ffi::OsStr::from_bytes(b"caf\xe9");
    std::fs::create_dir(Path::new(&served.path("project")).join(unspeakable)).unwrap();
    std::os::unix::fs::symlink(unspeakable, served.path("project/coffee")).unwrap();
    for (folder, why) in [
        ("project".to_owned(), "it is not an absolute path"),
        (served.path("nowhere"), "it was not found"),
        (file, "it is not a folder"),
        (served.path("project/coffee"), "its name is not UTF-8"),
    ] {
        let (status, answer) = served.open(json!({ "folder": folder }));
        assert_eq!((status, &answer["error"]["code"]), (422, &json!("folder-unfit")), "{answer}");
        let message = answer["error"]["message"].as_str().unwrap();
        assert!(message.contains(&folder) && message.contains(why), "{message}");
    }
    for (open, named) in [
        (json!({ "folder": served.path("project"), "settings": { "network": true } }), "network"),
        (json!({ "folder": served.path("project"), "instructions": [] }), "instructions"),
    ] {
        let (status, answer) = served.open(open);
        assert_eq!((status, &answer["error"]["code"]), (422, &json!("body-unfit")), "{answer}");
        assert!(answer["error"]["message"].as_str().unwrap().contains(named), "{answer}");
    }
    served.house.file("config/companion.toml", "saftey_phase = 1\n");
    let (status, answer) = served.open(json!({ "folder": served.path("project") }));
    assert_eq!((status, &answer["error"]["code"]), (422, &json!("folder-unfit")));
    assert!(answer["error"]["message"].as_str().unwrap().contains("saftey_phase"), "{answer}");
}

#[test]
fn files_that_words_name_go_with_them_and_the_rest_is_told() {
    let served = Served::new();
    let session = served.begun();
    let answer =
        served.send(&session, &json!({ "say": { "text": "look at @src/a.rs and @../config/companion.toml" } }));
    let texts: Vec<_> = answer["remarks"].as_array().unwrap().iter().map(|one| one["text"].as_str().unwrap()).collect();
    let outside = "Not attached: ../config/companion.toml (it is outside the working folder)";
    assert_eq!(texts, ["Attached: src/a.rs", outside]);
    assert_eq!(served.attached(&session), [("src/a.rs".to_owned(), "fn a() {}\n".to_owned())]);
    served.house.file("project/AGENTS.md", "Use spaces.\n");
    served.send(&session, &json!({ "say": { "text": "and now?" } }));
    let attached = served.attached(&session);
    assert!(
        attached.len() == 1 && attached[0].0 == "AGENTS.md" && attached[0].1.ends_with("Use spaces."),
        "{attached:?}"
    );
}

/// G23, DUCK-61: what was denied since holds from the next word on, and what is forbidden holds in the next session too.
#[test]
fn what_is_denied_or_forbidden_holds_from_then_on() {
    let served = Served::new();
    let session = served.begun();
    let more = SETTINGS.replace(
        "secret/**\" }",
        "secret/**\" }, { verdict = \"deny\", operation = \"change\", pattern = \"dist/**\" }",
    );
    served.house.file("config/companion.toml", &more);
    served.send(&session, &json!({ "forbid": { "text": "don't touch src/auth" } }));
    let log = serde_json::to_string(&served.log(&session)).unwrap();
    assert!(log.contains("dist/**"), "{log}");
    let open = served.opened(&served.begun());
    let forbidden = open["memory"]["constraints"].to_string();
    assert!(forbidden.contains("src/auth"), "{open}");
}

/// DUCK-61, G54: what is forbidden or lifted in one session holds in another that was open already, from its next word on.
#[test]
fn what_is_forbidden_in_one_session_holds_in_another_that_is_open() {
    let served = Served::new();
    let (one, other) = (served.begun(), served.begun());
    served.send(&one, &json!({ "forbid": { "text": "don't touch src/auth" } }));
    served.send(&other, &json!({ "rename": { "title": "Other" } }));
    let forbidden = |session: &str| served.log(session).iter().filter(|body| body["constraint"].is_object()).count();
    assert_eq!((forbidden(&one), forbidden(&other)), (1, 1));
    served.send(&one, &json!({ "lift": { "place": 0 } }));
    served.send(&other, &json!({ "rename": { "title": "Once more" } }));
    let lifted = |session: &str| served.log(session).iter().filter(|body| body["place"] == 0).count();
    assert_eq!((lifted(&one), lifted(&other)), (1, 1));
}
