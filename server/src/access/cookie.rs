//! The cookie of a browser that is signed in: no script can read it, no other site can send it with a form.
//!
//! Where people reach us over TLS it is only ever sent so, and its name begins with `__Host-`: browsers take such a cookie
//! from this very host alone, so that a neighbour under the same domain can plant none.

use axum::http::HeaderValue;

use super::{Channel, Secret};

/// How long a browser stays signed in, in seconds.
pub const SIGNED_IN_FOR: u64 = 30 * 24 * 60 * 60;

/// The name of the cookie.
pub fn name(channel: Channel) -> &'static str {
    match channel {
        Channel::Plain => "enza",
        Channel::Tls => "__Host-enza",
    }
}

/// Gives a browser its cookie.
pub fn set(channel: Channel, secret: &Secret) -> HeaderValue {
    cookie(channel, secret.reveal(), SIGNED_IN_FOR)
}

/// Takes it away.
pub fn clear(channel: Channel) -> HeaderValue {
    cookie(channel, "", 0)
}

fn cookie(channel: Channel, content: &str, seconds: u64) -> HeaderValue {
    let secure = match channel {
        Channel::Plain => "",
        Channel::Tls => "; Secure",
    };
    let name = name(channel);
    let text = format!("{name}={content}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}");
    let mut value = HeaderValue::try_from(text).expect("a cookie of ours is plain ASCII");
    value.set_sensitive(true);
    value
}
