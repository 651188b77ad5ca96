//! The tokens: contrast that people can read, in both palettes, and no name that is used and not defined.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// What stands on what. Text needs 4.5 to 1; what only marks the edge of a control needs 3 to 1.
const TEXT: &[(&str, &[&str])] = &[
    ("ink", &["paper", "sheet", "sunk", "good-wash", "warn-wash", "bad-wash", "live-wash", "seal-wash"]),
    ("ink-soft", &["paper", "sheet", "sunk"]),
    ("ink-faint", &["paper", "sheet", "sunk"]),
    ("seal", &["paper", "sheet"]),
    ("on-seal", &["seal", "seal-deep"]),
    ("good", &["paper", "sheet", "good-wash"]),
    ("warn", &["paper", "sheet", "warn-wash"]),
    ("bad", &["paper", "sheet", "bad-wash"]),
    ("live", &["paper", "sheet", "live-wash"]),
    ("paper", &["ink"]),
];
const EDGES: &[(&str, &[&str])] = &[
    ("line-firm", &["paper", "sheet"]),
    ("series-1", &["paper", "sheet"]),
    ("series-2", &["paper", "sheet"]),
    ("series-3", &["paper", "sheet"]),
    ("series-4", &["paper", "sheet"]),
    ("series-5", &["paper", "sheet"]),
    ("series-6", &["paper", "sheet"]),
];

#[test]
fn both_palettes_can_be_read() {
    let (light, dark) = (palette(":root {"), palette(":root[data-theme=\"dark\"] {"));
    let mut faint = Vec::new();
    for (name, palette) in [("light", &light), ("dark", &dark)] {
        for (pairs, least) in [(TEXT, 4.5), (EDGES, 3.0)] {
            for (over, grounds) in pairs {
                for under in *grounds {
                    let found = contrast(palette[*over], palette[*under]);
                    if found < least {
                        faint.push(format!("{name}: {over} on {under} is {found:.2}, not {least}"));
                    }
                }
            }
        }
    }
    assert!(faint.is_empty(), "{faint:#?}");
}

#[test]
fn the_dark_palette_is_the_same_by_choice_and_by_the_systems_wish() {
    let chosen = block(":root[data-theme=\"dark\"] {");
    let wished = block(":root:not([data-theme=\"light\"]) {");
    let names = |block: &str| -> Vec<String> {
        block.lines().map(|line| line.trim().to_owned()).filter(|line| line.starts_with("--")).collect()
    };
    assert_eq!(names(&chosen), names(&wished));
}

#[test]
fn every_name_that_a_style_uses_is_defined() {
    let styles: String = assets("css").iter().map(|path| fs::read_to_string(path).unwrap()).collect();
    let defined: BTreeSet<&str> =
        names(&styles, "--").into_iter().filter(|(_, after)| after.starts_with(':')).map(|(name, _)| name).collect();
    let used: BTreeSet<&str> = names(&styles, "var(--").into_iter().map(|(name, _)| name).collect();
    let unknown: Vec<_> = used.difference(&defined).collect();
    assert!(unknown.is_empty(), "used and not defined: {unknown:#?}");
}

#[test]
fn colours_have_names_and_only_the_tokens_say_what_they_are() {
    let strays: Vec<_> = assets("css")
        .into_iter()
        .filter(|path| !path.ends_with("tokens.css"))
        .flat_map(|path| {
            let text = fs::read_to_string(&path).unwrap();
            // What is printed is black on white, whatever the palette.
            let screen = text.split("@media print").next().unwrap_or_default().to_owned();
            let lines = screen.lines().filter(|line| line.contains(": #") || line.contains("rgb(")).map(str::to_owned);
            lines.map(|line| format!("{}: {}", path.display(), line.trim())).collect::<Vec<_>>()
        })
        .collect();
    assert!(strays.is_empty(), "{strays:#?}");
}

#[test]
fn every_file_among_the_assets_is_served() {
    let lists = crates().into_iter().flat_map(|home| [home.join("src/assets.rs"), home.join("src/lib.rs")]);
    let list: String = lists.filter_map(|path| fs::read_to_string(path).ok()).collect();
    let forgotten: Vec<_> = ["css", "js", "svg"]
        .into_iter()
        .flat_map(assets)
        .filter(|path| !list.contains(&format!("(\"{}\"", path.file_name().unwrap().to_string_lossy())))
        .collect();
    assert!(forgotten.is_empty(), "add to assets.rs, or to the part that has it: {forgotten:#?}");
}

/// The frame's crate and those of the parts that applications add.
fn crates() -> Vec<PathBuf> {
    let frame = Path::new(env!("CARGO_MANIFEST_DIR"));
    let parts = fs::read_dir(frame.join("../applications")).unwrap().flatten().map(|entry| entry.path().join("web"));
    std::iter::once(frame.to_owned()).chain(parts).collect()
}

fn assets(ending: &str) -> Vec<PathBuf> {
    let folders = crates().into_iter().filter_map(|home| fs::read_dir(home.join("assets")).ok());
    let files = folders.flat_map(|folder| folder.flatten().map(|entry| entry.path()));
    files.filter(|path| path.extension().is_some_and(|this| this == ending)).collect()
}

/// The names after a mark, each with what follows it.
fn names<'a>(text: &'a str, mark: &str) -> Vec<(&'a str, &'a str)> {
    let places = text.match_indices(mark).map(|(place, _)| &text[place + mark.len()..]);
    let split = |rest: &'a str| {
        let end = rest.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-').unwrap_or(rest.len());
        rest.split_at(end)
    };
    places.map(split).collect()
}

/// What stands between the braces after a selector of the tokens.
fn block(selector: &str) -> String {
    let tokens = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/tokens.css")).unwrap();
    let start = tokens.find(selector).unwrap_or_else(|| panic!("{selector} is not among the tokens")) + selector.len();
    tokens[start..].split('}').next().unwrap().to_owned()
}

/// The colours of a palette, by name.
fn palette(selector: &str) -> BTreeMap<String, [f64; 3]> {
    let colours = block(selector);
    let pairs = colours.lines().filter_map(|line| {
        let (name, value) = line.trim().strip_prefix("--")?.split_once(": #")?;
        let hex = value.trim_end_matches(';');
        let part = |at: usize| f64::from(u8::from_str_radix(&hex[at..at + 2], 16).unwrap()) / 255.0;
        Some((name.to_owned(), [part(0), part(2), part(4)]))
    });
    pairs.collect()
}

/// The contrast of two colours, as WCAG 2 measures it.
fn contrast(one: [f64; 3], other: [f64; 3]) -> f64 {
    let light = |colour: [f64; 3]| {
        let linear =
            colour.map(|part| if part <= 0.040_45 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) });
        0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    };
    let (a, b) = (light(one), light(other));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}
