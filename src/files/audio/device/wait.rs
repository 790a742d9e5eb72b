//! Waiting for an answer of the sound server, but not for ever.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

/// Wakes the thread that waits.
struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// The value of a future; `None` if it takes longer than `most`.
pub(super) fn wait<T>(future: impl Future<Output = T>, most: Duration) -> Option<T> {
    let mut future = pin!(future);
    let waker = Arc::new(Unpark(thread::current())).into();
    let mut context = Context::from_waker(&waker);
    let until = Instant::now() + most;
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut context) {
            return Some(value);
        }
        thread::park_timeout(until.checked_duration_since(Instant::now())?);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_that_does_not_come_is_not_waited_for() {
        assert_eq!(wait(std::future::ready(3), Duration::ZERO), Some(3));
        assert_eq!(wait(std::future::pending::<i32>(), Duration::from_millis(20)), None);
    }
}
