//! Watches over one confined command from outside its walls, and leaves nothing of it behind.
//!
//! The keeper is a process of its own, between the workshop and the command. Standard input is its lifeline: the
//! description comes first, and when the pipe closes (the person stopped the run, or the workshop was killed) all is
//! over. Whatever the command printed goes out at standard output; one line at standard error says how it ended.
//!
//! It makes the private folder and takes it away again, because it is the last to go. It never runs what a command
//! wrote, and a command can neither signal it nor look into it.

use std::fs::{self, DirBuilder, Permissions};
use std::io::{self, BufRead as _, Read as _, Write as _};
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use enza_work::{Fault, RunEnd};
use rustix::process::{Pid, Signal, WaitOptions, WaitStatus, getpid, kill_process_group, set_child_subreaper, setsid};

use super::cgroup::Cgroup;
use super::command_spec::{CommandSpec, Refused, Report};
use super::resource_watch::ResourceWatch;
use super::{BECOME, CONFINED, descriptors, process_tree, program};

/// How often the processes are counted.
const GLANCE: Duration = Duration::from_millis(20);
/// How often the last ones are looked for once the end has come.
const SWEEP: Duration = Duration::from_millis(2);
/// How long a command that ran out of time may take to tidy up.
const GRACE: Duration = Duration::from_secs(2);
/// The same, if nobody waits for it any more.
const SHORT_GRACE: Duration = Duration::from_millis(300);
/// When a process that does not even die when killed is given up.
const GIVEN_UP: Duration = Duration::from_secs(60);

/// How many names for the private folder are tried.
const ATTEMPTS: u32 = 100;

/// Something that happened while the keeper watched.
enum News {
    /// A process ended.
    Gone(Pid, WaitStatus),
    /// There is no process left.
    Alone,
    /// The lifeline was cut.
    Abandoned,
}

/// The keeper's whole work.
pub fn supervise() -> io::Result<()> {
    let mut line = String::new();
    io::stdin().lock().read_line(&mut line)?;
    let cell: CommandSpec = serde_json::from_str(&line)?;
    let _lock = cell.lock.as_deref().map(locked).transpose()?;
    // Out of the terminal's reach: Ctrl-C is for the workshop, which then cuts the lifeline.
    setsid()?;
    set_child_subreaper(Some(getpid()))?;
    let report = private_folder(&cell.scratch)
        .and_then(|scratch| {
            let report = watched(&CommandSpec { scratch: scratch.clone(), ..cell });
            take_away(&scratch);
            report
        })
        .unwrap_or_else(|why| Report::Failed(Fault::System { path: String::new(), why: why.to_string() }));
    let mut line = serde_json::to_vec(&report)?;
    line.push(b'\n');
    io::stderr().write_all(&line)
}

/// Holds the lock until we are gone, whatever ends us.
fn locked(path: &Path) -> io::Result<fs::File> {
    let file = fs::File::options().create(true).append(true).mode(0o600).open(path)?;
    file.lock()?;
    Ok(file)
}

/// Starts the command and stays until the last of its processes is gone.
fn watched(cell: &CommandSpec) -> io::Result<Report> {
    program::furnish(cell)?;
    let (tell, news) = channel();
    let (pid, cage, refused) = start_as_may_be(cell)?;
    let command = Watched { pid, cage, news };
    reap(tell.clone());
    if let Some(refused) = refused {
        return command.end(None).map(|()| Report::Failed(refused.fault()));
    }
    hold_lifeline(tell);
    let began = Instant::now();
    let (ended, grace) = command.watch(began + Duration::from_secs(cell.seconds.into()), &mut ResourceWatch::of(cell));
    let millis = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
    command.end(grace)?;
    Ok(Report::Ended { ended, millis })
}

type Started = (Pid, Option<Cgroup>, Option<Refused>);

/// Starts the command with a view of its own, or without one where the kernel refuses that and the person was told.
fn start_as_may_be(cell: &CommandSpec) -> io::Result<Started> {
    let (pid, cage, refused) = start(cell)?;
    if !cell.unsealed || !matches!(refused, Some(Refused::View(_))) {
        return Ok((pid, cage, refused));
    }
    // It ends by itself once it has said so.
    rustix::process::waitpid(Some(pid), WaitOptions::empty())?;
    start(&CommandSpec { sealed: false, ..cell.clone() })
}

/// Starts the process that confines itself and becomes the command. It says why if it cannot.
fn start(cell: &CommandSpec) -> io::Result<Started> {
    let (mut ours, theirs) = UnixStream::pair()?;
    let output = || io::stdout().as_fd().try_clone_to_owned();
    // The file we came from may have been replaced since.
    let child = descriptors::without_inherited(&format!("/proc/{}/exe", getpid()))?
        .args([CONFINED, BECOME])
        .env_clear()
        .stdin(OwnedFd::from(theirs))
        .stdout(Stdio::from(output()?))
        .stderr(Stdio::from(output()?))
        .spawn()?;
    let pid = Pid::from_child(&child);
    // It waits for its description, so nothing of it is outside.
    let cage = cell.caged.then(Cgroup::make).flatten().filter(|cage| cage.hold(pid).is_ok());
    let mut line = serde_json::to_vec(&CommandSpec { caged: cage.is_some(), ..cell.clone() })?;
    line.push(b'\n');
    ours.write_all(&line)?;
    let mut said = String::new();
    // Its end of the pair is closed when it becomes the command.
    ours.read_to_string(&mut said)?;
    let refused = (!said.is_empty()).then(|| serde_json::from_str(&said)).transpose()?;
    Ok((pid, cage, refused))
}

