//! Cookies that say who a browser is: of one that is signed in, and those of parts. No script can read them, no other site
//! can send them with a form.
//!
//! Where people reach us over TLS they are only ever sent so, and their names begin with `__Host-`: browsers take such a
//! cookie from this very host alone, so that a neighbour under the same domain can plant none.

use axum::http::header::COOKIE;
use axum::http::{HeaderMap, HeaderValue};

use super::{Channel, Secret};

/// How long a browser stays signed in, in seconds.
pub const SIGNED_IN_FOR: u64 = 30 * 24 * 60 * 60;

/// The name of the cookie of a browser that is signed in.
const SIGNED_IN: &str = "enza";
/// The one path that browsers take with a name that begins with `__Host-`.
const EVERYWHERE: &str = "/";

/// The secret of a browser that is signed in.
pub(super) fn signed_in(headers: &HeaderMap, channel: Channel) -> Option<&str> {
    read(headers, &name(channel, SIGNED_IN))
}

/// Gives a browser its cookie.
pub fn set(channel: Channel, secret: &Secret) -> HeaderValue {
    write(channel, &name(channel, SIGNED_IN), secret.reveal(), EVERYWHERE, SIGNED_IN_FOR)
}

/// Takes it away.
pub fn clear(channel: Channel) -> HeaderValue {
    write(channel, &name(channel, SIGNED_IN), "", EVERYWHERE, 0)
}

/// What a cookie is called over a channel that is `plain` where what is sent can be read on its way.
pub fn name(channel: Channel, plain: &str) -> String {
    match channel {
        Channel::Plain => plain.to_owned(),
        Channel::Tls => format!("__Host-{plain}"),
    }
}

/// What a cookie of this name holds.
pub fn read<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let all = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = all.flat_map(|value| value.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(known, _)| *known == name).map(|(_, value)| value)
}

/// A cookie for a path and what is below it. Name, content and path are ASCII of ours.
pub fn write(channel: Channel, name: &str, content: &str, path: &str, seconds: u64) -> HeaderValue {
    let secure = match channel {
        Channel::Plain => "",
        Channel::Tls => "; Secure",
    };
    let text = format!("{name}={content}; Path={path}; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}");
    let mut value = HeaderValue::try_from(text).expect("a cookie of ours is plain ASCII");
    value.set_sensitive(true);
    value
}
