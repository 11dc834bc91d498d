use std::time::Duration;

use super::*;

const NOW: u64 = 1_696_004_797; // Fri, 29 Sep 2023 16:26:37 GMT

fn read_at(text: &str, now: SystemTime) -> Option<i64> {
    match text.split_once(',') {
        Some((weekday, rest)) => with_comma(weekday, rest, now),
        None => without_comma(text),
    }
}

fn read(text: &str) -> Option<i64> {
    read_at(text, UNIX_EPOCH + Duration::from_secs(NOW))
}

#[test]
fn the_three_forms_of_the_rfc_are_one_moment() {
    for text in [
        "Sun, 06 Nov 1994 08:49:37 GMT",
        "Sunday, 06-Nov-94 08:49:37 GMT",
        "Sun Nov  6 08:49:37 1994",
        "sun, 06 nov 1994 08:49:37 gmt",
    ] {
        assert_eq!(read(text), Some(784_111_777), "{text}");
    }
    assert_eq!(read("Fri, 29 Sep 2023 16:26:37 GMT"), i64::try_from(NOW).ok());
}

#[test]
fn what_is_not_a_date_is_none() {
    for text in [
        "",
        "Zun, 29 Sep 2023 16:26:27 GMT",
        "Mon, 29 Sep 2023 16:26:57 GMT", // it was a Friday
        "Friday, 29 Sep 2023 16:26:57 GMT",
        "Fri, 29-Sep-23 16:26:57 GMT",
        "Fri, 29 Sep 100000 16:26:57 GMT",
        "Fri, 29 Sep 23 16:26:57 GMT",
        "Fri, 29 Sep 2023 16:26:57",
        "Fri, 29 Sep 2023 16:26:57 CET",
        "Fri, 29 Sep 2023 16:26:57 GMT again",
        "Fri, 9 Sep 2022 16:26:57 GMT",
        "Fri, 29 Sop 2023 16:26:57 GMT",
        "Fri, 29 Sep 2023 24:26:57 GMT",
        "Fri, 29 Sep 2023 16:60:57 GMT",
        "Fri, 29 Sep 2023 16:26:61 GMT",
        "Fri, 29 Sep 2023 16:26 GMT",
        "Fri, 29 Sep 2023 16:26:57:00 GMT",
        "Fri, 29 Sep 2023 +6:26:57 GMT",
        "Sun, 31 Sep 2023 16:26:57 GMT",
        "Fri, 00 Sep 2023 16:26:57 GMT",
        "Wed, 29 Feb 2023 00:00:00 GMT",
        "Friday, 29-Sep-2023 16:26:57 GMT",
        "Friday, 29-Sep-23-1 16:26:57 GMT",
        "Sun Nov 6 08:49:37 94",
        "Sun Nov 6 08:49:37 1994 GMT",
    ] {
        assert_eq!(read(text), None, "{text}");
    }
}

#[test]
fn leap_days_and_leap_seconds_are_read() {
    assert_eq!(read("Thu, 29 Feb 2024 00:00:00 GMT"), Some(1_709_164_800));
    assert_eq!(read("Tue, 29 Feb 2000 12:00:00 GMT"), Some(951_825_600));
    // The weekday of the day after the 28th, so that only the length of the month speaks against it.
    assert_eq!(read("Thu, 29 Feb 1900 00:00:00 GMT"), None);
    assert_eq!(read("Sat, 31 Dec 2016 23:59:60 GMT"), Some(1_483_228_800));
}

#[test]
fn a_year_of_two_digits_is_at_most_fifty_years_ahead() {
    let years = |year: u64, text| {
        let now = UNIX_EPOCH + Duration::from_secs((year - 1970) * 31_556_952 + 15_000_000);
        year_of_two_digits(text, now)
    };
    assert_eq!(years(2023, "94"), Some(1994));
    assert_eq!(years(2023, "73"), Some(2073));
    assert_eq!(years(2023, "74"), Some(1974));
    assert_eq!(years(2023, "00"), Some(2000));
    assert_eq!(years(2090, "05"), Some(2105));
    assert_eq!(years(2090, "5"), None);
    assert_eq!(year_of_two_digits("69", UNIX_EPOCH - Duration::from_secs(1)), Some(1969));
    assert_eq!(year_of_two_digits("99", UNIX_EPOCH + Duration::from_secs(u64::MAX / 4)), Some(9999));
}

/// A calendar that only knows how to go to the next day.
#[test]
fn every_day_of_nine_centuries_follows_the_one_before() {
    let (mut year, mut month, mut day) = (1600, 0, 1); // the month as an index
    let mut weekday = 6; // a Saturday
    let mut count = days_since_1970(1600, 1, 1);
    assert_eq!(days_since_1970(1970, 1, 1), 0);
    while year < 2500 {
        let text = format!("{}, {day:02} {} {year} 00:00:00 GMT", &WEEKDAYS[weekday][..3], MONTHS[month]);
        assert_eq!(read(&text), Some(count * SECONDS_A_DAY), "{text}");
        let leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
        let last = [31, if leap { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month];
        (year, month, day) = match (day == last, month) {
            (false, _) => (year, month, day + 1),
            (true, 11) => (year + 1, 0, 1),
            (true, _) => (year, month + 1, 1),
        };
        count += 1;
        weekday = (weekday + 1) % 7;
    }
    assert_eq!(count, 193_579);
}
