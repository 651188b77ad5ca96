//! What models cost: a table with dates, which the user can put another before.
//!
//! Prices are in US dollars for a million tokens, as providers print them. A model is named exactly, or by a beginning
//! that ends with `*`; of several that fit, the longest counts, and the user's before ours. A model that is not in the
//! table has no price, and its cost is not known: better than a guess that looks like a fact.

use enza_kernel::budget::Price;
use serde::Deserialize;

const BUILT_IN: &str = include_str!("../prices.toml");

/// The table of prices.
#[derive(Debug, Clone, PartialEq)]
pub struct Prices {
    /// The user's, then ours.
    tables: Vec<Vec<Entry>>,
}

/// A line of the table.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    pub provider: String,
    /// The model, or the beginning of its name and `*`.
    pub model: String,
    /// When the price was looked up, as `2026-11-16`; it may have changed since.
    pub as_of: String,
    input: f64,
    output: f64,
    /// Where nothing is said, reading from the cache costs what reading does.
    cache_read: Option<f64>,
    /// Where nothing is said, writing to the cache costs what reading does.
    cache_write: Option<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    #[serde(default)]
    price: Vec<Entry>,
}

/// A table of prices that cannot be used. Mend it; the message names the line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the prices cannot be used: {0}")]
pub struct PriceError(String);

impl Prices {
    /// The table that comes with Enza.
    pub fn built_in() -> Self {
        let ours = read(BUILT_IN).expect("a test reads the built-in prices");
        Self { tables: vec![ours] }
    }

    /// The table that comes with Enza, behind the user's.
    pub fn with_overrides(toml: &str) -> Result<Self, PriceError> {
        let mut prices = Self::built_in();
        prices.tables.insert(0, read(toml)?);
        Ok(prices)
    }

    /// The price of a model, if it is known.
    pub fn find(&self, provider: &str, model: &str) -> Option<Price> {
        self.entry(provider, model).map(Entry::price)
    }

    /// The line that holds for a model, with its date.
    pub fn entry(&self, provider: &str, model: &str) -> Option<&Entry> {
        let best = |table: &'_ Vec<Entry>| -> Option<usize> {
            let fitting = table.iter().enumerate().filter(|(_, entry)| entry.provider == provider && entry.fits(model));
            fitting.max_by_key(|(_, entry)| entry.firmness()).map(|(place, _)| place)
        };
        self.tables.iter().find_map(|table| best(table).map(|place| &table[place]))
    }
}

impl Entry {
    /// The price in the kernel's unit.
    pub fn price(&self) -> Price {
        Price {
            input_per_million: millionths(self.input),
            output_per_million: millionths(self.output),
            cache_read_per_million: millionths(self.cache_read.unwrap_or(self.input)),
            cache_write_per_million: millionths(self.cache_write.unwrap_or(self.input)),
        }
    }

    fn fits(&self, model: &str) -> bool {
        match self.model.strip_suffix('*') {
            Some(beginning) => model.starts_with(beginning),
            None => model == self.model,
        }
    }

    /// An exact name is firmer than any beginning, and a longer beginning than a shorter one.
    fn firmness(&self) -> usize {
        if self.model.ends_with('*') { self.model.len() } else { usize::MAX }
    }

    fn check(&self) -> Result<(), PriceError> {
        let all = [Some(self.input), Some(self.output), self.cache_read, self.cache_write];
        let is_price = |price: f64| price.is_finite() && (0.0..=1e6).contains(&price);
        if all.into_iter().flatten().all(is_price) {
            return Ok(());
        }
        Err(PriceError(format!("{}/{} has a price that is none", self.provider, self.model)))
    }
}

fn read(toml: &str) -> Result<Vec<Entry>, PriceError> {
    let table: Table = toml::from_str(toml).map_err(|why| PriceError(why.to_string()))?;
    table.price.iter().try_for_each(Entry::check)?;
    Ok(table.price)
}

fn millionths(dollars: f64) -> u64 {
    (dollars * 1e6).round() as u64
}
