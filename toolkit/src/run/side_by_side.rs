//! Futures side by side on the task of the caller.
//!
//! Of the hundreds of calls that a turn may have, one comes on at a time: to poll all of them each time would take the
//! square of the time. So each has a waker of its own, which says which one it is, and is polled when that was woken.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::task::{Context, Poll, Wake, Waker};

/// A future that ends when it has done what it is there for.
pub(super) type Work<'a> = Pin<Box<dyn Future<Output = ()> + Send + 'a>>;

/// Drives all of them to their ends. They begin in their order; each is dropped as soon as it has ended.
pub(super) async fn side_by_side(mut works: Vec<Work<'_>>) {
    if let [only] = works.as_mut_slice() {
        return only.await;
    }
    let woken: Arc<Mutex<Woken>> = Arc::default();
    let mark = |place| Arc::new(Mark { place, is_woken: AtomicBool::new(true), woken: Arc::downgrade(&woken) });
    let mut works: Vec<_> = works.into_iter().enumerate().map(|(place, work)| (mark(place), Some(work))).collect();
    lock(&woken).places = (0..works.len()).collect();
    let mut left = works.len();
    poll_fn(|task| {
        let places = {
            let mut woken = lock(&woken);
            woken.task = Some(task.waker().clone());
            std::mem::take(&mut woken.places)
        };
        for place in places {
            let Some((mark, slot)) = works.get_mut(place) else { continue };
            let Some(work) = slot else { continue };
            // Before it is polled, so that who wakes it meanwhile is heard.
            mark.is_woken.swap(false, Ordering::AcqRel);
            let waker = Waker::from(Arc::clone(mark));
            if work.as_mut().poll(&mut Context::from_waker(&waker)).is_ready() {
                *slot = None;
                left -= 1;
                // Who wakes it now wakes nobody.
                mark.is_woken.store(true, Ordering::Release);
            }
        }
        if left == 0 { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
}

/// Those that were woken since the last time that somebody looked.
#[derive(Default)]
struct Woken {
    places: Vec<usize>,
    /// Who is to look. Taken when he is told, since once is enough.
    task: Option<Waker>,
}

fn lock(woken: &Mutex<Woken>) -> MutexGuard<'_, Woken> {
    woken.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The waker of one. Whoever keeps it keeps nothing else alive.
struct Mark {
    place: usize,
    /// Whether its place is among the woken ones.
    is_woken: AtomicBool,
    woken: Weak<Mutex<Woken>>,
}

impl Wake for Mark {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        let Some(woken) = self.woken.upgrade() else { return };
        if self.is_woken.swap(true, Ordering::AcqRel) {
            return;
        }
        let task = {
            let mut woken = lock(&woken);
            woken.places.push(self.place);
            woken.task.take()
        };
        // Outside of the lock: a waker may be anybody's code.
        if let Some(task) = task {
            task.wake();
        }
    }
}

#[cfg(test)]
mod tests;
