//! A clock that stands still until it is moved.

use std::collections::BTreeMap;
use std::fmt;
use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Wake, Waker};
use std::time::{Duration, Instant};

use crate::executor::{Effects, Wait};

/// The [`Effects`] of an executor whose time is moved by hand. Clones share it.
#[derive(Clone)]
pub struct ManualClock(Arc<Mutex<Hands>>);

struct Hands {
    /// What it was when the clock was made; only times between two readings mean anything.
    start: Instant,
    now: Instant,
    /// Who waits until when, by the order of their coming.
    waiting: BTreeMap<u64, (Instant, Waker)>,
    waits: u64,
}

impl Default for ManualClock {
    fn default() -> Self {
        Self::new()
    }
}

impl ManualClock {
    /// A clock that stands.
    pub fn new() -> Self {
        let now = Instant::now();
        Self(Arc::new(Mutex::new(Hands { start: now, now, waiting: BTreeMap::new(), waits: 0 })))
    }

    /// How far it was moved so far.
    pub fn elapsed(&self) -> Duration {
        let hands = self.hands();
        hands.now.saturating_duration_since(hands.start)
    }

    /// Moves it. Whoever waits for a time up to then is woken. Beyond the end of all time it does not go.
    pub fn advance(&self, by: Duration) {
        let mut hands = self.hands();
        let Some(now) = hands.now.checked_add(by) else { return };
        hands.now = now;
        let due = |(id, (until, _)): (&u64, &(Instant, Waker))| (*until <= now).then_some(*id);
        let due: Vec<u64> = hands.waiting.iter().filter_map(due).collect();
        let woken: Vec<_> = due.iter().filter_map(|id| hands.waiting.remove(id)).collect();
        drop(hands);
        for (_, waker) in woken {
            waker.wake();
        }
    }

    /// How long it is until the first of the waits ends; `None` where nobody waits.
    pub fn next_wait(&self) -> Option<Duration> {
        let hands = self.hands();
        let first = hands.waiting.values().map(|(until, _)| *until).min()?;
        Some(first.saturating_duration_since(hands.now))
    }

    /// Runs a future here and now, and moves the clock to the end of the next wait whenever it waits. `None` where it waits
    /// for something that is no time.
    pub fn run<T>(&self, future: impl Future<Output = T>) -> Option<T> {
        struct Woken(AtomicBool);

        impl Wake for Woken {
            fn wake(self: Arc<Self>) {
                self.0.store(true, Ordering::SeqCst);
            }
        }

        let woken = Arc::new(Woken(AtomicBool::new(false)));
        let waker = Waker::from(Arc::clone(&woken));
        let mut future = pin!(future);
        loop {
            if let Poll::Ready(value) = future.as_mut().poll(&mut Context::from_waker(&waker)) {
                return Some(value);
            }
            // It may have woken itself: then it is its turn again, at the same time.
            if !woken.0.swap(false, Ordering::SeqCst) {
                self.advance(self.next_wait()?);
                woken.0.store(false, Ordering::SeqCst);
            }
        }
    }

    fn hands(&self) -> MutexGuard<'_, Hands> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for ManualClock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ManualClock").field(&self.elapsed()).finish()
    }
}

impl Effects for ManualClock {
    fn now(&self) -> Instant {
        self.hands().now
    }

    fn sleep_until(&self, until: Instant) -> Option<Wait> {
        let mut hands = self.hands();
        hands.waits += 1;
        Some(Box::pin(Sleep { clock: self.clone(), id: hands.waits, until }))
    }
}

/// One wait.
struct Sleep {
    clock: ManualClock,
    id: u64,
    until: Instant,
}

impl Future for Sleep {
    type Output = ();

    fn poll(self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<()> {
        let mut hands = self.clock.hands();
        if hands.now >= self.until {
            return Poll::Ready(());
        }
        hands.waiting.insert(self.id, (self.until, task.waker().clone()));
        Poll::Pending
    }
}

impl Drop for Sleep {
    fn drop(&mut self) {
        let removed = self.clock.hands().waiting.remove(&self.id);
        drop(removed);
    }
}
