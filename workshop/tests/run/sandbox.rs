//! What a command tries and does not get to do. DUCK-110, G24: no way of writing a path leads out of the folder.

use std::fs;
use std::net::{TcpListener, UdpSocket};
use std::os::unix::net::{UnixDatagram, UnixListener};
use std::path::Path;
use std::process::Stdio;

use enza_kernel::text::Lang;
use enza_work::{Fault, Run, RunEnd};
use enza_workshop::run::{Protection, check};

use crate::run::fixture::{KEY, RunFixture, is_alive, told};

#[tokio::test]
async fn nothing_is_written_outside_the_folder() {
    let stage = RunFixture::new();
    let outside = stage.outside();
    fs::write(outside.join("there"), "as it was").unwrap();
    std::os::unix::fs::symlink(&outside, stage.folder().join("link")).unwrap();
    let pid = std::process::id();
    for place in [
        format!("{}", outside.display()),
        "../outside".to_owned(),
        "link".to_owned(),
        format!("/proc/self/root{}", outside.display()),
        format!("/proc/{pid}/root{}", outside.display()),
        format!("/proc/{pid}/cwd/{}", outside.display()),
    ] {
        let tries = ["echo x > P/new", "echo x >> P/there", "rm P/there", "mkdir P/d", "mv P/there .", "ln P/there ."];
        for one in tries {
            let ran = stage.line(&one.replace('P', &place)).await;
            assert!(ran.ended != RunEnd::Status(0) && said_no(&ran.output), "{one} at {place}: {ran:?}");
        }
    }
    let left: Vec<_> = fs::read_dir(&outside).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["there"]);
    assert_eq!(fs::read_to_string(outside.join("there")).unwrap(), "as it was");
}

fn said_no(output: &str) -> bool {
    ["Permission denied", "Operation not permitted", "cross-device link", "No such file", "nonexistent", "Read-only"]
        .iter()
        .any(|no| output.contains(no))
}

#[tokio::test]
async fn a_key_in_the_home_folder_is_not_read_by_any_name() {
    let stage = RunFixture::new();
    let key = stage.key();
    std::os::unix::fs::symlink(&key, stage.folder().join("link")).unwrap();
    let names = ["link".to_owned(), key.display().to_string(), format!("/proc/self/root{}", key.display())];
    for name in names.into_iter().chain(["../home/.ssh/id_ed25519".to_owned()]) {
        for one in ["cat P", "head -c 10 P", "cp P copy", "dd if=P", "python3 -c 'print(open(\"P\").read())'"] {
            let ran = stage.line(&one.replace('P', &name)).await;
            assert!(ran.ended == RunEnd::Status(1) && ran.output.contains("ermission denied"), "{one} {name}: {ran:?}");
            assert!(!ran.output.contains(KEY), "{one} {name}");
        }
    }
    assert_eq!(stage.line(&format!("ls {}", key.parent().unwrap().display())).await.ended, RunEnd::Status(2));
}

#[tokio::test]
async fn a_home_folder_cannot_be_the_folder_of_work() {
    let mut stage = RunFixture::new();
    stage.runner.home = Some(stage.folder().join("home"));
    fs::create_dir(stage.folder().join("home")).unwrap();
    let refused = stage.words(&["true"]).await;
    let why =
        format!("{} holds the home folder, with every key in it", stage.folder().canonicalize().unwrap().display());
    assert_eq!(refused, Err(Fault::NoSandbox { why }));
}

#[tokio::test]
async fn other_processes_cannot_be_looked_into() {
    let stage = RunFixture::new();
    let pid = std::process::id();
    let ran = stage
        .line(&format!("cat /proc/{pid}/environ /proc/$PPID/environ /proc/{pid}/maps; readlink -v /proc/{pid}/fd/0"))
        .await;
    assert_eq!(ran.ended, RunEnd::Status(1));
    assert_eq!(ran.output.matches("ermission denied").count(), 4, "{}", ran.output);
}

#[tokio::test]
async fn passwords_of_the_machine_are_not_read() {
    let ran = RunFixture::new().line("cat /etc/shadow; cat /etc/passwd > /dev/null && echo passwd").await;
    assert!(ran.output.contains("Permission denied") && ran.output.ends_with("passwd\n"), "{}", ran.output);
}

const CALL: &str = "import socket, sys\n\
                    def attempt(name, f):\n\
                    \x20 try: f(); print(name, 'done')\n\
                    \x20 except OSError as e: print(name, e.strerror)\n\
                    tcp, udp = int(sys.argv[1]), int(sys.argv[2])\n\
                    attempt('tcp', lambda: socket.create_connection(('127.0.0.1', tcp)))\n\
                    attempt('udp', lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', udp)))\n\
                    attempt('v6', lambda: socket.socket(socket.AF_INET6, socket.SOCK_STREAM))\n\
                    attempt('raw', lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW))\n\
                    attempt('pair', lambda: socket.socketpair())\n";

