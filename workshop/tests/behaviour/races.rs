//! What happens when someone swaps folders for links while the workshop is at work (G24).

use std::fs;
use std::os::unix::fs::symlink;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use enza_workshop::files;

use crate::behaviour::project::{TestProject, put};

/// How often the workshop tries, at the least.
const ROUNDS: u32 = 1000;
/// How often the folder is swapped meanwhile, at the least: otherwise nothing raced and this would prove nothing.
const SWAPS: u32 = 101;

#[test]
fn a_folder_that_is_swapped_for_a_link_while_writes_run_lets_none_of_them_out() {
    let yard = TestProject::with(&[("sub/one.txt", "inside\n"), ("other/one.txt", "inside\n")]);
    let canary = yard.canary();
    let (done, swaps) = (AtomicBool::new(false), AtomicU32::new(0));
    let (sub, aside, link) = (yard.work.join("sub"), yard.work.join("aside"), yard.work.join("link"));
    symlink("../beside", &link).unwrap();
    let mut made = 0;
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                // The folder goes, the link takes its place, and back. A write may have made the folder anew in between.
                let _ = fs::rename(&sub, &aside);
                let _ = fs::rename(&link, &sub);
                let _ = fs::rename(&sub, &link);
                if fs::rename(&aside, &sub).is_err() {
                    let _ = fs::remove_dir_all(&aside);
                }
                if !link.is_symlink() {
                    let _ = fs::remove_dir_all(&link);
                    let _ = symlink("../beside", &link);
                }
                swaps.fetch_add(1, Ordering::Relaxed);
                for _ in 0..swaps.load(Ordering::Relaxed) % 40 {
                    std::thread::yield_now();
                }
            }
        });
        // On a busy machine the one who swaps may hardly get a turn.
        for round in (0u32..).take_while(|round| *round < ROUNDS || swaps.load(Ordering::Relaxed) < SWAPS) {
            let reach = yard.reach();
            if let Ok(read) = files::read(&reach, "sub/one.txt", 1, 9) {
                assert!(!read.text.contains("canary"), "the canary was read in round {round}");
            }
            let Ok(prepared) = yard.prepare(&[put("sub/one.txt", &format!("round {round}\n"))]) else { continue };
            assert!(prepared.iter().all(|prepared| !prepared.diff.contains("canary")));
            let changes: Vec<_> = prepared.into_iter().map(|prepared| prepared.change).collect();
            made += u32::from(yard.make(&changes).is_ok());
        }
        done.store(true, Ordering::Relaxed);
    });
    assert_eq!(yard.canary(), canary);
    assert!(made > 0, "{made} made, {swaps:?} swaps");
}
