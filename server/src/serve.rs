//! Serving: listens until it is told to stop, and then stops in order.
//!
//! On the word to stop no new connection is taken, live streams end so that their watchers go elsewhere or come back,
//! requests under way are finished within `GRACE`. Closing the engine afterwards belongs to whoever started it.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use tokio::net::TcpListener;

use crate::house::House;
use crate::router;

/// How long requests under way may take once the word to stop was given.
const GRACE: Duration = Duration::from_secs(10);

/// Serves until `stop` comes.
pub async fn serve(
    listener: TcpListener,
    house: House,
    stop: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
    let service = router(house.clone()).into_make_service_with_connect_info::<SocketAddr>();
    let closing = house.clone();
    let stopped = house.closed();
    let serving = axum::serve(listener, service).with_graceful_shutdown(async move {
        stop.await;
        closing.close();
    });
    tokio::select! {
        served = serving.into_future() => served,
        () = async { stopped.await; tokio::time::sleep(GRACE).await; } => Ok(()),
    }
}