#[tokio::test]
async fn the_network_is_closed_unless_it_was_allowed() {
    let stage = RunFixture::new();
    stage.write("call.py", CALL);
    let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
    let udp = UdpSocket::bind("127.0.0.1:0").unwrap();
    tcp.set_nonblocking(true).unwrap();
    udp.set_nonblocking(true).unwrap();
    let ports = (tcp.local_addr().unwrap().port(), udp.local_addr().unwrap().port());
    let heard = || (tcp.accept().is_ok(), udp.recv(&mut [0; 8]).is_ok());

    let closed = RunFixture::quiet(&format!("python3 call.py {} {}", ports.0, ports.1));
    let ran = stage.run(&closed).await.unwrap();
    let no = "Operation not permitted";
    assert_eq!(ran.output, format!("tcp {no}\nudp {no}\nv6 {no}\nraw {no}\npair done\n"));
    assert_eq!(heard(), (false, false));

    let ran = stage.run(&Run { network: true, ..closed }).await.unwrap();
    assert_eq!(ran.output, format!("tcp done\nudp done\nv6 done\nraw {no}\npair done\n"));
    assert_eq!(heard(), (true, true));
}

#[tokio::test]
async fn sockets_of_other_programs_cannot_be_reached_with_or_without_the_network() {
    let stage = RunFixture::new();
    let stream = UnixListener::bind(stage.outside().join("stream")).unwrap();
    let datagram = UnixDatagram::bind(stage.outside().join("datagram")).unwrap();
    stream.set_nonblocking(true).unwrap();
    datagram.set_nonblocking(true).unwrap();
    let script = format!(
        "import socket\n\
         def attempt(f):\n\
         \x20 try: f(); print('done')\n\
         \x20 except OSError as e: print('no')\n\
         attempt(lambda: socket.socket(socket.AF_UNIX, socket.SOCK_STREAM).connect('{0}/stream'))\n\
         attempt(lambda: socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(b'x', '{0}/datagram'))\n\
         attempt(lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)[0].sendto(b'x', '{0}/datagram'))\n\
         attempt(lambda: socket.socket(socket.AF_UNIX, socket.SOCK_RAW).sendto(b'x', '{0}/datagram'))\n\
         attempt(lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_RAW)[0].sendto(b'x', '{0}/datagram'))\n\
         attempt(lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET))\n",
        stage.outside().display()
    );
    stage.write("call.py", &script);
    for network in [false, true] {
        let ran = stage.run(&Run { network, ..RunFixture::quiet("python3 call.py") }).await.unwrap();
        assert_eq!(told(&ran), (RunEnd::Status(0), "no\nno\nno\nno\nno\ndone\n"));
    }
    assert_eq!((stream.accept().is_ok(), datagram.recv(&mut [0; 8]).is_ok()), (false, false));
}

#[tokio::test]
async fn other_processes_cannot_be_signalled() {
    let mut stage = RunFixture::new();
    let mut other = std::process::Command::new("sleep").arg("100000").stdin(Stdio::null()).spawn().unwrap();
    let line = format!("kill -9 {}; kill -0 {}; kill -9 $PPID; kill -9 -1; echo on", other.id(), std::process::id());
    let ran = stage.line(&line).await;
    // The last one reaches all it may reach, which is nobody, and counts as done.
    assert_eq!(ran.output.matches("not permitted").count(), 3, "{}", ran.output);
    assert!(is_alive(&other.id().to_string()));
    other.kill().unwrap();
    other.wait().unwrap();
    // An older kernel guards at least those who watch over the command.
    stage.runner.newest = 5;
    let line = format!("kill -9 {}; kill -9 $PPID; kill -9 -$PPID; kill -9 -1; echo on", std::process::id());
    let ran = stage.line(&line).await;
    assert_eq!(ran.output.matches("not permitted").count(), 4, "{}", ran.output);
    assert!(ran.output.ends_with("on\n"), "{}", ran.output);
}

#[tokio::test]
async fn calls_that_lead_out_are_refused() {
    let stage = RunFixture::new();
    let script = "import ctypes, os, platform\n\
        libc = ctypes.CDLL(None, use_errno=True)\n\
        def attempt(name, *args):\n\
        \x20 ctypes.set_errno(0)\n\
        \x20 r = getattr(libc, name)(*args)\n\
        \x20 print(name, r, os.strerror(ctypes.get_errno()))\n\
        attempt('ptrace', 0, 0, 0, 0)\n\
        attempt('ptrace', 16, os.getppid(), 0, 0)\n\
        attempt('unshare', 0x10000000)\n\
        attempt('unshare', 0x00020000)\n\
        attempt('mount', b'none', b'/mnt', b'tmpfs', 0, 0)\n\
        attempt('chroot', b'.')\n\
        attempt('setns', 0, 0)\n\
        attempt('syscall', 425, 1, 0)\n\
        attempt('syscall', 304 if platform.machine() == 'x86_64' else 265, -1, 0, 0)\n\
        attempt('reboot', 0)\n\
        attempt('klogctl', 3, 0, 0)\n";
    let ran = stage.python(script).await;
    let lines: Vec<&str> = ran.output.lines().collect();
    let allowed: Vec<&&str> = lines.iter().filter(|line| !line.ends_with("-1 Operation not permitted")).collect();
    assert_eq!((lines.len(), allowed), (11, Vec::<&&str>::new()));
}

