//! A house with the small model in it, and a look at which servers run there.
//!
//! The models folder is the house's own, with links into the one that `ENZA_MODELS` names: so the server's command line
//! tells whose it is, and nothing is written into the developer's folder.

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::house::House;

/// How long a process may take to come or go before something is wrong.
const PATIENCE: Duration = Duration::from_secs(60);
/// One thread, because several that share a busy core wait for each other; and no more memory than the prompts need.
const CONFIG: &str = "[local]\nthreads = 1\nslots = 2\ncontext = 4096\n";

/// A house with the small model.
pub fn house() -> House {
    let from = std::env::var_os("ENZA_MODELS").map(PathBuf::from);
    let from = from.expect("ENZA_MODELS is not set: run testing/model first, which brings the small model");
    for needed in ["server/bin/llama-server", "weights/small.gguf"] {
        let path = from.join(needed);
        assert!(path.is_file(), "{} is missing: run testing/model first", path.display());
    }
    let house = House::new();
    house.file("config/config.toml", CONFIG);
    let weights = house.models().join("weights");
    std::fs::create_dir_all(&weights).unwrap();
    symlink(from.join("weights/small.gguf"), weights.join("small.gguf")).unwrap();
    // The note saves hashing the weights once more; without it they are hashed.
    let _ = std::fs::copy(from.join("weights/small.gguf.sha256"), weights.join("small.gguf.sha256"));
    symlink(from.join("server"), house.models().join("server")).unwrap();
    house
}

/// The servers that run on this house's weights.
pub fn servers(house: &House) -> Vec<u32> {
    let weights = house.models().join("weights/small.gguf");
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let numbers = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    numbers.filter(|number| serves(*number, &weights)).collect()
}

fn serves(process: u32, weights: &Path) -> bool {
    let Ok(line) = std::fs::read(format!("/proc/{process}/cmdline")) else { return false };
    let words: Vec<&[u8]> = line.split(|byte| *byte == 0).collect();
    words[0].ends_with(b"/llama-server") && words.contains(&weights.as_os_str().as_encoded_bytes())
}

/// Waits until so many servers run here. Says whether it came to that.
pub fn until_servers(house: &House, count: usize) -> bool {
    let deadline = Instant::now() + PATIENCE;
    while servers(house).len() != count {
        if Instant::now() > deadline {
            return false;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    true
}
