//! How long to wait before the next attempt: a curve, a cap and a spread.
//!
//! The spread is applied *inside* the cap. Clamping after it would put every saturated wait on the cap itself, and all
//! the clients that a service has just turned away would come back at the same moment.

use std::time::Duration;

use crate::classify::ErrorClass;

#[cfg(test)]
mod tests;

const BILLION: u128 = 1_000_000_000;

/// Where an exponential wait stops growing unless it says otherwise.
const DEFAULT_CAP: Duration = Duration::from_secs(60);
const DEFAULT_FACTOR: f64 = 2.0;

/// How a wait is spread, so that callers which failed together do not come back together.
///
/// A wait is a whole number of nanoseconds and, with a spread, always *below* its cap. A cap of one nanosecond leaves
/// only the wait of zero.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Jitter {
    /// Exactly the wait itself. For tests: real callers should spread.
    None,
    /// Evenly between half of the wait and all of it. What an exponential backoff does unless it says otherwise.
    Equal,
    /// Evenly between nothing and the wait. It spreads best and may come back at once.
    Full,
    /// Evenly around the wait, by at most this share of it to either side: 0.1 is ±10 %. From 0 to 1, read to nine
    /// decimals. The middle is kept low enough that the upper end stays within the cap. What a fixed interval does
    /// unless it says otherwise, with 0.1.
    Proportional(f64),
}

/// How long to wait before each retry of one class of failure.
///
/// ```
/// use std::time::Duration;
/// use toolkit::{Backoff, Jitter};
///
/// let doubling = Backoff::exponential(Duration::from_millis(250)).cap(Duration::from_secs(20)).jitter(Jitter::Full);
/// let steady = Backoff::fixed(Duration::from_secs(2)).jitter(Jitter::Proportional(0.25));
/// # let _ = (doubling, steady);
/// ```
///
/// What is out of range is reported when the policy is built.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Backoff {
    shape: Shape,
    factor: Option<f64>,
    cap: Option<Duration>,
    jitter: Option<Jitter>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Shape {
    Never,
    Immediate,
    Fixed(Duration),
    Exponential(Duration),
}

impl Backoff {
    /// The same wait before every retry, spread by ±10 %.
    pub const fn fixed(interval: Duration) -> Self {
        Self::shaped(Shape::Fixed(interval))
    }

    /// A wait that grows: `base` before the first retry, then twice as much each time, up to 60 s, of which a random
    /// half is taken off.
    pub const fn exponential(base: Duration) -> Self {
        Self::shaped(Shape::Exponential(base))
    }

    /// No wait at all, unless the service asked for one.
    pub const fn immediate() -> Self {
        Self::shaped(Shape::Immediate)
    }

    /// No retry: the class is treated as a permanent one.
    pub const fn never() -> Self {
        Self::shaped(Shape::Never)
    }

    const fn shaped(shape: Shape) -> Self {
        Self { shape, factor: None, cap: None, jitter: None }
    }

    /// What an exponential wait is multiplied by from one retry to the next: 2 unless given, at least 1.
    #[must_use]
    pub const fn factor(mut self, factor: f64) -> Self {
        self.factor = Some(factor);
        self
    }

    /// What no wait exceeds, spread included. An exponential wait stops at 60 s unless given, a fixed one at the end of
    /// its spread. Only a `Retry-After` of the service may lead to a longer one.
    #[must_use]
    pub const fn cap(mut self, cap: Duration) -> Self {
        self.cap = Some(cap);
        self
    }

    /// How the wait is spread.
    #[must_use]
    pub const fn jitter(mut self, jitter: Jitter) -> Self {
        self.jitter = Some(jitter);
        self
    }

    /// Adds what is wrong with these numbers to the problems of a policy.
    pub(super) fn check(&self, class: ErrorClass, problems: &mut Vec<String>) {
        let (name, base) = match self.shape {
            Shape::Exponential(base) => ("base", base),
            Shape::Fixed(interval) => ("interval", interval),
            Shape::Immediate => return self.check_is_bare(class, "immediate", problems),
            Shape::Never => return self.check_is_bare(class, "never", problems),
        };
        if base.is_zero() {
            problems
                .push(format!("the {name} of `{class}` is zero; `Backoff::immediate()` is the one that does not wait"));
        }
        match (self.shape, self.factor) {
            (Shape::Fixed(_), Some(_)) => {
                problems
                    .push(format!("the interval of `{class}` is fixed and has no factor; use `Backoff::exponential`"));
            }
            (_, Some(factor)) if !(factor.is_finite() && factor >= 1.0) => {
                problems.push(format!("the factor of `{class}` is {factor}; it must be a number of at least 1"));
            }
            _ => {}
        }
        let cap = self.cap_or_default();
        if cap < base {
            let origin = if self.cap.is_none() { ", which stands where none is given" } else { "" };
            problems.push(format!("the cap of `{class}` ({cap:?}{origin}) is below its {name} ({base:?})"));
        }
        if let Some(Jitter::Proportional(share)) = self.jitter
            && !(0.0..=1.0).contains(&share)
        {
            problems.push(format!("the jitter of `{class}` is {share}; a share is a number from 0 to 1"));
        }
    }

