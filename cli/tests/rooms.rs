//! Draws who knows whom from the manifests, and holds ARCHITECTURE.md to it.
//!
//! A room is a crate. It is drawn under everything it knows, with the rooms it names in its manifest; what it needs for
//! its tests alone is not drawn.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

const RENEW: &str = "ENZA_RENEW=1 cargo nextest run -p enza the_map_shows_who_knows_whom";
const BEGIN: &str = "<!-- who knows whom: drawn from the manifests -->\n```text\n";
const END: &str = "```\n";

type Rooms = BTreeMap<String, BTreeSet<String>>;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().unwrap()
}

/// Every room, with those that its manifest names.
fn rooms() -> Rooms {
    let mut folders: Vec<PathBuf> = vec![root()];
    let (mut manifests, mut known) = (Vec::new(), BTreeMap::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            let (path, name) = (entry.path(), entry.file_name());
            let is_hidden = name.to_string_lossy().starts_with('.');
            if path.is_dir() && !is_hidden && !["target", "node_modules", "src"].iter().any(|other| name == *other) {
                folders.push(path);
            } else if name == "Cargo.toml" {
                manifests.push(path);
            }
        }
    }
    for manifest in &manifests {
        let text = fs::read_to_string(manifest).unwrap();
        let table: toml::Table = toml::from_str(&text).unwrap();
        let Some(name) = table.get("package").and_then(|package| package["name"].as_str()) else { continue };
        let room = manifest.parent().unwrap().strip_prefix(root()).unwrap().display().to_string();
        let named = table.get("dependencies").and_then(toml::Value::as_table).cloned().unwrap_or_default();
        known.insert(name.to_owned(), (room, named.keys().cloned().collect::<Vec<_>>()));
    }
    let drawn =
        |names: &[String]| names.iter().filter_map(|name| known.get(name)).map(|(room, _)| room.clone()).collect();
    known.values().map(|(room, names)| (room.clone(), drawn(names))).collect()
}

/// The rooms, each under those it knows; of those that it knows by way of others only the nearest are named.
fn draw(rooms: &Rooms) -> String {
    let mut deep: BTreeMap<&str, usize> = BTreeMap::new();
    while deep.len() < rooms.len() {
        let before = deep.len();
        for (room, known) in rooms {
            let depths: Option<Vec<usize>> = known.iter().map(|other| deep.get(other.as_str()).copied()).collect();
            if let Some(depths) = depths {
                deep.insert(room, depths.into_iter().max().map_or(0, |most| most + 1));
            }
        }
        assert!(deep.len() > before, "rooms know each other in a circle");
    }
    let mut order: Vec<&String> = rooms.keys().collect();
    order.sort_by_key(|room| (deep[room.as_str()], room.as_str()));
    let wide = rooms.keys().map(String::len).max().unwrap_or_default();
    let mut picture = String::new();
    for room in order {
        let near: Vec<&str> =
            rooms[room].iter().map(String::as_str).filter(|other| is_nearest(rooms, room, other)).collect();
        match near.is_empty() {
            true => writeln!(picture, "{room}"),
            false => writeln!(picture, "{room:wide$} ─▶ {}", near.join(", ")),
        }
        .unwrap();
    }
    picture
}

/// Whether no other room that this one knows knows `other` too.
fn is_nearest(rooms: &Rooms, room: &str, other: &str) -> bool {
    !rooms[room].iter().any(|between| between != other && reaches(rooms, between, other))
}

fn reaches(rooms: &Rooms, from: &str, to: &str) -> bool {
    rooms[from].iter().any(|next| next == to || reaches(rooms, next, to))
}

#[test]
fn the_map_shows_who_knows_whom() {
    let place = root().join("ARCHITECTURE.md");
    let page = fs::read_to_string(&place).unwrap();
    let (before, rest) = page.split_once(BEGIN).expect("ARCHITECTURE.md has the map");
    let (shown, after) = rest.split_once(END).expect("the map has an end");
    let picture = draw(&rooms());
    if std::env::var_os("ENZA_RENEW").is_some() {
        fs::write(&place, format!("{before}{BEGIN}{picture}{END}{after}")).unwrap();
        return;
    }
    assert_eq!(shown, picture, "the map is not what the manifests say. Look at the change and renew it:\n  {RENEW}");
}

#[test]
fn what_is_known_by_way_of_another_is_not_drawn() {
    let known = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<_>>();
    let rooms = Rooms::from([
        ("attic".to_owned(), known(&["cellar", "hall"])),
        ("cellar".to_owned(), known(&[])),
        ("hall".to_owned(), known(&["cellar"])),
    ]);
    assert_eq!(draw(&rooms), "cellar\nhall   ─▶ cellar\nattic  ─▶ hall\n");
}
