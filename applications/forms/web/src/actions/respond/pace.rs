//! How often respondents, who have no account, may begin and send files.

use enza_kernel::time::Timestamp;
use enza_runtime::seams::store::SessionId;
use enza_server::access::{Address, Rate, RateLimiter};
use enza_server::problem::Problem;

/// For beginning interviews by one link from one address, behind which a whole school may sit: sixty at once, then one a
/// second.
const LINK: Rate = Rate { burst: 60, every: 1_000 };
/// For files in one interview: twenty at once, then two a minute.
const UPLOAD: Rate = Rate { burst: 20, every: 30_000 };

/// Counts an interview that is begun by a link, or says how long to wait. An address that is not known is not counted.
pub fn count_beginning(tries: &RateLimiter, link: &str, from: &Address, now: Timestamp) -> Result<(), Problem> {
    match from.network() {
        Some(network) => tries.count(format!("link {network} {link}"), LINK, now),
        None => Ok(()),
    }
}

/// Counts a file that is sent in an interview, or says how long to wait.
pub(super) fn count_upload(tries: &RateLimiter, session: &SessionId, now: Timestamp) -> Result<(), Problem> {
    tries.count(format!("upload {session}"), UPLOAD, now)
}
