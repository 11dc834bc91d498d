//! What comes before an attempt: the call is admitted, somebody may have to be asked, and there must be a place.

use std::future::Future;
use std::pin::Pin;
use std::time::Instant;

use tokio::sync::{Semaphore, SemaphorePermit};

use super::admit::{Admitted, Answer, Refused, Wanted};
use super::contain::contain;
use super::job::Job;
use super::log;
use super::wait::{self, Late, Waited};
use crate::arguments::{Repaired, Secrets};
use crate::confirmation::Approver;
use crate::output::ToolFuture;
use crate::retry::RetryBudget;

/// A place among the attempts that may run at once, and since when it is held. There is none where there is no limit, and
/// where a tool of the same executor makes the call: that one holds a place already, and waits.
pub(super) struct Held<'a> {
    _permit: Option<SemaphorePermit<'a>>,
    pub(super) since: Instant,
}

/// A call that may run.
pub(super) struct Ready<'a> {
    /// Its first attempt, which nobody has polled.
    pub(super) first: ToolFuture<'a>,
    /// Its arguments as they were repaired, where they had to be.
    pub(super) mended: Option<Box<Repaired>>,
    pub(super) held: Held<'a>,
}

/// What comes before the first attempt, where that cannot come at once.
pub(super) type Later<'a> = Pin<Box<dyn Future<Output = Result<Ready<'a>, Box<Refused>>> + Send + 'a>>;

/// What became of a call that came in.
pub(super) enum Entry<'a> {
    Ready(Ready<'a>),
    /// Somebody has to be asked or waited for first.
    Later(Later<'a>),
    Refused(Box<Refused>),
}

impl<'a> Ready<'a> {
    fn of(Admitted { attempt: first, mended, .. }: Admitted<'a>, held: Held<'a>) -> Self {
        Self { first, mended, held }
    }
}

impl<'a> Job<'a> {
    /// Admits the call.
    pub(super) fn enter(&'a self, wanted: Wanted<'a>) -> Entry<'a> {
        let answer = Answer { approved: None, now: self.started };
        match (self.inner.admit(self.cx, self.spec, wanted, answer), &self.inner.approver) {
            (Ok(admitted), _) => match self.free_place(self.started) {
                Some(held) => Entry::Ready(Ready::of(admitted, held)),
                None => Entry::Later(Box::pin(self.placed(admitted, self.started, wanted.text))),
            },
            (Err(refused), Some(approver)) if refused.question().is_some() => {
                Entry::Later(Box::pin(self.asked(refused, &**approver, wanted)))
            }
            (Err(refused), _) => Entry::Refused(refused),
        }
    }

    /// Admits the call once more where somebody agrees.
    async fn asked(
        &'a self,
        refused: Box<Refused>,
        approver: &dyn Approver,
        wanted: Wanted<'a>,
    ) -> Result<Ready<'a>, Box<Refused>> {
        let Some(question) = refused.question() else { return Err(refused) };
        let asked = wait::ask(approver, question, self.inner.effects(), self.cx.deadline()).await;
        if let Err(panicked) = &asked {
            log::approver_panicked(self.cx, panicked, &Secrets::of(self.spec, wanted.text));
        }
        if !asked.unwrap_or(false) {
            return Err(refused);
        }
        // The person has answered it, and does so once.
        let approved = Some(self.inner.open.close(question.token()));
        let now = self.inner.now();
        let admitted = self.inner.admit(self.cx, self.spec, wanted, Answer { approved, now })?;
        self.placed(admitted, now, wanted.text).await
    }

    async fn placed(&'a self, admitted: Admitted<'a>, now: Instant, text: &str) -> Result<Ready<'a>, Box<Refused>> {
        let mut refused = match self.place(now).await {
            None => self.inner.out_of_time(),
            Some(held) => match self.inner.came_into_doubt(self.cx, &admitted, text, held.since) {
                None => return Ok(Ready::of(admitted, held)),
                Some(refused) => refused,
            },
        };
        let Admitted { attempt, mended, .. } = admitted;
        if let Err(panicked) = contain(|| drop(attempt)) {
            log::panicked(self.cx, &panicked, &Secrets::of(self.spec, text));
        }
        refused.repairs = mended.map_or_else(Vec::new, |mended| mended.repairs);
        Err(Box::new(refused))
    }

    /// A place, where there is one at once or no limit.
    pub(super) fn free_place(&self, since: Instant) -> Option<Held<'_>> {
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
        let permit = match Box::pin(wait::place(places, self.inner.effects(), self.cx.deadline())).await {
            Waited::Came(permit) => permit,
            Waited::Late(Late::TooLate) => return None,
            Waited::Late(Late::NoTimer) | Waited::Panicked(_) => {
                log::no_timer(self.cx);
                return None;
            }
        };
        let since = self.inner.now();
        let in_time = self.cx.deadline().is_none_or(|deadline| since < deadline);
        in_time.then_some(Held { _permit: permit, since })
    }
}

/// A retry that was paid for. Paid back where it is not made, also where its call is dropped.
pub(super) struct Paid<'a>(pub(super) Option<&'a RetryBudget>);

impl Paid<'_> {
    pub(super) fn spent(mut self) {
        self.0 = None;
    }
}

impl Drop for Paid<'_> {
    fn drop(&mut self) {
        if let Some(budget) = self.0 {
            budget.refund();
        }
    }
}
