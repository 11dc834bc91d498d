//! Which calls are made from inside a tool: what the thread is marked with for as long as a tool's code runs on it.
//!
//! A tool that makes a call of its own and an executor around it that tries again multiply: three attempts of three. So
//! the inner call makes one attempt unless its executor was told otherwise, and it ends when the outer one must.

use std::cell::RefCell;
use std::time::Instant;

/// A tool whose code runs on this thread.
#[derive(Clone, Copy)]
pub(crate) struct Frame {
    /// The executor, by its address.
    pub(super) executor: usize,
    /// When the call of the tool must have ended.
    pub(super) deadline: Option<Instant>,
}

thread_local! {
    /// From the outermost one in.
    static FRAMES: RefCell<Vec<Frame>> = const { RefCell::new(Vec::new()) };
}

/// What surrounds a call that is made now.
#[derive(Clone, Copy)]
pub(super) struct Outer {
    pub(super) deadline: Option<Instant>,
    /// A call of the same executor waits for this one.
    pub(super) is_same: bool,
}

/// What surrounds a call of this executor; `None` where no tool makes it.
pub(super) fn outer(executor: usize) -> Option<Outer> {
    let read = |frames: &RefCell<Vec<Frame>>| {
        let frames = frames.borrow();
        let innermost = frames.last()?;
        let is_same = frames.iter().any(|frame| frame.executor == executor);
        Some(Outer { deadline: innermost.deadline, is_same })
    };
    FRAMES.try_with(read).ok().flatten()
}

/// Runs code of a tool.
pub(super) fn inside<T>(frame: Frame, run: impl FnOnce() -> T) -> T {
    let _end = Until::entered(|frames| frames.push(frame));
    run()
}

/// The tools whose code runs on this thread, to be handed to another one.
pub(crate) fn frames() -> Vec<Frame> {
    FRAMES.try_with(|frames| frames.borrow().clone()).unwrap_or_default()
}

/// Runs code of these tools on a thread of its own.
pub(crate) fn inside_all<T>(all: Vec<Frame>, run: impl FnOnce() -> T) -> T {
    let _end = Until::entered(|frames| frames.extend(all));
    run()
}

/// Puts things back as they were, after a panic too.
struct Until(usize);

impl Until {
    fn entered(enter: impl FnOnce(&mut Vec<Frame>)) -> Self {
        let entered = FRAMES.try_with(|frames| {
            let mut frames = frames.borrow_mut();
            let before = frames.len();
            enter(&mut frames);
            before
        });
        Self(entered.unwrap_or(usize::MAX))
    }
}

impl Drop for Until {
    fn drop(&mut self) {
        let _ = FRAMES.try_with(|frames| frames.borrow_mut().truncate(self.0));
    }
}
