//! A connection's two directions of bytes, which give up on whoever takes nothing more.
//!
//! An answer that nobody reads would otherwise wait for as long as the other side likes, and its connection with it. What
//! comes along (the connection's slot) is let go together with the stream, also where it has become a WebSocket's.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep};

/// A connection.
pub struct TimedStream<H> {
    stream: TcpStream,
    /// How long nothing may be taken that is there to be sent.
    patience: Duration,
    /// Runs while something waits to be sent.
    waiting: Option<Pin<Box<Sleep>>>,
    _held: H,
}

impl<H> TimedStream<H> {
    pub fn new(stream: TcpStream, patience: Duration, held: H) -> Self {
        Self { stream, patience, waiting: None, _held: held }
    }

    /// What became of sending, or that it has waited for too long.
    fn in_time<T>(&mut self, sent: Poll<io::Result<T>>, context: &mut Context<'_>) -> Poll<io::Result<T>> {
        if sent.is_ready() {
            self.waiting = None;
            return sent;
        }
        let patience = self.patience;
        let waiting = self.waiting.get_or_insert_with(|| Box::pin(sleep(patience)));
        waiting.as_mut().poll(context).map(|()| Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<H: Unpin> AsyncRead for TimedStream<H> {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, into)
    }
}

impl<H: Unpin> AsyncWrite for TimedStream<H> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let sent = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.in_time(sent, context)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let sent = Pin::new(&mut self.stream).poll_flush(context);
        self.in_time(sent, context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let sent = Pin::new(&mut self.stream).poll_shutdown(context);
        self.in_time(sent, context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let sent = Pin::new(&mut self.stream).poll_write_vectored(context, pieces);
        self.in_time(sent, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}
