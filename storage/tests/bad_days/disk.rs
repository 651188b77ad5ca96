//! A small disk of its own, which can be filled or made read-only: permission bits would not stop root.

use std::path::Path;
use std::process::Command;

/// A mounted file system of one test.
pub struct Disk {
    folder: tempfile::TempDir,
}

impl Disk {
    /// A new disk with room for so many kilobytes.
    pub fn of(kilobytes: u32) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        mount(&["-t", "tmpfs", "-o", &format!("size={kilobytes}k"), "tmpfs"], folder.path());
        Self { folder }
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    pub fn make_read_only(&self) {
        mount(&["-o", "remount,bind,ro"], self.path());
    }

    pub fn make_writable(&self) {
        mount(&["-o", "remount,bind,rw"], self.path());
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("--lazy").arg(self.path()).status();
    }
}

fn mount(how: &[&str], on: &Path) {
    let done = Command::new("mount").args(how).arg(on).status().expect("mount is installed");
    assert!(done.success(), "a test disk cannot be mounted on {}", on.display());
}

/// Whether this process may mount. One that may not runs the test again where it may, in a user namespace, and is done.
pub fn may_mount(test: &str) -> bool {
    use std::os::unix::fs::MetadataExt;
    if std::fs::metadata("/proc/self").expect("/proc").uid() == 0 {
        return true;
    }
    let this = std::env::current_exe().expect("the path of this test");
    let done = Command::new("unshare").args(["--map-root-user", "--mount"]).arg(this).args(["--exact", test]).status();
    assert!(done.expect("unshare is installed").success(), "{test} failed in its own namespace");
    false
}
