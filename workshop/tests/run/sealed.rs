//! A command sees everything but its folders as read-only, so that it changes nothing about files outside: neither what they
//! hold nor whose they are, who may read them, or when they were changed.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::Path;

use enza_work::{Fault, RunEnd};
use enza_workshop::run::{Protection, check, seals};

use crate::run::fixture::{RunFixture, told};

/// Whatever changes something about a file or beside it.
const CHANGES: [&str; 9] = [
    "chmod 777 P/there",
    "chown 12345 P/there",
    "chgrp 12345 P/there",
    "touch -d 2001-01-01 P/there",
    "touch P/there",
    "mkdir P/new",
    "mv P/there P/moved",
    "python3 -c 'import os; os.setxattr(\"P/there\", \"user.mark\", b\"x\")'",
    "python3 -c 'import os; os.utime(\"P/there\", (1, 1))'",
];

/// Everything about a file that a command might change.
fn about(path: &Path) -> (u32, u32, u32, i64, i64, i64) {
    let about = fs::metadata(path).unwrap();
    (about.mode(), about.uid(), about.gid(), about.mtime(), about.ctime(), about.ctime_nsec())
}

#[tokio::test]
async fn permissions_owners_and_times_outside_the_folder_are_not_changed() {
    let stage = RunFixture::new();
    let there = stage.outside().join("there");
    fs::write(&there, "as it was").unwrap();
    let before = (about(&there), about(&stage.outside()));
    let outside = stage.outside().display().to_string();
    for place in
        [outside.clone(), format!("/proc/self/root{outside}"), format!("/proc/{}/root{outside}", std::process::id())]
    {
        for change in CHANGES {
            let ran = stage.line(&change.replace('P', &place)).await;
            assert_ne!(ran.ended, RunEnd::Status(0), "{change} at {place}: {ran:?}");
        }
    }
    assert_eq!((about(&there), about(&stage.outside())), before);
}

#[tokio::test]
async fn files_and_devices_of_the_system_are_not_changed_and_go_on_working() {
    let stage = RunFixture::new();
    let before = ["/etc/passwd", "/usr/bin/env", "/dev/null", "/proc/meminfo"].map(|path| about(Path::new(path)));
    let line = "chmod 700 /etc/passwd /usr/bin/env /dev/null /proc/meminfo; touch /dev/null; \
                echo lost > /dev/null && head -c 3 /dev/zero | wc -c && cat /proc/self/comm";
    let ran = stage.line(line).await;
    assert!(ran.ended == RunEnd::Status(0) && ran.output.ends_with("3\ncat\n"), "{ran:?}");
    assert_eq!(
        ["/etc/passwd", "/usr/bin/env", "/dev/null", "/proc/meminfo"].map(|path| about(Path::new(path))),
        before
    );
}

#[tokio::test]
async fn in_the_folder_and_in_the_private_one_everything_can_be_changed() {
    let stage = RunFixture::new();
    stage.write("there", "");
    let line = "for place in . $TMPDIR; do touch $place/there && chmod 700 $place/there && \
                touch -d 2001-01-01 $place/there && chown $(id -u) $place/there && mv $place/there $place/moved && \
                ln $place/moved $place/again && rm $place/again && stat -c '%a %Y' $place/moved; done";
    assert_eq!(told(&stage.line(line).await), (RunEnd::Status(0), "700 978307200\n700 978307200\n"));
    let moved = stage.folder().join("moved");
    assert_eq!(fs::metadata(&moved).unwrap().permissions().mode() & 0o777, 0o700);
}

#[tokio::test]
async fn a_command_is_who_the_person_is() {
    let stage = RunFixture::new();
    let ran = stage.line("id -u; id -g; touch mine; stat -c '%u %g' mine").await;
    let (user, group) = (rustix::process::geteuid().as_raw(), rustix::process::getegid().as_raw());
    assert_eq!(told(&ran), (RunEnd::Status(0), format!("{user}\n{group}\n{user} {group}\n").as_str()));
}

/// Nothing of this machine is changed for it: in a user namespace the limit is that namespace's own.
const REFUSING: &str = "exec unshare -Ur sh -c 'echo 0 > /proc/sys/user/max_mnt_namespaces; \
                        echo 0 > /proc/sys/user/max_user_namespaces; exec \"$@\"' sh";

#[tokio::test]
async fn where_the_kernel_refuses_a_view_a_command_is_run_only_if_the_person_was_told() {
    let mut stage = RunFixture::new();
    let program = stage.runner.program.clone();
    assert!(seals(&program), "this machine refuses namespaces");
    assert!(check(&program).unwrap().holds.contains(&Protection::Metadata));
    stage.keeper_after(REFUSING);
    assert!(!seals(&stage.runner.program));
    assert!(check(&stage.runner.program).unwrap().lacks.contains(&Protection::Metadata));
    let refused = stage.words(&["touch", "ran"]).await;
    assert!(matches!(refused, Err(Fault::Unsealed { .. })), "{refused:?}");
    assert!(!stage.folder().join("ran").exists());
    stage.unsealed = true;
    let line = format!("touch ran; echo x > {}/new", stage.outside().display());
    let ran = stage.line(&line).await;
    assert!(ran.output.contains("Permission denied"), "{ran:?}");
    assert!(stage.folder().join("ran").exists() && !stage.outside().join("new").exists());
    // What the gate says then is true: this stays open.
    fs::write(stage.outside().join("there"), "").unwrap();
    let ran = stage.line(&format!("chmod 751 {}/there", stage.outside().display())).await;
    assert_eq!((ran.ended, about(&stage.outside().join("there")).0 & 0o777), (RunEnd::Status(0), 0o751));
}

/// Only root can be somebody else, so only root tries.
#[tokio::test]
async fn somebody_who_is_not_root_has_the_same_view() {
    if !rustix::process::geteuid().is_root() {
        return permissions_of_ones_own_files_are_kept(&RunFixture::new()).await;
    }
    let mut stage = RunFixture::new();
    let binary = stage.root.path().join("confined");
    fs::copy(env!("CARGO_BIN_EXE_confined"), &binary).unwrap();
    stage.write("mine", "");
    fs::write(stage.outside().join("there"), "").unwrap();
    let all = std::process::Command::new("chown").args(["-R", "4321:4321"]).arg(stage.root.path()).status().unwrap();
    assert!(all.success());
    stage.keeper_after("exec setpriv --reuid 4321 --regid 4321 --clear-groups env -i PATH=/usr/bin:/bin");
    let script = fs::read_to_string(&stage.runner.program).unwrap();
    fs::write(&stage.runner.program, script.replace(env!("CARGO_BIN_EXE_confined"), binary.to_str().unwrap())).unwrap();
    permissions_of_ones_own_files_are_kept(&stage).await;
}

async fn permissions_of_ones_own_files_are_kept(stage: &RunFixture) {
    let there = stage.outside().join("there");
    let before = about(&there);
    let line =
        format!("chmod 700 {0}; touch -d 2001-01-01 {0}; chmod 700 mine && touch new && ls -ln new", there.display());
    let ran = stage.line(&line).await;
    assert_eq!(ran.output.matches("Read-only file system").count(), 2, "{ran:?}");
    assert_eq!((ran.ended, about(&there)), (RunEnd::Status(0), before));
    let owner = about(&stage.folder()).1;
    assert_eq!(about(&stage.folder().join("new")).1, owner);
}
