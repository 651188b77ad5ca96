//! Fits a model into this computer: how many threads, how they share the processors, how much context, how many
//! conversations at once.
//!
//! What the computer has is read from `/proc` and `/sys`, under a root that tests replace. What follows from it is a
//! pure function: `plan`. A plan never asks for more memory than was available when we looked; where a person's own
//! wishes do, they are told how much is missing and nothing is started.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::Path;

use serde::Deserialize;

use super::gguf::Shape;

/// The server itself, and what it computes in. A cautious guess.
const OVERHEAD: u64 = 256 << 20;
/// The context of one conversation, where memory allows.
const WANTED_CONTEXT: u64 = 8192;
/// Less than this holds no session's prompt.
const LEAST_CONTEXT: u64 = 2048;
/// Conversations at once, where memory allows. More would wait for the same few cores.
const WANTED_SLOTS: u64 = 4;
/// The most memory for prompts of conversations that are not in a slot.
const WANTED_PARKING: u64 = 2 << 30;

/// Threads wait for each other hundreds of times for each token, mostly for some microseconds. One that goes to sleep at once
/// is woken too late on a quiet computer; one that spins for milliseconds uses up the turn of the one that it waits for on
/// a busy one. This is about ten microseconds; the library's own choice is 300,000.
const SHORT_SPIN: u64 = 1_000;

/// What this computer has to offer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Machine {
    /// Cores that do arithmetic side by side.
    pub threads: usize,
    /// Bytes that can be used without pushing anything else out.
    pub memory: u64,
}

/// What a person has set, under `[local]` in the config file. Everything else is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    pub threads: Option<usize>,
    /// Tokens of context in each conversation.
    pub context: Option<u64>,
    /// Conversations at once.
    pub slots: Option<u64>,
    /// How often a thread that waits for another looks again before it sleeps.
    pub spin: Option<u64>,
    /// With whom the server shares the processors.
    pub session: Option<CpuSession>,
}

/// With whom the server shares the processors, where the system shares them out among sessions first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CpuSession {
    /// It has a share of its own, as another terminal would.
    #[default]
    Own,
    /// It is one more program among all that were started in Enza's session.
    Shared,
}

/// How the server is to be run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plan {
    pub threads: usize,
    /// Tokens of context in each conversation.
    pub context: u64,
    /// Conversations at once.
    pub slots: u64,
    /// How often a thread that waits for another looks again before it sleeps.
    pub spin: u64,
    /// With whom it shares the processors.
    pub session: CpuSession,
    /// Whether weights are copied into the order that this processor likes best. Faster, and needs them twice.
    pub repack: bool,
    /// Bytes for prompts of conversations that wait outside the slots.
    pub parking: u64,
    /// What all of it takes, without the parking.
    pub memory: u64,
}

/// Why a model does not fit.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DoesNotFit {
    /// There is not enough memory. Next: a smaller model (`small`), fewer slots, less context, or close other programs.
    #[error("{needed} bytes of memory are needed, {available} are available")]
    Memory {
        /// What the least we could do would take.
        needed: u64,
        available: u64,
        /// The part of `needed` that is weights: nothing but a smaller model makes it less.
        weights: u64,
        /// The context that was tried.
        context: u64,
        /// The slots that were tried.
        slots: u64,
    },
    /// More context was asked for than the model was trained for. Next: ask for at most that.
    #[error("the model was trained for {trained} tokens of context, {asked} were asked for")]
    Context { asked: u64, trained: u64 },
}

/// Chooses what was not set.
pub fn plan(machine: Machine, shape: &Shape, weights: u64, settings: Settings) -> Result<Plan, DoesNotFit> {
    let trained = if shape.trained_context == 0 { u64::MAX } else { shape.trained_context };
    if let Some(asked) = settings.context.filter(|asked| *asked > trained) {
        return Err(DoesNotFit::Context { asked, trained });
    }
    let takes = |context: u64, slots: u64| {
        let cache = shape.bytes_per_token.saturating_mul(context).saturating_mul(slots);
        weights.saturating_add(cache).saturating_add(OVERHEAD)
    };
    let tries = tries(settings, trained);
    let Some((context, slots)) =
        tries.iter().copied().find(|(context, slots)| takes(*context, *slots) <= machine.memory)
    else {
        let (context, slots) = tries.last().copied().unwrap_or((LEAST_CONTEXT, 1));
        let needed = takes(context, slots);
        return Err(DoesNotFit::Memory { needed, available: machine.memory, weights, context, slots });
    };
    let memory = takes(context, slots);
    let left = machine.memory - memory;
    let repack = left >= weights;
    let spare = if repack { left - weights } else { left };
    Ok(Plan {
        threads: settings.threads.unwrap_or(machine.threads).max(1),
        context,
        slots,
        spin: settings.spin.unwrap_or(SHORT_SPIN),
        session: settings.session.unwrap_or_default(),
        repack,
        parking: (spare / 4).min(WANTED_PARKING),
        memory: if repack { memory + weights } else { memory },
    })
}

