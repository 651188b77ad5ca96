//! The cookie of a browser that is signed in: no script can read it, no other site can send it with a form.

use axum::http::HeaderValue;

use super::Secret;
use super::door::COOKIE_NAME;
use crate::house::House;

/// How long a browser stays signed in, in seconds.
pub const SIGNED_IN_FOR: u64 = 30 * 24 * 60 * 60;

/// Gives a browser its cookie.
pub fn give(house: &House, secret: &Secret) -> HeaderValue {
    cookie(house, secret.reveal(), SIGNED_IN_FOR)
}

/// Takes it away.
pub fn take_away(house: &House) -> HeaderValue {
    cookie(house, "", 0)
}

fn cookie(house: &House, content: &str, seconds: u64) -> HeaderValue {
    let secure = if house.public().starts_with("https://") { "; Secure" } else { "" };
    let text = format!("{COOKIE_NAME}={content}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}");
    let mut value = HeaderValue::try_from(text).expect("a cookie of ours is plain ASCII");
    value.set_sensitive(true);
    value
}
