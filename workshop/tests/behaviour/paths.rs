//! Where paths lead: nothing outside the folder of work is read or changed, whatever is asked (G24, DUCK-110, DUCK-114,
//! DUCK-115).

use std::fs;
use std::path::Path;
use std::process::Command;

use enza_work::{Fault, Finding};
use enza_workshop::files;
use proptest::prelude::*;

use crate::behaviour::project::{TestProject, delete, put, rename};

fn outside_to_read(path: &Path) -> Fault {
    Fault::OutsideToRead { path: path.to_str().unwrap().to_owned() }
}

fn outside_to_write(path: &Path) -> Fault {
    Fault::OutsideToWrite { path: path.to_str().unwrap().to_owned() }
}

#[test]
fn a_path_that_leads_out_is_neither_read_nor_written() {
    let yard = TestProject::with(&[("a.txt", "a\n")]);
    let beside = yard.top.join("beside/one.txt");
    let shop = yard.top.join("workshop/x.txt");
    let cases = [
        ("../beside/one.txt".to_owned(), &beside),
        ("./../beside/one.txt".to_owned(), &beside),
        ("sub/../../beside/one.txt".to_owned(), &beside),
        (".//..///beside/./one.txt".to_owned(), &beside),
        (beside.to_str().unwrap().to_owned(), &beside),
        // The prefix of a name is not the name.
        (shop.to_str().unwrap().to_owned(), &shop),
        (format!("{}/../workshop/x.txt", yard.work.display()), &shop),
        (format!("{}shop/x.txt", yard.work.display()), &shop),
    ];
    for (path, meant) in cases {
        assert_eq!(files::read(&yard.reach(), &path, 1, 10), Err(outside_to_read(meant)), "{path}");
        assert_eq!(yard.prepare(&[put(&path, "x")]), Err(outside_to_write(meant)), "{path}");
        assert_eq!(yard.prepare(&[delete(&path)]), Err(outside_to_write(meant)), "{path}");
        assert_eq!(yard.prepare(&[rename("a.txt", &path)]), Err(outside_to_write(meant)), "{path}");
        assert_eq!(files::search(&yard.reach(), "canary", false, &path), Err(outside_to_read(meant)), "{path}");
    }
}

#[test]
fn an_absolute_path_into_the_folder_is_as_good_as_a_relative_one() {
    let yard = TestProject::with(&[("src/a.txt", "a\n")]);
    let path = format!("{}//src/./a.txt", yard.work.display());
    assert_eq!(files::read(&yard.reach(), &path, 1, 10), files::read(&yard.reach(), "src/a.txt", 1, 10));
    assert_eq!(files::read(&yard.reach(), &path, 1, 10).unwrap().path, "src/a.txt");
}

#[test]
fn a_path_that_goes_out_and_in_again_is_not_taken() {
    let yard = TestProject::with(&[("src/a.txt", "a\n")]);
    for path in ["src/../src/a.txt", "../work/src/a.txt"] {
        let unusable = Fault::UnusablePath { path: path.to_owned() };
        assert_eq!(files::read(&yard.reach(), path, 1, 10), Err(unusable), "{path}");
    }
}

#[test]
fn a_name_that_no_file_system_takes_is_a_fault_and_odd_letters_are_not() {
    let yard = TestProject::with(&[]);
    let long = "x".repeat(256);
    for path in ["a\0b", long.as_str(), &"d/".repeat(3000)] {
        assert!(matches!(yard.prepare(&[put(path, "x")]), Err(Fault::UnusablePath { .. })), "{}", path.len());
    }
    for path in ["back\\slash.txt", "dots...", "space ", "~", "%2e%2e", "C:", "..hidden", "日本語.txt"] {
        let changes = yard.changes(&[put(path, "x")]);
        assert_eq!(yard.make(&changes), Ok(changes.clone()));
        assert_eq!(yard.text(path), "x", "{path}");
    }
}

#[test]
fn a_link_out_of_the_folder_is_followed_by_nobody() {
    let yard = TestProject::with(&[("sub/a.txt", "a\n")]);
    yard.link("../beside", "out");
    yard.link(yard.top.join("beside/one.txt"), "absolute");
    yard.link("out/one.txt", "twice");
    yard.link("../../beside/new.txt", "sub/dangling");
    yard.link("circle", "circle");
    let before = yard.canary();
    for path in ["out/one.txt", "out/deep/two.txt", "absolute", "twice", "sub/dangling", "out/new.txt"] {
        let path = path.to_owned();
        assert_eq!(files::read(&yard.reach(), &path, 1, 9), Err(Fault::OutsideToRead { path: path.clone() }));
        assert_eq!(yard.prepare(&[put(&path, "x")]), Err(Fault::OutsideToWrite { path }));
    }
    assert_eq!(files::read(&yard.reach(), "circle", 1, 9), Err(Fault::UnusablePath { path: "circle".to_owned() }));
    let listed = "absolute\ncircle\nout\nsub/\nsub/a.txt\nsub/dangling\ntwice\n";
    assert_eq!(files::list(&yard.reach(), "", 9).unwrap().text, listed);
    assert_eq!(files::search(&yard.reach(), "canary", false, "").unwrap().matches, 0);
    assert_eq!(yard.canary(), before);
}

