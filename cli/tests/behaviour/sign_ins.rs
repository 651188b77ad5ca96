//! A thousand sign-ins at once: what they cost the server in memory, and that it is given back.
//!
//! Each comes from an address of its own on this machine (127.0.0.0/8), so that it is not the limit of tries that holds
//! them up. How many passwords are really looked at depends on how fast the machine is; what is asked for here does not.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};
use tokio::sync::Barrier;

use crate::behaviour::serve::Server;
use crate::house::House;

/// How often a thousand come: what is kept after one burst must not add up.
const BURSTS: u8 = 4;
const NETWORKS: u8 = 4;
const HOSTS: u8 = 250;
/// The most memory of the server while they sign in, in KiB.
const DURING: u64 = 150 * 1_024;
/// The most that is kept once it is quiet again, in KiB. The program's own text, which is large in a build for tests, is
/// not counted; with it, a release has 60 MiB at the most.
const AFTER: u64 = 40 * 1_024;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_wrong_passwords_at_once_do_not_take_the_memory_of_the_machine() {
    raise_open_files();
    let house = House::new();
    let server = Server::start(&house, &["--accounts"]);
    let address: SocketAddr = server.address().parse().unwrap();
    let (mut wrong, mut busy) = (0, 0);
    for burst in 0..BURSTS {
        let everyone = Arc::new(Barrier::new(usize::from(NETWORKS) * usize::from(HOSTS)));
        let sending: Vec<_> = (0..NETWORKS)
            .flat_map(|third| (1..=HOSTS).map(move |last| [127, burst + 1, third, last]))
            .map(|from| tokio::spawn(sign_in(address, from, everyone.clone())))
            .collect();
        for sent in sending {
            let answer = sent.await.unwrap();
            match answer.split(' ').nth(1) {
                Some("401") => wrong += 1,
                Some("503") if answer.contains("retry-after: ") && answer.contains("server-busy") => busy += 1,
                _ => panic!("{answer}"),
            }
        }
    }
    let peak = memory(&server, "VmHWM");
    assert!(wrong > 0, "nobody's password was looked at; {busy} were told to come back");
    assert!(peak <= DURING, "{peak} KiB while they signed in");
    let mut left = memory(&server, "RssAnon");
    for _ in 0..100 {
        if left <= AFTER {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
        left = memory(&server, "RssAnon");
    }
    assert!(left <= AFTER, "{left} KiB are kept");
    assert_eq!(server.get("/health", "").0, 200);
}

async fn sign_in(address: SocketAddr, from: [u8; 4], everyone: Arc<Barrier>) -> String {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind(SocketAddr::from((from, 0))).unwrap();
    let mut stream: TcpStream = socket.connect(address).await.unwrap();
    let body = r#"{"name": "ada", "password": "not the password"}"#;
    let length = body.len();
    let head = format!("POST /api/account/sign-in HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/json");
    let request = format!("{head}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}");
    everyone.wait().await;
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    answer
}

/// A figure of the server's from the system, in KiB.
fn memory(server: &Server, figure: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(figure)?.strip_prefix(':')).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

/// This test holds a connection for each of them, too.
fn raise_open_files() {
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum }).unwrap();
}
