//! Reading the files of `data/`: a fault names the file, the key and the language, so that whoever edits a file finds it.

use std::fmt;

use enza_kernel::text::Lang;
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// What is wrong with a file of data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataFault {
    pub file: String,
    /// The key within the file, where the fault has one.
    pub key: Option<String>,
    /// The language, where only one of them is at fault.
    pub lang: Option<Lang>,
    /// What is wrong, for whoever edits the file.
    pub why: String,
}

impl DataFault {
    /// A fault of the file as a whole.
    pub(crate) fn of_file(file: &str, why: impl fmt::Display) -> Self {
        Self { file: file.to_owned(), key: None, lang: None, why: why.to_string() }
    }

    /// A fault of one entry.
    pub(crate) fn of_key(file: &str, key: &str, why: impl fmt::Display) -> Self {
        Self { key: Some(key.to_owned()), ..Self::of_file(file, why) }
    }

    /// A fault of one entry in one language.
    pub(crate) fn of_lang(file: &str, key: &str, lang: Lang, why: impl fmt::Display) -> Self {
        Self { lang: Some(lang), ..Self::of_key(file, key, why) }
    }
}

impl fmt::Display for DataFault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.file)?;
        if let Some(key) = &self.key {
            write!(out, ", {key}")?;
        }
        if let Some(lang) = self.lang {
            write!(out, " ({lang})")?;
        }
        write!(out, ": {}", self.why)
    }
}

impl std::error::Error for DataFault {}

/// A file of data as what it describes.
pub(crate) fn read<T: DeserializeOwned>(file: &str, text: &str) -> Result<T, DataFault> {
    toml::from_str(text).map_err(|why| DataFault::of_file(file, why))
}

/// What is compiled in, which the tests of this crate hold sound.
pub(crate) fn sound<T>(read: Result<T, DataFault>) -> T {
    read.unwrap_or_else(|fault| panic!("{fault}"))
}

/// Something in both languages.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Both<T> {
    pub(crate) ja: T,
    pub(crate) en: T,
}

impl<T> Both<T> {
    /// In one language.
    pub(crate) fn pick(&self, lang: Lang) -> &T {
        lang.pick(&self.ja, &self.en)
    }
}