/// Contexts and slots from the most welcome to the least: conversations are given up before their length is.
fn tries(settings: Settings, trained: u64) -> Vec<(u64, u64)> {
    let contexts = match settings.context {
        Some(context) => vec![context.max(1)],
        None => [WANTED_CONTEXT, WANTED_CONTEXT / 2, LEAST_CONTEXT].map(|context| context.min(trained)).to_vec(),
    };
    let slots = match settings.slots {
        Some(slots) => vec![slots.max(1)],
        None => vec![WANTED_SLOTS, WANTED_SLOTS / 2, 1],
    };
    contexts.iter().flat_map(|context| slots.iter().map(|slots| (*context, *slots))).collect()
}

impl Machine {
    /// Looks at this computer.
    pub fn look() -> Self {
        let allowed = std::thread::available_parallelism().map_or(1, usize::from);
        Self::look_under(Path::new("/"), allowed)
    }

    /// Looks at the computer whose `/proc` and `/sys` are under `root`; `allowed` threads may run at once.
    pub fn look_under(root: &Path, allowed: usize) -> Self {
        let threads = physical_cores(root).map_or(allowed, |cores| cores.min(allowed)).max(1);
        let free = available_memory(root).unwrap_or(u64::MAX);
        let memory = group_memory(root).map_or(free, |group| group.min(free));
        Self { threads, memory }
    }
}

/// Two threads of one core share its arithmetic, so cores are counted and not processors; of those, only the ones that we
/// may run on.
fn physical_cores(root: &Path) -> Option<usize> {
    let ours = our_processors(root);
    let processors = fs::read_dir(root.join("sys/devices/system/cpu")).ok()?;
    let cores: BTreeSet<(String, String)> = processors
        .flatten()
        .filter(|processor| ours.as_ref().is_none_or(|ours| ours.contains(&processor.file_name())))
        .filter_map(|processor| {
            let topology = processor.path().join("topology");
            let read = |name: &str| fs::read_to_string(topology.join(name)).ok();
            Some((read("physical_package_id")?, read("core_id")?))
        })
        .collect();
    (!cores.is_empty()).then_some(cores.len())
}

/// The names of the processors that we may run on (`cpu0`, `cpu4`), from a list like `0,4-7`; none if nothing is said.
fn our_processors(root: &Path) -> Option<BTreeSet<OsString>> {
    let text = fs::read_to_string(root.join("proc/self/status")).ok()?;
    let list = text.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"))?;
    let mut names = BTreeSet::new();
    for part in list.trim().split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last) = (first.parse::<usize>().ok()?, last.parse::<usize>().ok()?);
        names.extend((first..=last).map(|number| OsString::from(format!("cpu{number}"))));
    }
    Some(names)
}

fn available_memory(root: &Path) -> Option<u64> {
    let text = fs::read_to_string(root.join("proc/meminfo")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.trim().trim_end_matches("kB").trim().parse::<u64>().ok()?.checked_mul(1024)
}

/// What the control groups we are in leave us: the tightest limit from ours up to the root.
fn group_memory(root: &Path) -> Option<u64> {
    let groups = fs::read_to_string(root.join("proc/self/cgroup")).ok()?;
    let ours = groups.lines().find_map(|line| line.strip_prefix("0::/"))?;
    let top = root.join("sys/fs/cgroup");
    let inner = top.join(ours);
    inner.ancestors().take_while(|group| group.starts_with(&top)).filter_map(left_in_group).min()
}

/// Files that were read count as used in a group, but make room when it is needed.
fn left_in_group(group: &Path) -> Option<u64> {
    let number = |name: &str| fs::read_to_string(group.join(name)).ok()?.trim().parse::<u64>().ok();
    let most = number("memory.max")?;
    let used = number("memory.current")?;
    let stat = fs::read_to_string(group.join("memory.stat")).unwrap_or_default();
    let idle = stat.lines().find_map(|line| line.strip_prefix("inactive_file ")?.trim().parse().ok());
    Some(most.saturating_sub(used.saturating_sub(idle.unwrap_or(0))))
}
