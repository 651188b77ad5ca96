//! A terminal for the companion's tests, lent by `script`: keys are typed when what they answer is on the screen.
//!
//! Waiting is for texts, never for time; the long patience is only there so that a test that waits in vain ends and shows
//! what was on the screen.

use std::io::{Read as _, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use crate::behaviour::companion_fixture::ScriptedProject;

/// How long a text is waited for.
const PATIENCE: Duration = Duration::from_secs(60);

/// A person at a terminal.
pub struct Terminal {
    child: Child,
    input: ChildStdin,
    shown: Arc<(Mutex<Vec<u8>>, Condvar)>,
    seen: usize,
}

/// How the terminal is.
pub struct Setting<'a> {
    /// The language.
    pub locale: &'a str,
    /// How wide it is.
    pub columns: u16,
    /// What else is set.
    pub variables: &'a [(&'a str, &'a str)],
}

impl Default for Setting<'_> {
    fn default() -> Self {
        Self { locale: "en_US.UTF-8", columns: 90, variables: &[] }
    }
}

impl Terminal {
    /// Starts the companion with these arguments, without colour.
    pub fn open(stage: &ScriptedProject, setting: &Setting<'_>, arguments: &str) -> Self {
        let enza = env!("CARGO_BIN_EXE_enza");
        Self::run(stage, setting, &format!("exec {enza} --no-color companion {arguments}"))
    }

    /// Runs a line of the shell at a terminal.
    pub fn run(stage: &ScriptedProject, setting: &Setting<'_>, line: &str) -> Self {
        let mut command = Command::new("script");
        let order = format!("stty cols {} rows 30; {line}", setting.columns);
        command.args(["-qec", &order, "/dev/null"]).stdin(Stdio::piped()).stdout(Stdio::piped());
        stage.house.furnish(&mut command);
        stage.furnish(&mut command);
        command.current_dir(&stage.project).env("LANG", setting.locale).env("TERM", "xterm");
        command.envs(setting.variables.iter().copied());
        let mut child = command.spawn().expect("script (util-linux) is needed");
        let (input, mut output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let shown = Arc::new((Mutex::new(Vec::new()), Condvar::new()));
        let screen = Arc::clone(&shown);
        std::thread::spawn(move || {
            let mut room = [0; 4096];
            while let Ok(count @ 1..) = output.read(&mut room) {
                screen.0.lock().unwrap().extend(&room[..count]);
                screen.1.notify_all();
            }
        });
        Self { child, input, shown, seen: 0 }
    }

    /// Waits until a text is shown behind the last that was waited for.
    pub fn awaits(&mut self, text: &str) -> &mut Self {
        let (lock, more) = &*self.shown;
        let seen = self.seen;
        let is_missing = |shown: &mut Vec<u8>| place(&shown[seen..], text).is_none();
        let (shown, wait) = more.wait_timeout_while(lock.lock().unwrap(), PATIENCE, is_missing).unwrap();
        let found = place(&shown[seen..], text).filter(|_| !wait.timed_out());
        let screen = plain(&shown);
        drop(shown);
        self.seen += found.unwrap_or_else(|| panic!("{text:?} was not shown behind {seen}:\n{screen}")) + text.len();
        self
    }

    /// Types keys.
    pub fn types(&mut self, keys: &str) -> &mut Self {
        self.input.write_all(keys.as_bytes()).unwrap();
        self
    }

    /// Waits for a text, then types.
    pub fn answers(&mut self, text: &str, keys: &str) -> &mut Self {
        self.awaits(text).types(keys)
    }

    /// Everything that was shown, once it has come to its end.
    pub fn ends(mut self) -> String {
        self.child.wait().unwrap();
        plain(&self.shown.0.lock().unwrap())
    }
}

impl Drop for Terminal {
    /// A test that fails leaves nobody waiting for keys.
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn place(shown: &[u8], text: &str) -> Option<usize> {
    shown.windows(text.len()).position(|part| part == text.as_bytes())
}

fn plain(shown: &[u8]) -> String {
    String::from_utf8_lossy(shown).replace('\r', "")
}
