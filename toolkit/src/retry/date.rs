//! The three forms of a date in HTTP, as in RFC 9110, section 5.6.7. All of them are in GMT.
//!
//! Times are seconds since the start of 1970, and negative before it. What contradicts itself, such as a weekday that
//! does not fall on its date, is not a date.

use std::time::{SystemTime, UNIX_EPOCH};

#[cfg(test)]
mod tests;

const WEEKDAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

const SECONDS_A_DAY: i64 = 86_400;
const SECONDS_A_YEAR: i64 = 31_556_952; // of the Gregorian calendar, on average
const LAST_SECOND_OF_9999: i64 = 253_402_300_799;

/// The form with a comma, given as what stands before it and after it:
/// `Sun, 06 Nov 1994 08:49:37 GMT`, or the older `Sunday, 06-Nov-94 08:49:37 GMT`.
///
/// A year of two digits is the latest that is not more than 50 years ahead of `now`.
pub(super) fn with_comma(weekday: &str, rest: &str, now: SystemTime) -> Option<i64> {
    let mut words = rest.split_ascii_whitespace();
    let first = words.next()?;
    let (weekday, day, month, year) = if first.contains('-') {
        let mut parts = first.split('-');
        let (day, month, year) = (parts.next()?, parts.next()?, parts.next()?);
        end(parts)?;
        (long_weekday(weekday)?, day, month, year_of_two_digits(year, now)?)
    } else {
        (short_weekday(weekday)?, first, words.next()?, number(words.next()?, 4)?)
    };
    let time = words.next()?;
    words.next().filter(|zone| zone.eq_ignore_ascii_case("GMT"))?;
    end(words)?;
    moment(weekday, number(day, 2)?, month, year, time)
}

/// The form without a comma, of C's `asctime`: `Sun Nov  6 08:49:37 1994`.
pub(super) fn without_comma(text: &str) -> Option<i64> {
    let mut words = text.split_ascii_whitespace();
    let (weekday, month, day) = (words.next()?, words.next()?, words.next()?);
    let (time, year) = (words.next()?, words.next()?);
    end(words)?;
    // The day is padded with a space and not with a zero.
    let day = number(day, 2).or_else(|| number(day, 1))?;
    moment(short_weekday(weekday)?, day, month, number(year, 4)?, time)
}

fn end<'t>(mut rest: impl Iterator<Item = &'t str>) -> Option<()> {
    rest.next().is_none().then_some(())
}

/// A number of exactly so many digits.
fn number(text: &str, digits: usize) -> Option<i64> {
    let is_number = text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { text.parse().ok() } else { None }
}

fn position<'t>(names: impl IntoIterator<Item = &'t str>, name: &str) -> Option<i64> {
    (0..).zip(names).find(|(_, known)| known.eq_ignore_ascii_case(name)).map(|(index, _)| index)
}

fn long_weekday(name: &str) -> Option<i64> {
    position(WEEKDAYS, name)
}

fn short_weekday(name: &str) -> Option<i64> {
    position(WEEKDAYS.iter().map(|weekday| &weekday[..3]), name)
}

fn year_of_two_digits(text: &str, now: SystemTime) -> Option<i64> {
    let digits = number(text, 2)?;
    let now = match now.duration_since(UNIX_EPOCH) {
        Ok(since) => i64::try_from(since.as_secs()).unwrap_or(i64::MAX).min(LAST_SECOND_OF_9999),
        Err(_) => 0,
    };
    let latest = 1970 + now / SECONDS_A_YEAR + 50;
    Some(latest - (latest - digits).rem_euclid(100))
}

fn moment(weekday: i64, day: i64, month: &str, year: i64, time: &str) -> Option<i64> {
    let month = position(MONTHS, month)? + 1;
    if !(1..=days_of_month(year, month)).contains(&day) {
        return None;
    }
    let days = days_since_1970(year, month, day);
    // The first of January 1970 was a Thursday.
    if (days + 4).rem_euclid(7) != weekday {
        return None;
    }
    let mut parts = time.split(':').map(|part| number(part, 2));
    let (hour, minute, second) = (parts.next()??, parts.next()??, parts.next()??);
    // A leap second has the number 60.
    if parts.next().is_some() || hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    Some(days * SECONDS_A_DAY + hour * 3600 + minute * 60 + second)
}

fn days_of_month(year: i64, month: i64) -> i64 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Counts from March, so that the leap day is the last of its year.
fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    let years = if month > 2 { year } else { year - 1 };
    let months = (month + 9) % 12;
    let leap_days = years.div_euclid(4) - years.div_euclid(100) + years.div_euclid(400);
    // 153 days in every five months from March on; 719,469 days from the start of that count to 1970.
    365 * years + leap_days + (153 * months + 2) / 5 + day - 719_469
}
