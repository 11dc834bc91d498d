//! What a service asks for in `Retry-After`.
//!
//! A value that is misread as zero makes a hot loop, and one that is ignored because it is too large makes a caller who
//! hammers a service that asked for peace. So what is too large counts as the largest, and only what cannot be read
//! counts as not given.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::date;

#[cfg(test)]
mod tests;

/// The longest wait that is read. No policy should accept it, so it ends a call.
const LONGEST: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// Reads the wait that a service asks for. A namespace: there is no value of it.
///
/// ```
/// use std::time::{Duration, UNIX_EPOCH};
/// use toolkit::RetryAfter;
///
/// let now = UNIX_EPOCH + Duration::from_secs(1_696_004_797);
/// assert_eq!(RetryAfter::parse("1.5", now), Some(Duration::from_millis(1500)));
/// assert_eq!(RetryAfter::parse("Fri, 29 Sep 2023 16:26:57 GMT", now), Some(Duration::from_secs(20)));
/// assert_eq!(RetryAfter::from_headers([("Retry-After", "7"), ("retry-after-ms", "250")], now), Some(Duration::from_millis(250)));
/// ```
#[derive(Debug)]
pub enum RetryAfter {}

impl RetryAfter {
    /// The wait in a response's headers: `retry-after-ms` where there is one that can be read, else `retry-after`.
    ///
    /// The names are compared without regard to case, and a header that comes several times counts with its longest wait.
    /// `now` is the wall clock; only a date is read against it.
    pub fn from_headers(
        headers: impl IntoIterator<Item = (impl AsRef<str>, impl AsRef<[u8]>)>,
        now: SystemTime,
    ) -> Option<Duration> {
        let (mut fine, mut coarse) = (None, None);
        for (name, value) in headers {
            let name = name.as_ref();
            let Ok(value) = str::from_utf8(value.as_ref()) else { continue };
            // `None` is the smallest `Option`.
            if name.eq_ignore_ascii_case("retry-after-ms") {
                fine = fine.max(milliseconds(value));
            } else if name.eq_ignore_ascii_case("retry-after") {
                coarse = coarse.max(Self::parse(value, now));
            }
        }
        fine.or(coarse)
    }

    /// The wait in the value of one `Retry-After` header: seconds, with decimals or without, or a date in one of the three
    /// forms of [RFC 9110](https://www.rfc-editor.org/rfc/rfc9110#section-5.6.7).
    ///
    /// A date that has passed is a wait of zero, and more than 30 days are 30 days. Several values with commas between
    /// them count as the longest. `None` for what is negative, not finite, empty or not readable, also where only one of
    /// several values is. Parts of a nanosecond are rounded, but never down to zero.
    pub fn parse(value: &str, now: SystemTime) -> Option<Duration> {
        let mut members = members(value);
        let mut wait = None;
        while let Some(member) = members.next() {
            let read = number(member, 1.0).or_else(|| {
                // The comma after the name of a weekday is no separator.
                let time = match date::without_comma(member) {
                    Some(time) => time,
                    None => date::with_comma(member, members.next()?, now)?,
                };
                Some(until(time, now))
            });
            wait = wait.max(Some(read?));
        }
        wait
    }
}

fn milliseconds(value: &str) -> Option<Duration> {
    members(value).try_fold(None, |wait, member| Some(wait.max(Some(number(member, 1000.0)?))))?
}

/// The members of a list. Empty ones do not count.
fn members(value: &str) -> impl Iterator<Item = &str> {
    value.split(',').map(str::trim_ascii).filter(|member| !member.is_empty())
}

/// A decimal number of units, so many of which are a second.
fn number(text: &str, units: f64) -> Option<Duration> {
    // The standard parser knows words too ("inf", "nan"), and a minus before a zero is a minus all the same.
    if text.starts_with('-') || !text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'+' | b'-' | b'e' | b'E'))
    {
        return None;
    }
    let seconds = text.parse::<f64>().ok()? / units;
    // Finite as it was written, but not as a float: `1e400` lands here too.
    if seconds >= LONGEST.as_secs_f64() {
        return Some(LONGEST);
    }
    let wait = Duration::try_from_secs_f64(seconds).ok()?;
    Some(if seconds > 0.0 { wait.max(Duration::from_nanos(1)) } else { wait })
}

/// The wait until a time in seconds since 1970.
fn until(time: i64, now: SystemTime) -> Duration {
    let Ok(time) = u64::try_from(time) else { return Duration::ZERO };
    let time = Duration::from_secs(time);
    let wait = match now.duration_since(UNIX_EPOCH) {
        Ok(since) => time.saturating_sub(since),
        Err(before) => time.saturating_add(before.duration()),
    };
    wait.min(LONGEST)
}
