//! A view of the machine of the command's own, in which everything but the folder of work and its private folder is
//! read-only.
//!
//! Landlock guards the opening of files, but has no right for permissions, owners, times and attributes, and a filter of
//! calls sees no paths. A read-only mount refuses all of them. So the process enters a mount namespace before any other
//! wall is up, makes its copy of every mount read-only, and puts the two folders on top, writable. Root needs no more than
//! that. Anybody else needs a user namespace around it, in which they are who they were and nobody else is known.
//!
//! Some kernels and containers refuse one of the two. Then nothing of this is done, and a command is run only where the
//! person was told what stays open (`Bounds::unsealed`).

use std::fs;
use std::io;
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, CWD, StatxFlags, statx};
use rustix::io::Errno;
use rustix::mount::{MountFlags, MountPropagationFlags, mount_bind, mount_bind_recursive, mount_change, mount_remount};
use rustix::process::{getegid, geteuid};
use rustix::thread::{CapabilitySet, UnshareFlags, capabilities};

/// What a mount has that must not be lost when it becomes read-only; the kernel would refuse to.
const LASTING: [(&str, MountFlags); 4] = [
    ("nosuid", MountFlags::NOSUID),
    ("nodev", MountFlags::NODEV),
    ("noexec", MountFlags::NOEXEC),
    ("nosymfollow", MountFlags::from_bits_retain(256)),
];

/// Makes everything read-only to the calling process, which must have one thread, but these folders. Of what lies in
/// them, `fixed` folders cannot be moved away and `kept` paths are read-only too.
pub fn seal(writable: &[&Path], fixed: &[PathBuf], kept: &[PathBuf]) -> io::Result<()> {
    enter()?;
    // Nothing that is done here is seen outside, and nothing that is mounted outside appears here.
    mount_change("/", MountPropagationFlags::PRIVATE | MountPropagationFlags::REC)?;
    for folder in writable {
        mount_bind_recursive(*folder, *folder)?;
    }
    for mount in mounts()? {
        let is_writable = writable.iter().any(|folder| mount.point.starts_with(folder));
        if !is_writable && mount.is_on_top() {
            mount.make_read_only()?;
        }
    }
    for folder in fixed {
        mount_bind(folder, folder)?;
    }
    for path in kept {
        mount_bind(path, path)?;
        let around = mounts()?.into_iter().rev().find(|mount| mount.point == *path && mount.is_on_top());
        around.ok_or_else(|| io::Error::other(format!("{} is not there", path.display())))?.make_read_only()?;
    }
    Ok(())
}

/// Enters namespaces in which mounts are ours.
fn enter() -> io::Result<()> {
    if capabilities(None)?.effective.contains(CapabilitySet::SYS_ADMIN) {
        return unshare(UnshareFlags::NEWNS);
    }
    let (user, group) = (geteuid().as_raw(), getegid().as_raw());
    unshare(UnshareFlags::NEWUSER | UnshareFlags::NEWNS)?;
    // Everyone is who they were, so that files keep their owners. The kernel wants the groups given up first.
    fs::write("/proc/self/setgroups", "deny")?;
    fs::write("/proc/self/uid_map", format!("{user} {user} 1\n"))?;
    fs::write("/proc/self/gid_map", format!("{group} {group} 1\n"))
}

#[expect(deprecated, reason = "it can do harm with tables of descriptors alone, which stay shared here")]
fn unshare(flags: UnshareFlags) -> io::Result<()> {
    Ok(rustix::thread::unshare(flags)?)
}

/// One mount of this namespace.
#[derive(Debug, PartialEq, Eq)]
struct Mount {
    id: u64,
    point: PathBuf,
    flags: MountFlags,
    is_read_only: bool,
}

impl Mount {
    /// A line of `mountinfo`: `id parent device root point options …`.
    fn of(line: &str) -> Option<Self> {
        let mut fields = line.split(' ');
        let id = fields.next()?.parse().ok()?;
        let point = PathBuf::from(std::ffi::OsString::from_vec(unescaped(fields.nth(3)?)));
        let options: Vec<&str> = fields.next()?.split(',').collect();
        let lasting = LASTING.into_iter().filter(|(name, _)| options.contains(name));
        let flags = lasting.fold(MountFlags::empty(), |flags, (_, flag)| flags | flag);
        Some(Self { id, point, flags, is_read_only: options.contains(&"ro") })
    }

    /// Whether its path leads to it. What is hidden by another mount, or may not be entered, no command can reach either.
    fn is_on_top(&self) -> bool {
        let about = statx(CWD, &self.point, AtFlags::SYMLINK_NOFOLLOW | AtFlags::NO_AUTOMOUNT, StatxFlags::MNT_ID);
        about.is_ok_and(|about| about.stx_mnt_id == self.id)
    }

    fn make_read_only(&self) -> io::Result<()> {
        if self.is_read_only {
            return Ok(());
        }
        match mount_remount(&self.point, MountFlags::BIND | MountFlags::RDONLY | self.flags, "") {
            Ok(()) | Err(Errno::ACCESS) => Ok(()),
            Err(why) => {
                let why = io::Error::from(why);
                Err(io::Error::new(why.kind(), format!("{}: {why}", self.point.display())))
            }
        }
    }
}

fn mounts() -> io::Result<Vec<Mount>> {
    let all = fs::read("/proc/self/mountinfo")?;
    let lines = all.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    let read = |line: &[u8]| {
        let line = String::from_utf8_lossy(line);
        Mount::of(&line).ok_or_else(|| io::Error::other(format!("a mount cannot be understood: {line}")))
    };
    lines.map(read).collect()
}

/// Blanks and the like stand as three octal digits in `mountinfo`.
fn unescaped(field: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = field.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let code = after.get(..3).filter(|_| *first == b'\\').and_then(|code| std::str::from_utf8(code).ok());
        match code.and_then(|code| u8::from_str_radix(code, 8).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[3..];
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_kernel_is_read_with_blanks_and_flags() {
        let line = "43 42 254:0 / /mnt/a\\040b\\134c rw,nosuid,nodev,relatime shared:1 - ext4 /dev/vda rw";
        let expected = Mount {
            id: 43,
            point: PathBuf::from("/mnt/a b\\c"),
            flags: MountFlags::NOSUID | MountFlags::NODEV,
            is_read_only: false,
        };
        assert_eq!(Mount::of(line), Some(expected));
        assert!(Mount::of("44 43 0:25 / /p ro,noexec - tmpfs t rw").is_some_and(|mount| mount.is_read_only));
        assert_eq!(Mount::of("no mount"), None);
    }
}
