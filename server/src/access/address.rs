//! Where a request comes from and over what, as far as that is known.
//!
//! It is the address at the other end of the connection. A proxy that whoever serves has named is believed when it says
//! for whom it asks and over what (`X-Forwarded-For`, `X-Forwarded-Proto`); nobody else is, not even on this machine,
//! since anyone can write such a header.

use std::convert::Infallible;
use std::fmt;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use axum::extract::{ConnectInfo, FromRequestParts, Request};
use axum::http::HeaderMap;
use axum::http::request::Parts;

use crate::state::AppState;

/// An address; none where it is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Address(pub Option<IpAddr>);

/// Whether what is sent can be read on its way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Channel {
    /// It can, as far as we know.
    #[default]
    Plain,
    /// People reach us over TLS.
    Tls,
}

/// How a request came here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RequestSource {
    /// From where.
    pub from: Address,
    /// What browsers are told to keep to.
    pub channel: Channel,
    /// The scheme that the browser used: of its page, if it comes from one of ours.
    pub scheme: &'static str,
}

impl RequestSource {
    /// Reads it off a request.
    pub fn of(app: &AppState, request: &Request) -> Self {
        let headers = request.headers();
        let peer = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip());
        let by_proxy = peer.is_some_and(|peer| app.proxies().has(peer));
        let public = if app.public().starts_with("https://") { "https" } else { "http" };
        let (from, scheme) = match by_proxy {
            true => (forwarded_for(app, headers).or(peer), said_scheme(headers).unwrap_or(public)),
            false => (peer, "http"),
        };
        let channel = if scheme == "https" || public == "https" { Channel::Tls } else { Channel::Plain };
        Self { from: Address(from), channel, scheme }
    }
}

impl Address {
    /// What is counted as one place: an IPv4 address, or the network of an IPv6 one, whose owner has all of it.
    pub fn network(&self) -> Option<IpAddr> {
        self.0.map(|address| match address.to_canonical() {
            IpAddr::V4(four) => IpAddr::V4(four),
            IpAddr::V6(six) => {
                let [a, b, c, d, ..] = six.segments();
                IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
            }
        })
    }
}

impl fmt::Display for Address {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |address| address.to_canonical().fmt(out))
    }
}

impl<S: Sync> FromRequestParts<S> for Address {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(parts.extensions.get::<RequestSource>().map(|arrival| arrival.from).unwrap_or_default())
    }
}

impl<S: Sync> FromRequestParts<S> for Channel {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(parts.extensions.get::<RequestSource>().map(|arrival| arrival.channel).unwrap_or_default())
    }
}

/// The last address in the header that is none of our proxies: the one that the outermost of them saw itself. What stands
/// before it was written by whoever sent the request.
fn forwarded_for(app: &AppState, headers: &HeaderMap) -> Option<IpAddr> {
    let lines = headers.get_all("x-forwarded-for").iter().rev();
    let words = lines.flat_map(|line| line.to_str().unwrap_or("").rsplit(','));
    let mut last = None;
    for word in words {
        // A word that is no address hides what stands before it: nobody knows who wrote that.
        let Some(address) = read_address(word.trim()) else { break };
        last = Some(address);
        if !app.proxies().has(address) {
            break;
        }
    }
    last
}

/// Some proxies write the port too.
fn read_address(word: &str) -> Option<IpAddr> {
    word.parse().ok().or_else(|| word.parse::<SocketAddr>().ok().map(|socket| socket.ip()))
}

fn said_scheme(headers: &HeaderMap) -> Option<&'static str> {
    let last = headers.get_all("x-forwarded-proto").iter().next_back()?.to_str().ok()?;
    match last.rsplit(',').next()?.trim() {
        "https" => Some("https"),
        "http" => Some("http"),
        _ => None,
    }
}
