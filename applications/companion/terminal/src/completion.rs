//! What Tab makes of the beginning of a word: orders, recipes, and the names of files behind `@`.

use std::path::Path;

use enza_terminal::keyboard::Completer;

use super::parse::ORDERS;

/// Completes in a folder, with these orders besides our own.
pub fn completer(folder: &Path, more: Vec<String>) -> Completer {
    let folder = folder.to_owned();
    Box::new(move |word| match word.strip_prefix('@') {
        Some(path) => files(&folder, path),
        None => {
            let own = ORDERS.iter().map(|order| (*order).to_owned());
            own.chain(more.iter().map(|name| format!("/{name}"))).filter(|order| order.starts_with(word)).collect()
        }
    })
}

/// The files and folders whose names begin so; hidden ones only where the dot was typed.
fn files(folder: &Path, path: &str) -> Vec<String> {
    let (above, part) = path.rsplit_once('/').map_or(("", path), |(above, part)| (above, part));
    let Ok(entries) = std::fs::read_dir(folder.join(above)) else { return Vec::new() };
    let named = entries.flatten().filter_map(|entry| {
        let name = entry.file_name().into_string().ok()?;
        let is_hidden = name.starts_with('.') && !part.starts_with('.');
        let gap = if above.is_empty() { "" } else { "/" };
        let end = if entry.path().is_dir() { "/" } else { "" };
        (name.starts_with(part) && !is_hidden).then(|| format!("@{above}{gap}{name}{end}"))
    });
    let mut named: Vec<String> = named.collect();
    named.sort();
    named
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_recipes_and_files_are_completed() {
        let house = tempfile::tempdir().unwrap();
        for name in ["src/main.rs", "src/.hidden", "side.txt"] {
            let path = house.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        let complete = completer(house.path(), vec!["undress".to_owned()]);
        assert_eq!(complete("/und"), ["/undo", "/undress"]);
        assert_eq!(complete("@s"), ["@side.txt", "@src/"]);
        assert_eq!(complete("@src/"), ["@src/main.rs"]);
        assert_eq!(complete("@src/.h"), ["@src/.hidden"]);
        assert_eq!(complete("@none/"), Vec::<String>::new());
    }
}
