//! The proxies that whoever serves has named, by address or by network.

use std::net::IpAddr;
use std::str::FromStr;

/// The proxies whose word about a request counts. None where none was named.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Proxies(Vec<Network>);

/// An address, or a network of them: `192.0.2.7`, `10.0.0.0/8`, `::1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Network {
    address: IpAddr,
    bits: u32,
}

/// What was typed is neither an address nor a network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoNetwork;

impl Proxies {
    /// These.
    pub fn of(networks: impl IntoIterator<Item = Network>) -> Self {
        Self(networks.into_iter().collect())
    }

    /// Whether an address is one of theirs.
    pub fn has(&self, address: IpAddr) -> bool {
        self.0.iter().any(|network| network.has(address))
    }
}

impl Network {
    fn has(self, address: IpAddr) -> bool {
        match (self.address, address.to_canonical()) {
            (IpAddr::V4(ours), IpAddr::V4(theirs)) => {
                same_beginning(u128::from(ours.to_bits()) << 96, u128::from(theirs.to_bits()) << 96, self.bits)
            }
            (IpAddr::V6(ours), IpAddr::V6(theirs)) => same_beginning(ours.to_bits(), theirs.to_bits(), self.bits),
            (IpAddr::V4(_), IpAddr::V6(_)) | (IpAddr::V6(_), IpAddr::V4(_)) => false,
        }
    }
}

fn same_beginning(ours: u128, theirs: u128, bits: u32) -> bool {
    (ours ^ theirs).leading_zeros() >= bits
}

impl FromStr for Network {
    type Err = NoNetwork;

    fn from_str(typed: &str) -> Result<Self, NoNetwork> {
        let (address, bits) = match typed.split_once('/') {
            Some((address, bits)) => (address, Some(bits.parse::<u32>().map_err(|_| NoNetwork)?)),
            None => (typed, None),
        };
        let address = address.parse::<IpAddr>().map_err(|_| NoNetwork)?.to_canonical();
        let all = if address.is_ipv4() { 32 } else { 128 };
        let bits = bits.unwrap_or(all);
        if bits <= all { Ok(Self { address, bits }) } else { Err(NoNetwork) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_has_what_begins_like_it() {
        let cases = [
            ("192.0.2.7", "192.0.2.7", true),
            ("192.0.2.7", "192.0.2.8", false),
            ("192.0.2.7", "::ffff:192.0.2.7", true),
            ("10.0.0.0/8", "10.255.0.1", true),
            ("10.0.0.0/8", "11.0.0.1", false),
            ("172.16.0.0/12", "172.31.255.255", true),
            ("172.16.0.0/12", "172.32.0.0", false),
            ("0.0.0.0/0", "203.0.113.9", true),
            ("0.0.0.0/0", "2001:db8::1", false),
            ("::1", "::1", true),
            ("2001:db8::/32", "2001:db8:ffff::1", true),
            ("2001:db8::/32", "2001:db9::1", false),
        ];
        for (network, address, is_in) in cases {
            let proxies = Proxies::of([network.parse().expect("a network")]);
            assert_eq!(proxies.has(address.parse().expect("an address")), is_in, "{network} {address}");
        }
        assert!(!Proxies::default().has("127.0.0.1".parse().expect("an address")), "nobody is believed unnamed");
    }

    #[test]
    fn what_is_no_network_is_refused() {
        for typed in ["", "proxy.example", "10.0.0.0/33", "::1/129", "10.0.0.0/", "10.0.0.0/x", "10.0.0.0/-1"] {
            assert_eq!(typed.parse::<Network>(), Err(NoNetwork), "{typed}");
        }
    }
}
