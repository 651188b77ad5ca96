//! Reading a model's head, looking at a computer, and fitting the one into the other.

use std::fs;
use std::path::Path;

use enza_models::local::gguf::{self, HeadError, Shape};
use enza_models::local::machine::{CpuSession, DoesNotFit, Machine, Plan, Settings, plan};

const GB: u64 = 1 << 30;
const MB: u64 = 1 << 20;

fn shape() -> Shape {
    // 28 layers, 2 heads of 128 numbers, keys and values, 2 bytes each.
    Shape { architecture: "qwen2".into(), title: None, trained_context: 32768, bytes_per_token: 28672 }
}

fn machine(memory: u64) -> Machine {
    Machine { threads: 4, memory }
}

#[test]
fn with_much_memory_everything_wanted_is_had() {
    let found = plan(machine(24 * GB), &shape(), GB, Settings::default());
    let memory = 2 * GB + 4 * 8192 * 28672 + 256 * MB;
    let expected = Plan {
        threads: 4,
        context: 8192,
        slots: 4,
        spin: 1_000,
        session: CpuSession::Own,
        repack: true,
        parking: 2 * GB,
        memory,
    };
    assert_eq!(found, Ok(expected));
}

#[test]
fn with_less_memory_conversations_are_given_up_before_their_length() {
    let had = |memory| {
        plan(machine(memory), &shape(), GB, Settings::default()).map(|plan| (plan.slots, plan.context, plan.repack))
    };
    assert_eq!(had(3 * GB), Ok((4, 8192, false)));
    assert_eq!(had(2 * GB), Ok((2, 8192, false)));
    assert_eq!(had(GB + 512 * MB), Ok((1, 8192, false)));
    assert_eq!(had(GB + 320 * MB), Ok((1, 2048, false)));
}

#[test]
fn a_model_too_large_for_the_memory_is_refused_with_what_it_needs() {
    let found = plan(machine(GB), &shape(), GB, Settings::default());
    let needed = GB + 2048 * 28672 + 256 * MB;
    assert_eq!(found, Err(DoesNotFit::Memory { needed, available: GB, weights: GB, context: 2048, slots: 1 }));
}

#[test]
fn what_a_person_sets_is_kept_or_refused() {
    let settings = Settings { threads: Some(1), context: Some(16384), slots: Some(3), ..Settings::default() };
    let found = plan(machine(24 * GB), &shape(), GB, settings).map(|plan| (plan.threads, plan.context, plan.slots));
    assert_eq!(found, Ok((1, 16384, 3)));
    let needed = GB + 3 * 16384 * 28672 + 256 * MB;
    let trouble = DoesNotFit::Memory { needed, available: 2 * GB, weights: GB, context: 16384, slots: 3 };
    assert_eq!(plan(machine(2 * GB), &shape(), GB, settings), Err(trouble));
    let long = Settings { context: Some(40000), ..settings };
    assert_eq!(plan(machine(GB), &shape(), GB, long), Err(DoesNotFit::Context { asked: 40000, trained: 32768 }));
}

/// One thread for each core that may be used and no more, however busy the computer is: threads that soon sleep when they
/// wait lose no more than their share, and a thread fewer is slower on a computer that is left alone.
#[test]
fn threads_are_as_many_as_may_run_at_once_and_soon_sleep_when_they_wait() {
    let (own, shared) = (CpuSession::Own, CpuSession::Shared);
    let set = |threads, spin, session| Settings { threads, spin, session, ..Settings::default() };
    let table = [
        // (cores, processors allowed by quota and affinity, settings) and what is chosen.
        ((4, 8, set(None, None, None)), (4, 1_000, own)),
        ((4, 4, set(None, None, None)), (4, 1_000, own)),
        ((4, 1, set(None, None, None)), (1, 1_000, own)),
        ((1, 2, set(None, None, None)), (1, 1_000, own)),
        ((4, 2, set(Some(6), None, None)), (6, 1_000, own)),
        ((4, 2, set(Some(0), None, None)), (1, 1_000, own)),
        ((4, 4, set(None, Some(300_000), None)), (4, 300_000, own)),
        ((4, 4, set(None, None, Some(shared))), (4, 1_000, shared)),
    ];
    for ((cores, allowed, settings), chosen) in table {
        let root = tempfile::tempdir().unwrap();
        for core in 0..cores {
            let topology = root.path().join(format!("sys/devices/system/cpu/cpu{core}/topology"));
            fs::create_dir_all(&topology).unwrap();
            fs::write(topology.join("physical_package_id"), "0\n").unwrap();
            fs::write(topology.join("core_id"), format!("{core}\n")).unwrap();
        }
        let machine = Machine::look_under(root.path(), allowed);
        let plan = plan(machine, &shape(), GB, settings).unwrap();
        assert_eq!((plan.threads, plan.spin, plan.session), chosen, "{cores} cores, {allowed} allowed, {settings:?}");
    }
}

