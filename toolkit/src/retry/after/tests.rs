use proptest::prelude::*;

use super::*;

fn now() -> SystemTime {
    UNIX_EPOCH + Duration::from_secs(1_696_004_797) // Fri, 29 Sep 2023 16:26:37 GMT
}

fn parse(value: &str) -> Option<Duration> {
    RetryAfter::parse(value, now())
}

#[expect(clippy::unnecessary_wraps, reason = "what is compared is an option")]
const fn seconds(seconds: u64) -> Option<Duration> {
    Some(Duration::from_secs(seconds))
}

#[test]
fn seconds_and_dates_are_read() {
    for (value, wait) in [
        ("0", seconds(0)),
        ("20", seconds(20)),
        ("60", seconds(60)),
        ("121", seconds(121)),
        (" \t7 ", seconds(7)),
        ("1.5", Some(Duration::from_millis(1500))),
        ("0.1", Some(Duration::from_millis(100))),
        (".5", Some(Duration::from_millis(500))),
        ("1e2", seconds(100)),
        ("1e-30", Some(Duration::from_nanos(1))),
        ("Fri, 29 Sep 2023 16:26:57 GMT", seconds(20)),
        ("Friday, 29-Sep-23 16:26:57 GMT", seconds(20)),
        ("Fri Sep 29 16:26:57 2023", seconds(20)),
        ("Fri, 29 Sep 2023 16:26:37 GMT", seconds(0)),
        ("Fri, 29 Sep 2023 16:26:27 GMT", seconds(0)),
        ("Thu, 01 Jan 1970 00:00:00 GMT", seconds(0)),
        ("Mon, 01 Jan 1601 00:00:00 GMT", seconds(0)),
    ] {
        assert_eq!(parse(value), wait, "{value}");
    }
}

#[test]
fn more_than_thirty_days_are_thirty_days() {
    assert_eq!(parse("2591999"), seconds(2_591_999));
    let digits = "9".repeat(5000);
    for value in ["2592001", "1e35", "1e400", &digits, "Mon, 29 Sep 2025 16:26:57 GMT"] {
        assert_eq!(parse(value), Some(LONGEST), "{value}");
    }
}

#[test]
fn what_cannot_be_read_is_none() {
    for value in [
        "",
        " ",
        ",",
        "-10",
        "-0",
        "-0.5",
        "inf",
        "+inf",
        "infinity",
        "nan",
        "NaN",
        "soon",
        "10s",
        "10 seconds",
        "1_000",
        "0x10",
        "1.2.3",
        "1e",
        "e",
        ".",
        "+",
        "١٠",
        "20, soon",
        "soon, 20",
        "20 60",
        "Zun, 29 Sep 2023 16:26:27 GMT",
        "Mon, 29 Sep 2023 16:26:57 GMT",
        "Fri, 29 Sep 100000 16:26:57 GMT",
        "Fri, 20",
        "Fri",
    ] {
        assert_eq!(parse(value), None, "{value}");
    }
}

#[test]
fn of_several_values_the_longest_counts() {
    for (value, wait) in [
        ("5, 30, 7", seconds(30)),
        ("5,,7", seconds(7)),
        ("Fri, 29 Sep 2023 16:26:57 GMT, Fri, 29 Sep 2023 16:26:47 GMT", seconds(20)),
        ("Fri, 29 Sep 2023 16:26:57 GMT, 30", seconds(30)),
        ("3, Fri, 29 Sep 2023 16:26:57 GMT", seconds(20)),
        ("Fri Sep 29 16:26:57 2023, 3", seconds(20)),
    ] {
        assert_eq!(parse(value), wait, "{value}");
    }
}

#[test]
fn a_clock_before_1970_and_part_of_a_second_count() {
    assert_eq!(RetryAfter::parse("Thu, 01 Jan 1970 00:00:05 GMT", UNIX_EPOCH - Duration::from_secs(2)), seconds(7));
    let now = now() + Duration::from_millis(250);
    assert_eq!(
        RetryAfter::parse("Fri, 29 Sep 2023 16:26:57 GMT", now),
        Some(Duration::from_millis(19_750)),
        "never early: not rounded"
    );
}

#[test]
fn the_finer_header_wins_in_any_case_and_order() {
    let read = |headers: &[(&str, &str)]| RetryAfter::from_headers(headers.iter().copied(), now());
    assert_eq!(read(&[("retry-after", "7")]), seconds(7));
    assert_eq!(read(&[("retry-after-ms", "1500")]), Some(Duration::from_millis(1500)));
    assert_eq!(read(&[("Retry-After", "7"), ("retry-after-ms", "250")]), Some(Duration::from_millis(250)));
    assert_eq!(read(&[("RETRY-AFTER-MS", "250"), ("RETRY-AFTER", "7")]), Some(Duration::from_millis(250)));
    assert_eq!(read(&[("Retry-After", "2"), ("date", "x"), ("retry-after", "9"), ("Retry-After", "4")]), seconds(9));
    assert_eq!(read(&[("retry-after-ms", "100, 300")]), Some(Duration::from_millis(300)));
    assert_eq!(read(&[("retry-after-ms", "1e35")]), Some(LONGEST));
    assert_eq!(read(&[("retry-after-ms", "soon"), ("retry-after", "7")]), seconds(7));
    assert_eq!(read(&[("retry-after-ms", "Fri, 29 Sep 2023 16:26:57 GMT")]), None);
    assert_eq!(read(&[("x-retry-after", "7"), ("retry-after ", "7")]), None);
    assert_eq!(read(&[]), None);
}

#[test]
fn header_values_are_bytes() {
    let headers =
        vec![(String::from("Retry-After"), b"\xff\xfe 7".to_vec()), (String::from("Retry-After"), b"3".to_vec())];
    assert_eq!(RetryAfter::from_headers(headers, now()), seconds(3));
}

proptest! {
    #[test]
    fn no_bytes_panic_and_no_wait_is_longer_than_thirty_days(bytes in prop::collection::vec(any::<u8>(), 0..64), fine: bool) {
        let name = if fine { "retry-after-ms" } else { "retry-after" };
        let wait = RetryAfter::from_headers([(name, bytes)], now());
        prop_assert!(wait.is_none_or(|wait| wait <= LONGEST));
    }

    #[test]
    fn no_text_that_looks_like_a_value_panics(
        text in r"(([A-Za-z]{3}|Fri|Friday|Sep),? ?)?[-+]?[0-9]{0,12}[-. ,eE:]?(Sep|Feb|[0-9]{1,3})?[- ,][0-9]{2,6}( [0-9:]{1,9})?( GMT)?,?",
        ahead in 0u64..1 << 40,
    ) {
        let now = UNIX_EPOCH + Duration::from_secs(ahead);
        prop_assert!(RetryAfter::parse(&text, now).is_none_or(|wait| wait <= LONGEST));
    }

    #[test]
    fn whole_seconds_and_milliseconds_are_exact(number in 0u64..=2_592_000) {
        prop_assert_eq!(parse(&number.to_string()), seconds(number));
        let fine = RetryAfter::from_headers([("retry-after-ms", number.to_string())], now());
        prop_assert_eq!(fine, Some(Duration::from_millis(number)));
    }

    #[test]
    fn decimals_are_exact(number in 0u64..2_592_000, thousandths in 0u64..1000) {
        let wait = Duration::from_secs(number) + Duration::from_millis(thousandths);
        prop_assert_eq!(parse(&format!("{number}.{thousandths:03}")), Some(wait));
    }
}
