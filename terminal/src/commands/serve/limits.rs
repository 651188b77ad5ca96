//! How many connections the server takes, and whose word about them it believes, from what was typed and what the system
//! gives.

use enza_server::Connections;
use enza_server::access::Proxies;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::arguments::Serve;
use crate::trouble::Trouble;

/// Open files that are left for everything but connections: the database, models' servers, logs, files on their way, and
/// the room for checks.
const FOR_THE_REST: u64 = 192;
/// The fewest connections that a server is of any use with.
const FEWEST: usize = 16;

/// The limits of connections. The system's limit of open files is raised as far as it allows; where it has less room than
/// was asked for, fewer connections are taken, since a server that has no file left takes none at all.
pub fn connections(order: &Serve) -> Connections {
    let usual = Connections::default();
    let asked = order.connections.unwrap_or(usual.in_all).max(FEWEST);
    let in_all = match raise_open_files() {
        Some(files) => asked.min(room_in(files)),
        None => asked,
    };
    if in_all < asked {
        tracing::warn!(asked, in_all, "the limit of open files has room for fewer connections; raise it (ulimit -n)");
    }
    let per_address = order.connections_per_address.unwrap_or(usual.per_address).max(1);
    Connections { in_all, per_address, ..usual }
}

/// The proxies that were named.
pub fn proxies(order: &Serve) -> Result<Proxies, Trouble> {
    let read = |typed: &String| typed.trim().parse().map_err(|_| Trouble::ProxyUnfit { typed: typed.clone() });
    Ok(Proxies::of(order.proxy.iter().map(read).collect::<Result<Vec<_>, _>>()?))
}

fn room_in(files: u64) -> usize {
    usize::try_from(files.saturating_sub(FOR_THE_REST)).unwrap_or(usize::MAX).max(FEWEST)
}

/// Raises the limit of open files to the most that is allowed, and says it; none where there is no limit.
fn raise_open_files() -> Option<u64> {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    match setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum }) {
        Ok(()) => maximum,
        // Some systems say that there is no limit and allow less all the same.
        Err(_) => current,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_files_are_left_for_the_rest() {
        assert_eq!([1_024, 100, 0].map(room_in), [832, 16, 16]);
    }

    #[test]
    fn a_proxy_is_named_in_numbers() {
        let named = |proxy: &[&str]| {
            let proxy = proxy.iter().map(|one| (*one).to_owned()).collect();
            proxies(&Serve { proxy, ..Serve::default() })
        };
        assert!(named(&["127.0.0.1", "10.0.0.0/8"]).is_ok_and(|proxies| proxies.has([10, 1, 2, 3].into())));
        let unfit = named(&["127.0.0.1", "proxy.example"]);
        assert!(matches!(&unfit, Err(Trouble::ProxyUnfit { typed }) if typed == "proxy.example"), "{unfit:?}");
    }
}
