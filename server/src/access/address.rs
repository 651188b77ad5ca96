//! Where a request comes from, as far as that is known.
//!
//! It is the address at the other end of the connection. A proxy on this very machine is believed when it says for whom
//! it asks; nobody else is, since anyone can write such a header.

use std::convert::Infallible;
use std::fmt;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::HeaderMap;
use axum::http::request::Parts;

/// An address; none where it is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Address(pub Option<IpAddr>);

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
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip());
        let proxy = peer.filter(|peer| peer.to_canonical().is_loopback());
        Ok(Self(proxy.and_then(|_| said_by_proxy(&parts.headers)).or(peer)))
    }
}

/// The last address that was added to the header: the one that the proxy saw itself.
fn said_by_proxy(headers: &HeaderMap) -> Option<IpAddr> {
    let last = headers.get_all("x-forwarded-for").iter().next_back()?;
    last.to_str().ok()?.rsplit(',').next()?.trim().parse().ok()
}