#[test]
fn a_link_inside_the_folder_is_followed_and_the_change_names_the_real_file() {
    let yard = TestProject::with(&[("real/a.txt", "a\n")]);
    yard.link("real", "alias");
    yard.link(yard.work.join("real/a.txt"), "direct");
    assert_eq!(files::read(&yard.reach(), "alias/a.txt", 1, 9).unwrap().path, "real/a.txt");
    for asked in ["alias/a.txt", "direct"] {
        let prepared = yard.prepare(&[put(asked, "b\n")]).unwrap().remove(0);
        assert_eq!(prepared.change.path, "real/a.txt");
        assert_eq!(prepared.findings, [Finding::Link { asked: asked.to_owned() }]);
    }
    // Two ways to one file are one file.
    let changes = yard.changes(&[put("alias/a.txt", "b\n"), put("direct", "c\n"), put("real/a.txt", "d\n")]);
    assert_eq!(yard.make(&changes).unwrap().len(), 1);
    assert_eq!(yard.text("real/a.txt"), "d\n");
    assert!(yard.work.join("direct").is_symlink());
    assert_eq!(yard.prepare(&[delete("direct")]), Err(Fault::IsLink { path: "direct".to_owned() }));
}

#[test]
fn pipes_and_devices_are_refused_without_waiting_for_them() {
    let yard = TestProject::with(&[]);
    let made =
        Command::new("mkfifo").arg(yard.work.join("pipe")).status().expect("mkfifo is needed: install coreutils");
    assert!(made.success());
    let special = || Fault::Special { path: "pipe".to_owned() };
    assert_eq!(files::read(&yard.reach(), "pipe", 1, 9), Err(special()));
    assert_eq!(yard.prepare(&[put("pipe", "x")]), Err(special()));
    assert_eq!(yard.prepare(&[delete("pipe")]), Err(special()));
    assert_eq!(files::search(&yard.reach(), "x", false, "").unwrap().matches, 0);
}

#[test]
fn a_file_with_another_name_elsewhere_is_pointed_out_and_the_other_name_keeps_what_it_holds() {
    let yard = TestProject::with(&[]);
    fs::hard_link(yard.top.join("beside/one.txt"), yard.work.join("in.txt")).unwrap();
    let before = yard.canary();
    let prepared = yard.prepare(&[put("in.txt", "mine\n")]).unwrap().remove(0);
    assert_eq!(prepared.findings, [Finding::HardLinked { names: 2 }]);
    yard.make(&[prepared.change]).unwrap();
    assert_eq!((yard.text("in.txt").as_str(), yard.canary()), ("mine\n", before));
}

#[test]
fn outside_only_what_was_granted_letter_by_letter_is_touched() {
    let mut yard = TestProject::with(&[]);
    let path = yard.top.join("beside/one.txt").to_str().unwrap().to_owned();
    yard.granted = vec![path.clone()];
    assert_eq!(files::read(&yard.reach(), "../beside/one.txt", 1, 9).unwrap().path, path);
    let prepared = yard.prepare(&[put(&path, "granted\n")]).unwrap().remove(0);
    assert_eq!((&prepared.change.path, &prepared.findings), (&path, &vec![Finding::Outside]));
    yard.make(std::slice::from_ref(&prepared.change)).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "granted\n");
    assert_eq!(yard.restore(&[prepared.change]).restored, std::slice::from_ref(&path));
    assert_eq!(fs::read_to_string(&path).unwrap(), "canary\n");
    let other = yard.top.join("beside/deep/two.txt");
    assert_eq!(files::read(&yard.reach(), other.to_str().unwrap(), 1, 9), Err(outside_to_read(&other)));
    // A grant is for the path, not for what a link in it leads to.
    fs::rename(yard.top.join("beside"), yard.top.join("elsewhere")).unwrap();
    std::os::unix::fs::symlink("elsewhere", yard.top.join("beside")).unwrap();
    assert!(matches!(files::read(&yard.reach(), &path, 1, 9), Err(Fault::IsLink { .. })));
    assert!(matches!(yard.prepare(&[put(&path, "x")]), Err(Fault::IsLink { .. })));
}

