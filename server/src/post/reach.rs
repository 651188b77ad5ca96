//! Which addresses a submission may be sent to.
//!
//! Whoever makes a form chooses where the server connects to, so in a house with many people an address inside its
//! network is refused: this machine, private and link-local ranges, and whatever stands for them in IPv6. Names are
//! looked up here and connected to as they were found, so that a name cannot change its mind in between.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

/// How far the house reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// To addresses of the public internet alone.
    Public,
    /// To any address.
    Anywhere,
}

impl Reach {
    /// Whether it reaches this address.
    pub fn includes(self, address: IpAddr) -> bool {
        match self {
            Self::Anywhere => true,
            Self::Public => match address {
                IpAddr::V4(four) => is_public(four),
                IpAddr::V6(six) => is_public_six(six),
            },
        }
    }
}

/// The name leads to an address that is out of reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the name leads to an address inside the network of the server")]
pub(super) struct OutOfReach;

/// Looks names up, and refuses those that lead inside.
#[derive(Debug, Clone, Copy)]
pub(super) struct Guide(pub Reach);

impl Resolve for Guide {
    fn resolve(&self, name: Name) -> Resolving {
        let reach = self.0;
        Box::pin(async move {
            let found: Vec<SocketAddr> = tokio::net::lookup_host((name.as_str(), 0)).await?.collect();
            if !found.iter().all(|address| reach.includes(address.ip())) {
                return Err(OutOfReach.into());
            }
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}

fn is_public(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let is_inside = address.is_loopback() || address.is_private() || address.is_link_local();
    let is_nobodys =
        a == 0 || address.is_broadcast() || address.is_multicast() || address.is_documentation() || a >= 240;
    // Shared by carriers, for protocols, for benchmarks.
    let is_special = (a == 100 && (64..128).contains(&b)) || (a, b, c) == (192, 0, 0) || (a == 198 && b & 0xfe == 18);
    !is_inside && !is_nobodys && !is_special
}

fn is_public_six(address: Ipv6Addr) -> bool {
    let [a, b, c, ..] = address.segments();
    let [.., last, least] = address.segments();
    let embedded = |high: u16, low: u16| is_public(Ipv4Addr::from((u32::from(high) << 16) | u32::from(low)));
    if let Some(four) = address.to_ipv4_mapped() {
        return is_public(four);
    }
    match (a, b) {
        // NAT64 and 6to4 carry an address of four parts.
        (0x64, 0xff9b) => embedded(last, least),
        (0x2002, _) => embedded(b, c),
        // Teredo, and what is for books.
        (0x2001, 0 | 0xdb8) => false,
        // What is given out begins with 2 or 3; everything else is inside, for many, or nobody's.
        _ => a & 0xe000 == 0x2000,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_public_internet_is_in_reach() {
        let inside = [
            "127.0.0.1",
            "10.1.2.3",
            "172.16.0.1",
            "192.168.1.1",
            "169.254.169.254",
            "0.0.0.0",
            "100.64.0.1",
            "198.18.0.1",
            "192.0.0.8",
            "224.0.0.1",
            "255.255.255.255",
            "203.0.113.7",
            "::1",
            "::",
            "fe80::1",
            "fc00::1",
            "fd12::1",
            "ff02::1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "64:ff9b::7f00:1",
            "2002:7f00:1::",
            "2001:db8::1",
            "2001::1",
            "::7f00:1",
        ];
        let outside =
            ["1.1.1.1", "93.184.216.34", "172.32.0.1", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"];
        let reached = |list: &[&str]| -> Vec<String> {
            let all = list.iter().map(|text| (text.parse().expect("an address"), *text));
            all.filter(|(address, _)| Reach::Public.includes(*address)).map(|(_, text)| text.to_owned()).collect()
        };
        assert_eq!(reached(&inside), Vec::<String>::new());
        assert_eq!(reached(&outside), outside);
        assert!(Reach::Anywhere.includes("127.0.0.1".parse().expect("an address")));
    }
}