#[test]
fn cores_are_counted_once_and_the_tightest_limit_counts() {
    let root = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = root.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    assert_eq!(Machine::look_under(root.path(), 6), Machine { threads: 6, memory: u64::MAX });
    for (processor, core) in [(0, 0), (1, 0), (2, 1), (3, 1)] {
        write(&format!("sys/devices/system/cpu/cpu{processor}/topology/physical_package_id"), "0\n");
        write(&format!("sys/devices/system/cpu/cpu{processor}/topology/core_id"), &format!("{core}\n"));
    }
    write("proc/meminfo", "MemTotal:       9000 kB\nMemAvailable:   8000 kB\n");
    assert_eq!(Machine::look_under(root.path(), 6), Machine { threads: 2, memory: 8_192_000 });
    assert_eq!(Machine::look_under(root.path(), 1).threads, 1);
    // Both halves of one core may be used, then a half of each of the two.
    write("proc/self/status", "Name:\tenza\nCpus_allowed_list:\t0-1\n");
    assert_eq!(Machine::look_under(root.path(), 2).threads, 1);
    write("proc/self/status", "Name:\tenza\nCpus_allowed_list:\t0,3\n");
    assert_eq!(Machine::look_under(root.path(), 2).threads, 2);

    // Files that were read make room; a group above may leave less than ours.
    write("proc/self/cgroup", "0::/outer/inner\n");
    write("sys/fs/cgroup/outer/inner/memory.max", "max\n");
    write("sys/fs/cgroup/outer/memory.max", "3000000\n");
    write("sys/fs/cgroup/outer/memory.current", "2500000\n");
    write("sys/fs/cgroup/outer/memory.stat", "anon 500000\ninactive_file 2000000\n");
    assert_eq!(Machine::look_under(root.path(), 6).memory, 2_500_000);
}

/// A head with these pairs, each of a kind and its bytes.
fn head(pairs: &[(&str, u32, Vec<u8>)]) -> Vec<u8> {
    let mut bytes = b"GGUF".to_vec();
    bytes.extend(3_u32.to_le_bytes());
    bytes.extend(0_u64.to_le_bytes());
    bytes.extend((pairs.len() as u64).to_le_bytes());
    for (key, kind, value) in pairs {
        bytes.extend(text(key));
        bytes.extend(kind.to_le_bytes());
        bytes.extend(value);
    }
    bytes
}

fn text(words: &str) -> Vec<u8> {
    [&(words.len() as u64).to_le_bytes()[..], words.as_bytes()].concat()
}

fn number(value: u32) -> Vec<u8> {
    value.to_le_bytes().to_vec()
}

fn read(bytes: &[u8]) -> Result<Shape, HeadError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tiny.gguf");
    fs::write(&path, bytes).unwrap();
    gguf::read(&path)
}

fn pairs() -> Vec<(&'static str, u32, Vec<u8>)> {
    let words = [&number(8)[..], &2_u64.to_le_bytes(), &text("one"), &text("two")].concat();
    let by_layer = [&number(4)[..], &3_u64.to_le_bytes(), &number(2), &number(0), &number(1)].concat();
    vec![
        ("general.architecture", 8, text("toy")),
        ("tokenizer.ggml.tokens", 9, words),
        ("toy.block_count", 4, number(3)),
        ("toy.context_length", 4, number(4096)),
        ("toy.embedding_length", 4, number(64)),
        ("toy.attention.head_count", 4, number(4)),
        ("toy.attention.head_count_kv", 9, by_layer),
        ("toy.rope.freq_base", 6, vec![0; 4]),
        ("general.name", 8, text("Toy")),
    ]
}

#[test]
fn the_head_says_what_a_token_takes() {
    // 3 heads kept over all layers, of 64 / 4 numbers, keys and values, 2 bytes each.
    let shape = Shape {
        architecture: "toy".into(),
        title: Some("Toy".into()),
        trained_context: 4096,
        bytes_per_token: 3 * 16 * 2 * 2,
    };
    assert_eq!(read(&head(&pairs())), Ok(shape));
}

#[test]
fn a_damaged_head_is_told_wherever_it_ends_or_lies() {
    let whole = head(&pairs());
    for end in 0..whole.len() {
        let came = read(&whole[..end]);
        assert!(matches!(came, Err(HeadError::NotGguf | HeadError::Damaged { .. })), "cut at {end}: {came:?}");
    }
    assert_eq!(read(b"<html>no such file</html>"), Err(HeadError::NotGguf));
    let mut newer = whole.clone();
    newer[4] = 9;
    assert_eq!(read(&newer), Err(HeadError::UnknownVersion { version: 9 }));
    let mut boasting = whole;
    boasting[16..24].copy_from_slice(&u64::MAX.to_le_bytes());
    assert_eq!(read(&boasting), Err(HeadError::Damaged { what: format!("it claims {} pairs", u64::MAX) }));
    let nested = [&number(9)[..], &1_u64.to_le_bytes()].concat().repeat(10);
    let came = read(&head(&[("a", 9, nested)]));
    assert_eq!(came, Err(HeadError::Damaged { what: "its lists are nested too deeply".into() }));
    let missing = gguf::read(Path::new("/nowhere/tiny.gguf"));
    assert!(matches!(missing, Err(HeadError::Unreadable { .. })), "{missing:?}");
}
