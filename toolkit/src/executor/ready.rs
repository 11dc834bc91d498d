//! What comes before an attempt: the call is admitted, somebody may have to be asked, and there must be a place.

use std::borrow::Cow;
use std::future::Future;
use std::pin::Pin;
use std::time::Instant;

use tokio::sync::{Semaphore, SemaphorePermit};

use super::admit::{Admitted, Answer, Refused, Wanted};
use super::attempt::{self, Waited};
use super::job::{Job, Work};
use super::log;
use crate::call::Repair;
use crate::confirmation::Approver;
use crate::output::ToolFuture;

/// A place among the attempts that may run at once, and since when it is held. There is none where there is no limit, and
/// where a tool of the same executor makes the call: that one holds a place already, and waits.
pub(super) struct Held<'a> {
    _permit: Option<SemaphorePermit<'a>>,
    pub(super) since: Instant,
}

/// A call that may run: its first attempt, which nobody has polled, its arguments as they are read, and its place.
pub(super) struct Ready<'a> {
    pub(super) first: ToolFuture<'a>,
    pub(super) text: Cow<'a, str>,
    pub(super) repairs: Vec<Repair>,
    pub(super) held: Held<'a>,
}

/// What comes before the first attempt, where that cannot come at once.
pub(super) type Later<'a> = Pin<Box<dyn Future<Output = Result<Ready<'a>, Work>> + Send + 'a>>;

impl<'a> Ready<'a> {
    fn of(admitted: Admitted<'a>, wanted: Wanted<'a>, held: Held<'a>) -> Self {
        let Admitted { attempt: first, mended } = admitted;
        let (text, repairs) = match mended {
            Some(mended) => (mended.text.into(), mended.repairs),
            None => (Cow::Borrowed(wanted.text), Vec::new()),
        };
        Self { first, text, repairs, held }
    }
}

impl<'a> Job<'a> {
    /// Admits the call. Where somebody has to be asked or waited for first, that is a future of its own.
    pub(super) fn ready(&'a self, wanted: Wanted<'a>) -> Result<Result<Ready<'a>, Work>, Later<'a>> {
        let answer = Answer { approved: false, now: self.started };
        match (self.inner.admit(self.cx, self.spec, wanted, answer), &self.inner.approver) {
            (Err(refused), Some(approver)) if refused.question().is_some() => {
                Err(Box::pin(self.asked(refused, &**approver, wanted)))
            }
            (Err(refused), _) => Ok(Err(self.refused(refused, Vec::new()))),
            (Ok(admitted), _) => match self.free_place(self.started) {
                Some(held) => Ok(Ok(Ready::of(admitted, wanted, held))),
                None => Err(Box::pin(self.placed(admitted, wanted, self.started))),
            },
        }
    }

    /// Admits the call once more where somebody agrees.
    async fn asked(&'a self, refused: Refused, approver: &dyn Approver, wanted: Wanted<'a>) -> Result<Ready<'a>, Work> {
        let Some(question) = refused.question() else { return Err(self.refused(refused, Vec::new())) };
        if !attempt::ask(approver, question, self.inner.effects(), self.cx.deadline()).await {
            return Err(self.refused(refused, Vec::new()));
        }
        let now = self.inner.now();
        match self.inner.admit(self.cx, self.spec, wanted, Answer { approved: true, now }) {
            Ok(admitted) => self.placed(admitted, wanted, now).await,
            Err(refused) => Err(self.refused(refused, Vec::new())),
        }
    }

    async fn placed(&'a self, admitted: Admitted<'a>, wanted: Wanted<'a>, now: Instant) -> Result<Ready<'a>, Work> {
        match self.place(now).await {
            Some(held) => Ok(Ready::of(admitted, wanted, held)),
            None => {
                let repairs = admitted.mended.map_or_else(Vec::new, |mended| mended.repairs);
                Err(self.refused(self.inner.out_of_time(), repairs))
            }
        }
    }

    /// A place, where there is one at once or no limit.
    fn free_place(&self, since: Instant) -> Option<Held<'_>> {
        match self.places() {
            None => Some(Held { _permit: None, since }),
            // One that is free is nobody's: who waits is given a place as soon as there is one.
            Some(places) => places.try_acquire().ok().map(|permit| Held { _permit: Some(permit), since }),
        }
    }

    /// What limits the attempts that run at once.
    fn places(&self) -> Option<&Semaphore> {
        let places = self.inner.places.as_ref()?;
        (!self.outer.is_some_and(|outer| outer.is_same)).then_some(places)
    }

    /// Waits for a place; `None` where none came before the deadline. That time is not the attempt's.
    pub(super) async fn place(&self, now: Instant) -> Option<Held<'_>> {
        if let Some(held) = self.free_place(now) {
            return Some(held);
        }
        let places = self.places()?;
        let permit = match Box::pin(attempt::place(places, self.inner.effects(), self.cx.deadline())).await {
            Waited::Came(permit) => permit,
            Waited::TooLate => return None,
            Waited::Broken => {
                log::no_timer(self.cx);
                return None;
            }
        };
        let since = self.inner.now();
        let in_time = self.cx.deadline().is_none_or(|deadline| since < deadline);
        in_time.then_some(Held { _permit: permit, since })
    }
}
