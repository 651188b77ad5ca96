//! Serving: listens until it is told to stop, and then stops in order.
//!
//! Nobody keeps the others out by holding connections: a request's head has to be there in time, a connection between two
//! requests is not kept for ever, a client that takes nothing more is let go, and there is a most of connections, in all
//! and for each address (`slots`). A live stream is an answer that is still being given and is left alone.
//!
//! On the word to stop no new connection is taken, live streams end so that their watchers go elsewhere or come back,
//! requests under way are finished within `GRACE`. Closing the engine afterwards belongs to whoever started it.

mod slots;
mod timed_stream;

use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::time::Duration;

use axum::Router;
use axum::extract::ConnectInfo;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tower::ServiceExt as _;

use crate::router;
use crate::state::AppState;
pub use slots::{Connections, ServiceLevel};
use slots::{Slot, Slots};
use timed_stream::TimedStream;

/// How long requests under way may take once the word to stop was given.
const GRACE: Duration = Duration::from_secs(10);
/// How long to wait before connections are taken again after the system had none to give.
const PAUSE: Duration = Duration::from_millis(100);
/// How long the head of a request may take where there is no more room: only a check comes through there.
const CHECK: Duration = Duration::from_secs(2);

/// Serves until `stop` comes.
pub async fn serve(
    listener: TcpListener,
    app: AppState,
    stop: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
    let router = router(app.clone());
    let slots = Slots::new(*app.connections());
    // Nothing is ever sent: who holds an end is still there.
    let (alive, mut all_gone) = mpsc::channel::<Infallible>(1);
    let mut stop = pin!(stop);
    loop {
        let accepted = tokio::select! {
            () = &mut stop => break,
            accepted = listener.accept() => accepted,
        };
        match accepted {
            Ok((stream, peer)) => {
                let slot = slots.take(peer.ip(), app.proxies().has(peer.ip()));
                tokio::spawn(attend(stream, peer, slot, router.clone(), app.clone(), alive.clone()));
            }
            Err(why) if is_of_one_connection(&why) => {}
            Err(why) => {
                tracing::error!(%why, "no connection could be taken");
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
    app.close();
    drop((listener, alive));
    let _ = tokio::time::timeout(GRACE, all_gone.recv()).await;
    Ok(())
}

/// Answers the requests of one connection, until either side ends it.
async fn attend(
    stream: TcpStream,
    peer: SocketAddr,
    slot: Slot,
    router: Router,
    app: AppState,
    alive: mpsc::Sender<Infallible>,
) {
    let (room, pushed_out) = (slot.service_level(), slot.evicted());
    let limits = app.connections();
    let service = router.map_request(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(ConnectInfo(peer));
        request.extensions_mut().insert(room);
        request
    });
    let io = TokioIo::new(TimedStream::new(stream, limits.stalled, (slot, alive)));
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new());
    match room {
        ServiceLevel::Usual => http.header_read_timeout(limits.silence),
        ServiceLevel::ForChecks => http.header_read_timeout(CHECK.min(limits.silence)).keep_alive(false),
    };
    let mut serving = pin!(http.serve_connection(io, TowerToHyperService::new(service)).with_upgrades());
    let mut closed = pin!(app.closed());
    let mut is_closing = false;
    loop {
        tokio::select! {
            // How a connection ended is the business of whoever had it.
            _ = &mut serving => return,
            () = &mut closed, if !is_closing => {
                is_closing = true;
                serving.as_mut().graceful_shutdown();
            }
            () = pushed_out.notified() => return,
        }
    }
}

/// Whether only the connection that was about to be taken is gone.
fn is_of_one_connection(why: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(why.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}
