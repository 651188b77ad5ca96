//! The ground the server stands on: the address it listens on, and the one people reach it by.
//!
//! Without accounts anyone who reaches the server is let near the owner's sessions by one secret alone, so it listens
//! on this machine and nowhere else.

use std::net::SocketAddr;

use tokio::net::{TcpListener, lookup_host};

use crate::arguments::Serve;
use crate::trouble::Trouble;

/// Where the server stands.
#[derive(Debug)]
pub struct ListenAddress {
    /// What takes connections.
    pub listener: TcpListener,
    pub address: SocketAddr,
    /// How people reach it, without a slash at the end.
    pub public: String,
}

impl ListenAddress {
    /// Takes the address that was typed.
    pub async fn take(order: &Serve) -> Result<Self, Trouble> {
        let trouble = |why: std::io::Error| Trouble::Address { address: order.listen.clone(), why: why.to_string() };
        let found: Vec<_> = lookup_host(&order.listen).await.map_err(trouble)?.collect();
        if !order.accounts && found.iter().any(|address| !address.ip().is_loopback()) {
            return Err(Trouble::AccountsNeeded { address: order.listen.clone() });
        }
        let listener = TcpListener::bind(&found[..]).await.map_err(trouble)?;
        let address = listener.local_addr().map_err(trouble)?;
        let public = match &order.public {
            Some(url) => read_public(url)?,
            None => format!("http://{address}"),
        };
        Ok(Self { listener, address, public })
    }
}

/// An address as one types it into a browser: scheme and host, no path.
pub fn read_public(url: &str) -> Result<String, Trouble> {
    let bare = url.trim_end_matches('/');
    let host = bare.strip_prefix("https://").or_else(|| bare.strip_prefix("http://")).unwrap_or("");
    let is_sound = !host.is_empty() && !host.contains(['/', '?', '#', '@', ' ']);
    if is_sound { Ok(bare.to_owned()) } else { Err(Trouble::PublicUnfit { url: url.to_owned() }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(listen: &str, accounts: bool) -> Serve {
        Serve { listen: listen.to_owned(), accounts, ..Serve::default() }
    }

    #[tokio::test]
    async fn without_accounts_it_stands_on_this_machine_alone() {
        for listen in ["0.0.0.0:0", "[::]:0"] {
            let refused = ListenAddress::take(&order(listen, false)).await;
            assert!(matches!(refused, Err(Trouble::AccountsNeeded { .. })), "{listen}: {refused:?}");
        }
        let here = ListenAddress::take(&order("127.0.0.1:0", false)).await.unwrap();
        assert_eq!(here.public, format!("http://{}", here.address));
        assert!(ListenAddress::take(&order("0.0.0.0:0", true)).await.is_ok());
    }

    #[tokio::test]
    async fn an_address_that_is_taken_or_none_is_told() {
        let first = ListenAddress::take(&order("127.0.0.1:0", false)).await.unwrap();
        let taken = ListenAddress::take(&order(&first.address.to_string(), false)).await;
        assert!(matches!(taken, Err(Trouble::Address { .. })), "{taken:?}");
        let none = ListenAddress::take(&order("nowhere", false)).await;
        assert!(matches!(none, Err(Trouble::Address { .. })), "{none:?}");
    }

    #[test]
    fn the_public_address_is_a_scheme_and_a_host() {
        assert_eq!(read_public("https://enza.example/").unwrap(), "https://enza.example");
        for wrong in ["enza.example", "https://", "https://enza.example/path", "ftp://enza.example"] {
            assert!(read_public(wrong).is_err(), "{wrong}");
        }
    }
}
