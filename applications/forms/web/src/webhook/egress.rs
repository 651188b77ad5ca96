//! Which addresses a submission may be sent to.
//!
//! Whoever makes a form chooses where the server connects to, so in a house with many people an address inside its
//! network is refused: this machine, private and link-local ranges, what clouds keep for their own machines, and whatever
//! stands for them in IPv6. Names are looked up here and connected to as they were found, so that a name cannot change its
//! mind in between. A translator under a prefix of the network's own is not known here; the guide to serving says so.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

/// How far the house reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EgressPolicy {
    /// To addresses of the public internet alone.
    Public,
    /// To any address.
    Anywhere,
}

impl EgressPolicy {
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
pub(super) struct EgressDenied;

/// Looks names up, and refuses those that lead inside.
#[derive(Debug, Clone, Copy)]
pub(super) struct EgressResolver(pub EgressPolicy);

impl Resolve for EgressResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let reach = self.0;
        Box::pin(async move {
            let found: Vec<SocketAddr> = tokio::net::lookup_host((name.as_str(), 0)).await?.collect();
            if !found.iter().all(|address| reach.includes(address.ip())) {
                return Err(EgressDenied.into());
            }
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}

/// Public by their figures, and inside by what answers there: services that a cloud's machines reach without a password,
/// such as the one that hands out a machine's secrets. What clouds keep in link-local and private ranges is closed anyway.
const PLATFORMS: [(Ipv4Addr, u32); 5] = [
    // Azure's host: metadata, certificates and extensions of the machine.
    (Ipv4Addr::new(168, 63, 129, 16), 32),
    // IBM Cloud's services for its own machines.
    (Ipv4Addr::new(161, 26, 0, 0), 16),
    (Ipv4Addr::new(166, 8, 0, 0), 14),
    // Google Cloud's interfaces for its own machines.
    (Ipv4Addr::new(199, 36, 153, 0), 24),
    // Relays that would carry a request into IPv6, where nobody looks at it again.
    (Ipv4Addr::new(192, 88, 99, 0), 24),
];

fn is_public(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let is_inside = address.is_loopback() || address.is_private() || address.is_link_local();
    let is_nobodys =
        a == 0 || address.is_broadcast() || address.is_multicast() || address.is_documentation() || a >= 240;
    // Shared by carriers, for protocols, for benchmarks.
    let is_special = (a == 100 && (64..128).contains(&b)) || (a, b, c) == (192, 0, 0) || (a == 198 && b & 0xfe == 18);
    let is_platform = PLATFORMS.iter().any(|(network, length)| {
        let differing = address.to_bits() ^ network.to_bits();
        differing.leading_zeros() >= *length
    });
    !is_inside && !is_nobodys && !is_special && !is_platform
}

fn is_public_six(address: Ipv6Addr) -> bool {
    let [a, b, c, d, e, f, g, h] = address.segments();
    let embedded = || is_public(Ipv4Addr::from((u32::from(g) << 16) | u32::from(h)));
    match [a, b, c, d, e, f] {
        // An address of four parts, and one behind the translator that everybody shares.
        [0, 0, 0, 0, 0, 0xffff] | [0x64, 0xff9b, 0, 0, 0, 0] => embedded(),
        // Tunnels: a relay would decide where the rest of the way goes.
        [0x2002, ..] => false,
        [.., 0 | 0x200, 0x5efe] => false,
        // Protocols, Teredo, benchmarks and what is for books.
        [0x2001, 0..=0x1ff | 0xdb8, ..] => false,
        [0x3fff, 0..=0xfff, ..] => false,
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
            "192.0.0.192",
            "192.88.99.1",
            "169.254.170.2",
            "100.100.100.200",
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
            "::808:808",
            "::ffff:0:8.8.8.8",
            "fd00:ec2::254",
            "fd20:ce::254",
            "64:ff9b:1::808:808",
            "64:ff9b:1:a00:0:100::",
            "2002:808:808::1",
            "2001:2::1",
            "2001:20::1",
            "2001:1ff::1",
            "3fff::1",
            "5f00::1",
            "2606:4700::5efe:808:808",
            "2606:4700::200:5efe:a00:1",
        ];
        let outside = [
            "1.1.1.1",
            "93.184.216.34",
            "172.32.0.1",
            "168.63.129.15",
            "168.63.129.17",
            "161.25.255.255",
            "166.12.0.0",
            "199.36.152.1",
            "2606:4700::1111",
            "2001:4860:4860::8888",
            "::ffff:8.8.8.8",
            "64:ff9b::808:808",
        ];
        assert_eq!(reached(&inside), Vec::<String>::new());
        assert_eq!(reached(&outside), outside);
        assert!(EgressPolicy::Anywhere.includes("127.0.0.1".parse().expect("an address")));
    }

    /// 168.63.129.16 is no private address, and hands out the secrets of every machine in Azure.
    #[test]
    fn a_platform_s_own_addresses_are_closed_in_every_spelling() {
        for platform in ["168.63.129.16", "161.26.0.10", "166.8.14.1", "166.11.255.255", "199.36.153.4", "199.36.153.8"]
        {
            let four: Ipv4Addr = platform.parse().expect("an address");
            let [a, b, c, d] = four.octets().map(u16::from);
            let (high, low) = ((a << 8) | b, (c << 8) | d);
            let spellings = [
                four.to_string(),
                format!("::ffff:{four}"),
                format!("::{four}"),
                format!("::ffff:0:{four}"),
                format!("64:ff9b::{four}"),
                format!("64:ff9b:1::{four}"),
                format!("2002:{high:x}:{low:x}::"),
                format!("2606:4700::5efe:{high:x}:{low:x}"),
            ];
            let spellings: Vec<&str> = spellings.iter().map(String::as_str).collect();
            assert_eq!(reached(&spellings), Vec::<String>::new());
        }
    }

    fn reached(list: &[&str]) -> Vec<String> {
        let all = list.iter().map(|text| (text.parse().expect("an address"), *text));
        all.filter(|(address, _)| EgressPolicy::Public.includes(*address)).map(|(_, text)| text.to_owned()).collect()
    }
}