#[tokio::test]
async fn root_keeps_nothing_but_its_hold_on_files() {
    let ran = RunFixture::new().line("grep -E '^(CapPrm|CapEff|CapBnd|NoNewPrivs|Seccomp):' /proc/self/status").await;
    let kept = if rustix::process::geteuid().is_root() { "000000000000001b" } else { "0000000000000000" };
    let said = |name: &str| ran.output.lines().find_map(|line| line.strip_prefix(name)).unwrap_or("").trim().to_owned();
    assert_eq!(["CapPrm:", "CapEff:", "NoNewPrivs:", "Seccomp:"].map(said), [kept, kept, "1", "2"].map(str::to_owned));
}

#[tokio::test]
async fn files_outside_are_not_even_emptied_on_the_first_landlocks() {
    let mut stage = RunFixture::new();
    stage.readable = vec![stage.outside().to_str().unwrap().to_owned()];
    let file = stage.outside().join("full");
    fs::write(&file, "full").unwrap();
    let script = format!(
        "import os\n\
         for f in (lambda: os.truncate('{0}', 0), lambda: os.open('{0}', os.O_RDONLY | os.O_TRUNC), \
         lambda: os.open('{0}', os.O_WRONLY)):\n\
         \x20 try: f(); print('done')\n\
         \x20 except OSError as e: print('no')\n\
         print(open('{0}').read())\n",
        file.display()
    );
    for newest in [1, 2, 3, u32::MAX] {
        stage.runner.newest = newest;
        assert_eq!(told(&stage.python(&script).await), (RunEnd::Status(0), "no\nno\nno\nfull\n"), "ABI {newest}");
    }
}

#[tokio::test]
async fn descriptors_left_open_by_others_are_closed() {
    let mut stage = RunFixture::new();
    let key = stage.key();
    stage.keeper_after(&format!("exec 7<{0}\nexec 103<{0}\nexec", key.display()));
    let ran =
        stage.words(&["sh", "-c", "cat <&7; cat /proc/self/fd/103; ls /proc/self/fd | tr '\\n' ' '"]).await.unwrap();
    assert!(!ran.output.contains(KEY), "{}", ran.output);
    // The fourth is the folder that is being listed.
    assert!(ran.output.ends_with("0 1 2 3 "), "{}", ran.output);
}

#[tokio::test]
async fn where_landlock_is_lacking_nothing_is_run() {
    let mut stage = RunFixture::new();
    stage.runner.required = 99;
    let refused = stage.words(&["touch", "ran"]).await;
    let abi = check(&stage.runner.program).unwrap().abi;
    let why = format!("the kernel has version {abi} of Landlock, and version 99 is needed");
    assert_eq!(refused, Err(Fault::NoSandbox { why }));
    assert!(!stage.folder().join("ran").exists());
}

#[tokio::test]
async fn a_keeper_that_fails_is_reported_and_nothing_is_run() {
    let mut stage = RunFixture::new();
    stage.keeper_after("echo no luck >&2; exit 1; exec");
    let Err(Fault::System { why, .. }) = stage.words(&["touch", "ran"]).await else { panic!("it ran") };
    assert!(why.contains("no luck"), "{why}");
    assert!(!stage.folder().join("ran").exists());
}

#[test]
fn the_doctor_learns_what_is_confined() {
    let confinement = check(Path::new(env!("CARGO_BIN_EXE_confined"))).unwrap();
    let all = [
        Protection::Files,
        Protection::Network,
        Protection::Calls,
        Protection::LocalSockets,
        Protection::Signals,
        Protection::Devices,
        Protection::Metadata,
    ];
    let (holds, lacks): (Vec<Protection>, Vec<Protection>) = (confinement.holds, confinement.lacks);
    assert_eq!(all.iter().filter(|wall| holds.contains(wall) == lacks.contains(wall)).count(), 0);
    assert_eq!(lacks.contains(&Protection::Signals), confinement.abi < 6);
    let said: Vec<&str> = all.iter().flat_map(|wall| [Lang::Ja, Lang::En].map(|lang| wall.say(lang))).collect();
    assert!(said.iter().all(|words| !words.is_empty()));
    // A thread was confined to find out; we are not.
    fs::read_dir("/").unwrap();
    TcpListener::bind("127.0.0.1:0").unwrap();
}