/// The command and whatever it has started.
struct Watched {
    pid: Pid,
    cage: Option<Cgroup>,
    news: Receiver<News>,
}

impl Watched {
    /// Waits until the command ends or must be ended. Says how, and how long its processes may take to tidy up.
    fn watch(&self, deadline: Instant, watch: &mut ResourceWatch) -> (RunEnd, Option<Duration>) {
        loop {
            match self.news.recv_timeout(GLANCE) {
                Ok(News::Gone(pid, status)) if pid == self.pid => return (ended(status), None),
                Ok(News::Gone(..)) | Err(RecvTimeoutError::Timeout) => {}
                Ok(News::Abandoned) => return (RunEnd::Stopped, Some(SHORT_GRACE)),
                // The command is among those that are waited for, so this is never the first that is heard of its end.
                Ok(News::Alone) | Err(RecvTimeoutError::Disconnected) => return (RunEnd::Signal(0), None),
            }
            if Instant::now() >= deadline {
                return (RunEnd::OutOfTime, Some(GRACE));
            }
            let members = || process_tree::below(getpid());
            let count = self.cage.as_ref().map_or_else(|| members().len(), Cgroup::count);
            if let Some(ended) = watch.look(count, members) {
                return (ended, None);
            }
        }
    }

    /// Ends every process there is, asking first if there is time for that.
    fn end(&self, grace: Option<Duration>) -> io::Result<()> {
        if let Some(grace) = grace {
            process_tree::below(getpid()).into_iter().for_each(|member| member.signal(Signal::TERM));
            if self.alone_before(Instant::now() + grace) {
                return Ok(());
            }
        }
        // Both the cage and the group die as one, faster than they can fork.
        let caught = self.cage.as_ref().is_some_and(|cage| cage.end().is_ok());
        let _ = kill_process_group(self.pid, Signal::KILL);
        let given_up = Instant::now() + GIVEN_UP;
        while !self.alone_before(Instant::now() + SWEEP) {
            if Instant::now() >= given_up {
                let left = process_tree::below(getpid()).len();
                return Err(io::Error::other(format!("{left} processes cannot be ended")));
            }
            if !caught {
                process_tree::end_below(getpid());
            }
        }
        Ok(())
    }

    fn alone_before(&self, deadline: Instant) -> bool {
        loop {
            match self.news.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(News::Alone) => return true,
                Ok(News::Gone(..) | News::Abandoned) => {}
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return false,
            }
        }
    }
}

fn ended(status: WaitStatus) -> RunEnd {
    /// What a shell makes of a signal.
    const BY_SIGNAL: i32 = 128;
    let too_large = Signal::XFSZ.as_raw();
    match (status.exit_status(), status.terminating_signal()) {
        (Some(code), _) if code == BY_SIGNAL + too_large => RunEnd::TooMuchDisk,
        (None, Some(signal)) if signal == too_large => RunEnd::TooMuchDisk,
        (Some(code), _) => RunEnd::Status(code),
        (None, signal) => RunEnd::Signal(signal.unwrap_or(0)),
    }
}

/// Takes note of every process that ends, until there is none.
fn reap(tell: Sender<News>) {
    thread::spawn(move || {
        loop {
            let news = match rustix::process::wait(WaitOptions::empty()) {
                Ok(Some((pid, status))) => News::Gone(pid, status),
                Err(rustix::io::Errno::INTR) | Ok(None) => continue,
                Err(_) => News::Alone,
            };
            let last = matches!(news, News::Alone);
            if tell.send(news).is_err() || last {
                return;
            }
        }
    });
}

/// Takes note when the workshop lets go.
fn hold_lifeline(tell: Sender<News>) {
    thread::spawn(move || {
        let _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
        let _ = tell.send(News::Abandoned);
    });
}

/// Makes a folder that only this person can enter.
fn private_folder(parent: &Path) -> io::Result<PathBuf> {
    for attempt in 0..ATTEMPTS {
        let folder = parent.join(format!("enza-run-{}-{attempt}", getpid()));
        match DirBuilder::new().mode(0o700).create(&folder) {
            // Left by a keeper that was killed, or put there by somebody else: not ours to enter.
            Err(why) if why.kind() == io::ErrorKind::AlreadyExists => {}
            made => return made.and_then(|()| folder.canonicalize()),
        }
    }
    Err(io::Error::other(format!("no private folder can be made in {}", parent.display())))
}

/// Takes a folder away with everything in it, even what its maker made read-only.
fn take_away(folder: &Path) {
    if fs::remove_dir_all(folder).is_ok() || !folder.is_dir() {
        return;
    }
    open_up(folder);
    let _ = fs::remove_dir_all(folder);
}

fn open_up(folder: &Path) {
    let _ = fs::set_permissions(folder, Permissions::from_mode(0o700));
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            open_up(&entry.path());
        }
    }
}
