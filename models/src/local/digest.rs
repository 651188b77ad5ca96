//! SHA-256 of files and folders, in the lower-case hexadecimal that everyone else writes.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use sha2::{Digest as _, Sha256};

/// Large enough that the disk sets the pace.
const BLOCK: usize = 1 << 20;

/// The digest of a file. `on_read` hears how many bytes were read so far.
pub(crate) fn of_file(path: &Path, on_read: &mut dyn FnMut(u64)) -> io::Result<String> {
    let mut file = File::open(path)?;
    let mut hasher = Sha256::new();
    let mut block = vec![0; BLOCK];
    let mut read = 0;
    loop {
        match file.read(&mut block)? {
            0 => return Ok(hexadecimal(&hasher.finalize())),
            length => {
                hasher.update(&block[..length]);
                read += length as u64;
                on_read(read);
            }
        }
    }
}

/// The digest of a folder's files: that of the lines `DIGEST  NAME`, in the order of the names, as `sha256sum *` prints.
pub(crate) fn of_folder(folder: &Path) -> io::Result<String> {
    let mut names: Vec<_> =
        folder.read_dir()?.map(|entry| entry.map(|entry| entry.file_name())).collect::<Result<_, _>>()?;
    names.sort();
    let mut hasher = Sha256::new();
    for name in names {
        let digest = of_file(&folder.join(&name), &mut |_| {})?;
        hasher.update(format!("{digest}  {}\n", name.to_string_lossy()));
    }
    Ok(hexadecimal(&hasher.finalize()))
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
