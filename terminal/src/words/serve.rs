//! What is said around the server.

use enza_kernel::text::{Lang, Said};

use super::words;

/// The one line with the address.
pub fn ready(lang: Lang, address: &str) -> String {
    words(lang).fill("serve.ready", &[("address", &address)])
}

/// Nobody but the understudy plays.
pub fn understudy(lang: Lang) -> &'static str {
    words(lang).say("serve.understudy")
}

/// A one-time link.
pub fn link(lang: Lang, name: &str, address: &str) -> String {
    words(lang).fill("serve.link", &[("name", &name), ("address", &address)])
}

/// The server cannot listen there.
pub fn address(lang: Lang, address: &str, why: &str) -> Said {
    words(lang).said("serve.address", &[("address", &address), ("why", &why)])
}

/// The server would be open to other machines without accounts.
pub fn accounts_needed(lang: Lang, address: &str) -> Said {
    words(lang).said("serve.accounts_needed", &[("address", &address)])
}

/// The public address is none.
pub fn public_unfit(lang: Lang, url: &str) -> Said {
    words(lang).said("serve.public_unfit", &[("url", &url)])
}

/// A proxy's address is none.
pub fn proxy_unfit(lang: Lang, typed: &str) -> Said {
    words(lang).said("serve.proxy_unfit", &[("typed", &typed)])
}

/// The level of logs is none.
pub fn log_level(lang: Lang, level: &str) -> Said {
    words(lang).said("serve.log_level", &[("level", &level)])
}

/// This build sends no traces.
pub fn no_traces(lang: Lang) -> Said {
    words(lang).said("serve.no_traces", &[])
}

/// There is nobody of that name.
pub fn no_person(lang: Lang, name: &str) -> Said {
    words(lang).said("serve.no_person", &[("name", &name)])
}