#[test]
fn readable_folders_outside_are_read_and_never_written() {
    let mut yard = TestProject::with(&[]);
    let beside = yard.top.join("beside");
    std::os::unix::fs::symlink(yard.top.join("workshop"), beside.join("way")).unwrap();
    yard.bounds.readable = vec![beside.to_str().unwrap().to_owned()];
    let one = beside.join("one.txt");
    let read = files::read(&yard.reach(), one.to_str().unwrap(), 1, 9).unwrap();
    assert_eq!((Path::new(&read.path), read.text.as_str()), (one.as_path(), "canary\n"));
    let way = beside.join("way/x.txt");
    assert_eq!(files::read(&yard.reach(), way.to_str().unwrap(), 1, 9), Err(outside_to_read(&way)));
    assert_eq!(yard.prepare(&[put(one.to_str().unwrap(), "x")]), Err(outside_to_write(&one)));
    let shop = yard.top.join("workshop/x.txt");
    assert_eq!(files::read(&yard.reach(), shop.to_str().unwrap(), 1, 9), Err(outside_to_read(&shop)));
}

#[test]
fn the_system_is_never_written_even_where_it_was_granted() {
    let mut yard = TestProject::with(&[]);
    for path in ["/etc/enza-ws-files", "/usr/bin/enza-ws-files", "/dev/shm/enza-ws-files", "/proc/sys/x"] {
        yard.granted = vec![path.to_owned()];
        assert_eq!(yard.prepare(&[put(path, "x")]), Err(outside_to_write(Path::new(path))));
    }
}

const PARTS: &[&str] = &[
    "..",
    ".",
    "",
    "a",
    "b",
    "c.txt",
    "out",
    "up",
    "in",
    "top",
    "beside",
    "one.txt",
    "deep",
    "two.txt",
    "work",
    "workshop",
    "x.txt",
    "...",
    "..a",
    "a\\..\\..",
    " ",
    "A",
    "C.TXT",
    "out ",
    "%2e%2e",
    "~",
    "\u{202e}",
];
const STARTS: &[&str] = &["", "", "", "/", "//", "TOP/", "TOP/work/", "./", "../"];
const LINKS: &[&str] = &["out", "up", "in", "a/out", "a/up", "a/b", "c.txt", "top"];

fn path() -> impl Strategy<Value = String> {
    let part = prop::sample::select(PARTS);
    let parts = prop::collection::vec(part, 0..7);
    (prop::sample::select(STARTS), parts).prop_map(|(start, parts)| format!("{start}{}", parts.join("/")))
}

/// A link in the folder of work: where it is and what it says.
fn link() -> impl Strategy<Value = (String, String)> {
    (prop::sample::select(LINKS).prop_map(str::to_owned), path())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn whatever_is_asked_nothing_outside_is_read_or_changed(
        links in prop::collection::vec(link(), 0..6),
        paths in prop::collection::vec((path(), path()), 1..8),
    ) {
        let yard = TestProject::with(&[("a/one.txt", "inside\n")]);
        let here = |text: &str| text.replace("TOP", yard.top.to_str().unwrap());
        for (name, target) in &links {
            let name = yard.work.join(name);
            if !name.exists() && !name.is_symlink() && !target.is_empty() {
                // A folder on the way may be a link out already; then there is no link to lay.
                let _ = std::os::unix::fs::symlink(here(target), name);
            }
        }
        let canary = yard.canary();
        let above = fs::read_dir(&yard.top).unwrap().count();
        for (path, to) in &paths {
            let (path, to) = (here(path), here(to));
            let reach = yard.reach();
            if let Ok(read) = files::read(&reach, &path, 1, 100) {
                prop_assert!(!read.text.contains("canary"), "{path} was read");
            }
            if let Ok(listed) = files::list(&reach, &path, 5) {
                let is_inside = |line: &str| yard.work.join(line.trim_end_matches('/')).symlink_metadata().is_ok();
                prop_assert!(!listed.text.contains("two.txt") || listed.text.lines().all(is_inside), "{path} was listed");
            }
            if let Ok(found) = files::search(&reach, "canary", false, &path) {
                prop_assert_eq!(found.matches, 0, "{} was searched", path);
            }
            for proposal in [put(&path, "mine\n"), rename(&path, &to), delete(&path)] {
                if let Ok(prepared) = yard.prepare(&[proposal]) {
                    prop_assert!(prepared.iter().all(|prepared| !prepared.diff.contains("canary")));
                    let changes: Vec<_> = prepared.into_iter().map(|prepared| prepared.change).collect();
                    let _ = yard.make(&changes);
                    prop_assert_eq!(yard.canary(), canary.clone());
                    yard.restore(&changes);
                }
            }
        }
        prop_assert_eq!(yard.canary(), canary);
        prop_assert_eq!(fs::read_dir(&yard.top).unwrap().count(), above);
    }
}
