use std::sync::atomic::AtomicUsize;

use proptest::prelude::*;

use super::*;

/// Wakes that are counted.
#[derive(Default)]
struct Counter(AtomicUsize);

impl Wake for Counter {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

impl Counter {
    fn count(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}

/// What a test sees of one future, and moves it by.
#[derive(Default)]
struct Seen {
    polls: usize,
    waker: Option<Waker>,
    /// It ends at its next poll.
    ends: bool,
    dropped: bool,
}

#[derive(Default)]
struct Stage(Mutex<Vec<Seen>>, Mutex<Vec<usize>>);

/// Notes that its future was dropped.
struct Guard<'a>(&'a Stage, usize);

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        self.0.with(self.1, |seen| seen.dropped = true);
    }
}

impl Stage {
    fn new(count: usize) -> Self {
        let stage = Self::default();
        stage.0.lock().unwrap().resize_with(count, Seen::default);
        stage
    }

    fn with<T>(&self, place: usize, read: impl FnOnce(&mut Seen) -> T) -> T {
        read(&mut self.0.lock().unwrap()[place])
    }

    fn work(&self, place: usize) -> Work<'_> {
        let guard = Guard(self, place);
        Box::pin(poll_fn(move |task| {
            let Guard(stage, place) = &guard;
            stage.1.lock().unwrap().push(*place);
            stage.with(*place, |seen| {
                seen.polls += 1;
                seen.waker = Some(task.waker().clone());
                if seen.ends { Poll::Ready(()) } else { Poll::Pending }
            })
        }))
    }

    fn all(&self) -> Work<'_> {
        let count = self.0.lock().unwrap().len();
        Box::pin(side_by_side((0..count).map(|place| self.work(place)).collect()))
    }

    fn wake(&self, place: usize) {
        let waker = self.with(place, |seen| seen.waker.clone());
        waker.expect("it was polled").wake();
    }

    fn end(&self, place: usize) {
        self.with(place, |seen| seen.ends = true);
        self.wake(place);
    }

    /// The places in the order of their polls since the last time.
    fn polled(&self) -> Vec<usize> {
        std::mem::take(&mut *self.1.lock().unwrap())
    }

    fn dropped(&self) -> Vec<usize> {
        self.0.lock().unwrap().iter().enumerate().filter(|(_, seen)| seen.dropped).map(|(place, _)| place).collect()
    }
}

fn poll(all: &mut Work<'_>, task: &Arc<Counter>) -> Poll<()> {
    all.as_mut().poll(&mut Context::from_waker(&Waker::from(Arc::clone(task))))
}

#[test]
fn they_begin_in_their_order_and_then_only_the_woken_ones_are_polled() {
    let (stage, task) = (Stage::new(4), Arc::default());
    let mut all = stage.all();
    assert_eq!(poll(&mut all, &task), Poll::Pending);
    assert_eq!((stage.polled(), task.count()), (vec![0, 1, 2, 3], 0));
    stage.end(3);
    stage.wake(1);
    assert_eq!(poll(&mut all, &task), Poll::Pending);
    assert_eq!((stage.polled(), stage.dropped()), (vec![3, 1], vec![3]));
    for place in [0, 1, 2] {
        stage.end(place);
    }
    assert_eq!(poll(&mut all, &task), Poll::Ready(()));
    assert_eq!((stage.polled(), stage.dropped()), (vec![0, 1, 2], vec![0, 1, 2, 3]));
}

#[test]
fn many_wakes_of_one_are_one_poll_and_one_wake_of_the_task() {
    let (stage, task) = (Stage::new(3), Arc::default());
    let mut all = stage.all();
    assert_eq!(poll(&mut all, &task), Poll::Pending);
    for place in [2, 2, 0, 2] {
        stage.wake(place);
    }
    assert_eq!(task.count(), 1);
    stage.polled();
    assert_eq!(poll(&mut all, &task), Poll::Pending);
    assert_eq!(stage.polled(), [2, 0]);
}

#[test]
fn a_poll_of_the_whole_that_nobody_woke_polls_none() {
    let (stage, task) = (Stage::new(3), Arc::default());
    let mut all = stage.all();
    assert_eq!(poll(&mut all, &task), Poll::Pending);
    stage.polled();
    assert_eq!(poll(&mut all, &task), Poll::Pending);
    assert!(stage.polled().is_empty());
}

#[test]
fn a_wake_after_the_end_wakes_nobody() {
    let (stage, task) = (Stage::new(2), Arc::default());
    let mut all = stage.all();
    assert_eq!(poll(&mut all, &task), Poll::Pending);
    stage.end(0);
    assert_eq!(poll(&mut all, &task), Poll::Pending);
    stage.polled();
    let before = task.count();
    stage.wake(0);
    assert_eq!((poll(&mut all, &task), stage.polled()), (Poll::Pending, vec![]));
    stage.end(1);
    assert_eq!(poll(&mut all, &task), Poll::Ready(()));
    drop(all);
    stage.wake(0);
    stage.wake(1);
    assert_eq!(task.count(), before + 1);
}