    fn check_is_bare(&self, class: ErrorClass, shape: &str, problems: &mut Vec<String>) {
        let given = [("factor", self.factor.is_some()), ("cap", self.cap.is_some()), ("jitter", self.jitter.is_some())];
        for (name, _) in given.into_iter().filter(|(_, is_given)| *is_given) {
            problems.push(format!("`{class}` has a {name}, but `Backoff::{shape}()` has no wait that it could change"));
        }
    }

    fn cap_or_default(&self) -> Duration {
        self.cap.unwrap_or(match self.shape {
            Shape::Exponential(_) => DEFAULT_CAP,
            _ => Duration::MAX,
        })
    }

    /// The numbers in the form in which they are used. What [`check`](Self::check) refuses comes out as the nearest
    /// thing that can be computed with.
    pub(super) fn schedule(&self) -> Schedule {
        let (base, factor, jitter) = match self.shape {
            Shape::Never => return Schedule::Never,
            Shape::Immediate => return Schedule::Immediate,
            Shape::Fixed(interval) => (interval, 1.0, Jitter::Proportional(0.1)),
            Shape::Exponential(base) => (base, self.factor.unwrap_or(DEFAULT_FACTOR).max(1.0), Jitter::Equal),
        };
        let base = base.as_nanos().max(1);
        let spread = match self.jitter.unwrap_or(jitter) {
            Jitter::None => Spread::None,
            Jitter::Equal => Spread::Equal,
            Jitter::Full => Spread::Full,
            Jitter::Proportional(share) => Spread::around(share),
        };
        Schedule::Waits(Curve { base, factor, cap: self.cap_or_default().as_nanos().max(base), spread })
    }
}

/// A [`Backoff`] whose numbers were checked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Schedule {
    Never,
    Immediate,
    Waits(Curve),
}

impl Schedule {
    /// The wait before the retry that comes after `retries` others; `None` where the class is not retried.
    pub(super) fn delay(&self, retries: u32, random: f64) -> Option<Duration> {
        match self {
            Schedule::Never => None,
            Schedule::Immediate => Some(Duration::ZERO),
            Schedule::Waits(curve) => Some(curve.delay(retries, random)),
        }
    }
}

/// Times are nanoseconds. `1 <= base <= cap`, and `cap` fits a [`Duration`], so it has at most 94 bits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Curve {
    base: u128,
    factor: f64,
    cap: u128,
    spread: Spread,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Spread {
    None,
    Equal,
    Full,
    /// In billionths, so that a decimal share such as 0.1 is exact.
    Around(u32),
}

impl Spread {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a share is within 0 and 1, and the cast saturates where it was not checked"
    )]
    fn around(share: f64) -> Self {
        if share > 0.0 { Spread::Around(((share.min(1.0) * 1e9).round() as u32).max(1)) } else { Spread::None }
    }
}

impl Curve {
    fn delay(&self, retries: u32, random: f64) -> Duration {
        let raw = self.raw(retries);
        from_nanos(match self.spread {
            Spread::None => raw,
            Spread::Equal => raw / 2 + part(raw - raw / 2, random),
            Spread::Full => part(raw, random),
            Spread::Around(share) => {
                let share = u128::from(share);
                // At most 94 + 30 bits.
                let middle = raw.min(self.cap * BILLION / (BILLION + share));
                let reach = middle * share / BILLION;
                middle - reach + part(2 * reach, random)
            }
        })
    }

    /// The wait before it is spread. It never falls from one retry to the next, for any number of retries.
    fn raw(&self, retries: u32) -> u128 {
        let growth = power(self.factor, retries);
        if growth <= 1.0 {
            return self.base;
        }
        // The product may be rounded up, beyond a cap that lies between two floats, and it may be infinite.
        rounded(approximate(self.base) * growth).min(self.cap)
    }
}

/// `factor` multiplied by itself, `exponent` times, in at most 32 steps; infinite where it is too large.
///
/// For a factor of at least 1 the result never falls as the exponent grows, although every product is rounded: the
/// powers are taken from the lowest bit upwards, so the product of all the lower ones never exceeds the next. `powf` and
/// `powi` promise nothing of the kind, and not the same digits on every platform either.
fn power(factor: f64, mut exponent: u32) -> f64 {
    let mut product = 1.0;
    let mut square = factor;
    while exponent > 0 {
        if exponent & 1 == 1 {
            product *= square;
        }
        square *= square;
        exponent >>= 1;
    }
    product
}

#[expect(clippy::cast_precision_loss, reason = "exact up to 104 days; beyond, sixteen digits are enough")]
fn approximate(nanos: u128) -> f64 {
    nanos as f64
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "rounded, positive, and cut to the range")]
fn rounded(nanos: f64) -> u128 {
    nanos.round() as u128
}

/// This share of a span of at most 94 bits: below the span itself, unless the span is 0.
///
/// The randomness is cut to 32 bits so that the product is exact; what is outside [0, 1) counts as the nearest end.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the cast saturates, which is what is meant"
)]
pub(super) fn part(span: u128, random: f64) -> u128 {
    let share = (random * 4_294_967_296.0) as u32;
    (span * u128::from(share)) >> 32
}

/// The longest duration there is, where the number is larger.
pub(super) fn from_nanos(nanos: u128) -> Duration {
    match (u64::try_from(nanos / BILLION), u32::try_from(nanos % BILLION)) {
        (Ok(seconds), Ok(rest)) => Duration::new(seconds, rest),
        _ => Duration::MAX,
    }
}
