//! What is risky about a path or a text, by its looks alone.
//!
//! The rules use it to weigh an operation, the workshop to tell a person what a change would touch and to mask what goes
//! out. Nothing here looks at a file system. It errs on the side of asking: what it calls harmless is on a list, what it
//! does not know is `Unknown`. Secrets inside texts are found in `secret`.

mod secret;
mod value;

use serde::{Deserialize, Serialize};

pub use secret::{MASK, Secret, SecretKind, mask, secrets};
pub use value::{mask_json, mask_value};

/// What the ending of a file's name says about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExtensionClass {
    /// It can be run by mistake.
    Dangerous,
    /// It is on the list of known ones.
    Known,
    /// It is on no list.
    Unknown,
}

/// The lists of endings, in lower case, with or without the full stop. Names without an ending stand in full.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExtensionLists {
    /// Those that can be run by mistake.
    pub dangerous: Vec<String>,
    /// Those that are harmless to write.
    pub safe: Vec<String>,
}

/// The document's four, and nothing that a project of code needs every day.
const DANGEROUS: &str = "exe bat sh ps1";
/// The document's five first, then what projects are made of.
const SAFE: &str = "txt md py json yaml \
    yml toml ini cfg conf csv tsv xml html htm css scss sass less svg rst adoc org tex log lock sql graphql proto \
    rs go c h cc cpp cxx hpp hh cs java kt kts scala groovy gradle swift m mm rb php pl pm lua r jl dart ex exs erl hrl \
    clj cljs hs ml mli fs fsi vb zig nim d js mjs cjs jsx ts mts cts tsx vue svelte astro ipynb pyi pyx cmake mk bzl \
    nix tf hcl dockerfile editorconfig properties env.example snap diff patch jsonl ndjson json5 jsonc po pot srt vtt \
    makefile license licence copying readme changelog authors contributors notice gemfile rakefile procfile justfile \
    .gitignore .gitattributes .gitkeep .ignore .enzaignore .dockerignore .editorconfig .prettierrc .eslintrc .babelrc \
    .nvmrc .npmignore .rustfmt.toml .clang-format codeowners go.mod go.sum mod sum work example sample template tmpl j2";

impl Default for ExtensionLists {
    fn default() -> Self {
        let list = |words: &str| words.split_ascii_whitespace().map(str::to_owned).collect();
        Self { dangerous: list(DANGEROUS), safe: list(SAFE) }
    }
}

impl ExtensionLists {
    /// Whether these are the lists that everyone begins with.
    pub(super) fn are_usual(&self) -> bool {
        *self == Self::default()
    }

    /// The class of a path's ending: of the last one, whatever its case (G25).
    ///
    /// Full stops and spaces at the end do not count, since some systems drop them when they write the file.
    pub fn class(&self, path: &str) -> ExtensionClass {
        let name = file_name(path).trim_end_matches(['.', ' ']).to_lowercase();
        let ending = name.rsplit_once('.').map(|(_, ending)| ending).unwrap_or(&name);
        let is_it = |known: &String| known.trim_start_matches('.') == ending || *known == name;
        let is_on = |list: &[String]| list.iter().any(is_it);
        match () {
            () if is_on(&self.dangerous) => ExtensionClass::Dangerous,
            () if is_on(&self.safe) => ExtensionClass::Known,
            () => ExtensionClass::Unknown,
        }
    }
}

/// Folders in which everything is secret.
pub const SECRET_FOLDERS: &[&str] = &[".ssh", ".gnupg", ".aws", ".azure", ".kube"];

/// Whether a path's name says that it holds secrets: keys, passwords, tokens.
pub fn names_secrets(path: &str) -> bool {
    const NAMES: &[&str] = &[
        ".npmrc",
        ".netrc",
        "_netrc",
        ".pypirc",
        ".pgpass",
        ".htpasswd",
        ".git-credentials",
        ".dockercfg",
        ".vault-token",
        ".my.cnf",
        "credentials",
        "secrets",
        "master.key",
        "shadow",
    ];
    const ENDINGS: &[&str] =
        &["pem", "key", "p8", "p12", "pfx", "jks", "keystore", "kdbx", "ppk", "asc", "gpg", "tfstate"];
    const KEYS: &[&str] = &["id_rsa", "id_dsa", "id_ecdsa", "id_ed25519"];
    const DATA: &[&str] = &["json", "yaml", "yml", "toml", "xml", "ini", "txt", "env", "csv", "properties"];

    let path = path.to_lowercase();
    let name = file_name(&path).trim_end_matches(['.', ' ']);
    let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
    let is_model = ["example", "sample", "template", "dist", "defaults", "pub"].contains(&ending);
    let is_env = name == ".env" || name.starts_with(".env.") || name.starts_with(".envrc") || ending == "env";
    let is_named = NAMES.contains(&name) || ENDINGS.contains(&ending);
    let is_key = KEYS.iter().any(|key| name.starts_with(key));
    let is_list = ["credential", "secret", "password"].iter().any(|word| stem.contains(word)) && DATA.contains(&ending);
    let is_in = path.split('/').rev().skip(1).any(|part| SECRET_FOLDERS.contains(&part));
    !is_model && (is_env || is_named || is_key || is_list || is_in)
}

/// Whether an absolute path belongs to the system: to be read perhaps, to be written never.
pub fn belongs_to_system(path: &str) -> bool {
    const FOLDERS: &[&str] = &[
        "/bin",
        "/boot",
        "/dev",
        "/efi",
        "/etc",
        "/lib",
        "/lib32",
        "/lib64",
        "/libx32",
        "/nix",
        "/opt",
        "/proc",
        "/run",
        "/sbin",
        "/snap",
        "/srv",
        "/sys",
        "/usr",
        "/var",
        "/System",
        "/Library",
        "/private/etc",
        "/private/var",
    ];
    // People's own folders and passing files, which some systems keep there.
    const OURS: &[&str] = &["/var/tmp", "/var/home", "/var/folders", "/private/var/folders", "/private/var/tmp"];
    let is_under =
        |folder: &&str| path.strip_prefix(*folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    path == "/" || (FOLDERS.iter().any(is_under) && !OURS.iter().any(is_under))
}

fn file_name(path: &str) -> &str {
    path.trim_end_matches('/').rsplit('/').next().unwrap_or_default()
}