#[test]
fn one_that_wakes_itself_is_polled_once_a_poll_of_the_whole() {
    let (task, polls) = (Arc::default(), AtomicUsize::new(0));
    let restless = || -> Work<'_> {
        Box::pin(poll_fn(|task| {
            task.waker().wake_by_ref();
            if polls.fetch_add(1, Ordering::Relaxed) < 6 { Poll::Pending } else { Poll::Ready(()) }
        }))
    };
    let mut all: Work<'_> = Box::pin(side_by_side(vec![restless(), restless()]));
    for round in 1..=3 {
        assert_eq!(poll(&mut all, &task), Poll::Pending);
        assert_eq!((polls.load(Ordering::Relaxed), task.count()), (2 * round, round));
    }
    assert_eq!(poll(&mut all, &task), Poll::Ready(()));
}

#[test]
fn the_task_that_polled_last_is_woken() {
    let (stage, first, second) = (Stage::new(2), Arc::default(), Arc::default());
    let mut all = stage.all();
    assert_eq!(poll(&mut all, &first), Poll::Pending);
    assert_eq!(poll(&mut all, &second), Poll::Pending);
    stage.wake(1);
    assert_eq!((first.count(), second.count()), (0, 1));
}

#[test]
fn dropped_half_way_all_are_dropped_and_nothing_is_kept_alive() {
    let (stage, task) = (Stage::new(3), Arc::default());
    let mut all = stage.all();
    assert_eq!(poll(&mut all, &task), Poll::Pending);
    stage.end(1);
    assert_eq!(poll(&mut all, &task), Poll::Pending);
    assert_eq!(stage.dropped(), [1]);
    drop(all);
    assert_eq!(stage.dropped(), [0, 1, 2]);
    // The wakers are still about, and the task is not.
    stage.wake(0);
    assert_eq!((Arc::strong_count(&task), task.count()), (1, 1));
}

#[test]
fn a_panic_goes_on_to_the_caller_and_the_others_are_dropped() {
    let (stage, task) = (Stage::new(2), Arc::default());
    let broken: Work<'_> = Box::pin(async { panic!("on purpose") });
    let mut all: Work<'_> = Box::pin(side_by_side(vec![stage.work(0), broken, stage.work(1)]));
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| poll(&mut all, &task)));
    assert_eq!(caught.unwrap_err().downcast_ref(), Some(&"on purpose"));
    drop(all);
    assert_eq!((stage.polled(), stage.dropped()), (vec![0], vec![0, 1]));
}

#[test]
fn none_is_at_its_end_at_once_and_one_is_polled_by_the_task_itself() {
    let task = Arc::default();
    assert_eq!(poll(&mut Stage::new(0).all(), &task), Poll::Ready(()));
    let stage = Stage::new(1);
    let mut all = stage.all();
    assert_eq!(poll(&mut all, &task), Poll::Pending);
    assert!(stage.with(0, |seen| seen.waker.clone()).unwrap().will_wake(&Waker::from(Arc::clone(&task))));
    stage.end(0);
    assert_eq!(poll(&mut all, &task), Poll::Ready(()));
}

#[test]
fn ten_thousand_are_polled_twice_each() {
    let (stage, task) = (Stage::new(10_000), Arc::default());
    let mut all = stage.all();
    assert_eq!(poll(&mut all, &task), Poll::Pending);
    for place in (0..10_000).rev() {
        stage.end(place);
        assert_eq!(poll(&mut all, &task).is_ready(), place == 0);
    }
    assert!((0..10_000).all(|place| stage.with(place, |seen| (seen.polls, seen.dropped) == (2, true))));
    assert_eq!(task.count(), 10_000);
}

#[tokio::test]
async fn wakes_from_other_threads_are_never_lost() {
    const TIMES: u32 = 200;
    let works = (0..20).map(|_| -> Work<'_> {
        let (sender, mut receiver) = tokio::sync::mpsc::channel(1);
        let thread = std::thread::spawn(move || (0..TIMES).for_each(|number| sender.blocking_send(number).unwrap()));
        Box::pin(async move {
            for number in 0..TIMES {
                assert_eq!(receiver.recv().await, Some(number));
            }
            thread.join().unwrap();
        })
    });
    side_by_side(works.collect()).await;
}

proptest! {
    /// Whatever is woken and ended, in whatever order: each poll of the whole polls each of the woken ones once, in the
    /// order of their first wakes, and it ends with the last of them.
    #[test]
    fn what_is_polled_is_what_was_woken(
        count in 2..6_usize,
        wakes in prop::collection::vec((0..6_usize, any::<bool>(), any::<bool>()), 0..40),
    ) {
        let (stage, task) = (Stage::new(count), Arc::default());
        let mut all = stage.all();
        prop_assert_eq!(poll(&mut all, &task), Poll::Pending);
        stage.polled();
        let mut expected: Vec<usize> = Vec::new();
        let mut ended = vec![false; count];
        for (place, ends, now) in wakes {
            let place = place % count;
            if !stage.with(place, |seen| seen.dropped) && !expected.contains(&place) {
                expected.push(place);
            }
            if ends {
                stage.end(place);
                ended[place] = true;
            } else {
                stage.wake(place);
            }
            if now {
                let is_over = ended.iter().all(|ended| *ended);
                prop_assert_eq!(poll(&mut all, &task).is_ready(), is_over);
                prop_assert_eq!(stage.polled(), std::mem::take(&mut expected));
                if is_over {
                    break;
                }
            }
        }
    }
}
