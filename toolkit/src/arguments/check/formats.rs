//! The formats of a text that JSON Schema names: dates, addresses and the like.
//!
//! A type of its own, such as a date, checks its format when it is read, and may be more generous than the standard that
//! the format comes from. So no form is refused here that such a type is known to take; what cannot be meant is, and in
//! words that show what is.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use serde_json::Value;

use crate::feedback::Language;
use crate::schema::keyword;

struct Format {
    names: &'static [&'static str],
    /// Whether there are types that stand for it, and check it when they are read.
    has_types: bool,
    fits: fn(&str) -> bool,
    english: &'static str,
    chinese: &'static str,
}

static FORMATS: [Format; 10] = [
    Format {
        names: &["date-time"],
        has_types: true,
        fits: is_date_time,
        english: "a date and a time as in \"2026-11-30T13:30:00Z\"",
        chinese: "日期和时间，例如 \"2026-11-30T13:30:00Z\"",
    },
    Format {
        names: &["date"],
        has_types: true,
        fits: is_date,
        english: "a date as in \"2026-11-30\"",
        chinese: "日期，例如 \"2026-11-30\"",
    },
    Format {
        names: &["time"],
        has_types: true,
        fits: is_time,
        english: "a time of day as in \"13:30:00\"",
        chinese: "时间，例如 \"13:30:00\"",
    },
    Format {
        names: &["uuid"],
        has_types: true,
        fits: is_uuid,
        english: "a UUID as in \"67e55044-10b1-426f-9247-bb680e5fe0c8\"",
        chinese: "UUID，例如 \"67e55044-10b1-426f-9247-bb680e5fe0c8\"",
    },
    Format {
        names: &["ipv4"],
        has_types: true,
        fits: |text| text.parse::<Ipv4Addr>().is_ok(),
        english: "an IPv4 address as in \"192.0.2.1\"",
        chinese: "IPv4 地址，例如 \"192.0.2.1\"",
    },
    Format {
        names: &["ipv6"],
        has_types: true,
        fits: |text| text.parse::<Ipv6Addr>().is_ok(),
        english: "an IPv6 address as in \"2001:db8::1\"",
        chinese: "IPv6 地址，例如 \"2001:db8::1\"",
    },
    Format {
        names: &["ip"],
        has_types: true,
        fits: |text| text.parse::<IpAddr>().is_ok(),
        english: "an IP address as in \"192.0.2.1\" or \"2001:db8::1\"",
        chinese: "IP 地址，例如 \"192.0.2.1\" 或 \"2001:db8::1\"",
    },
    Format {
        names: &["email", "idn-email"],
        has_types: false,
        fits: is_email,
        english: "an e-mail address as in \"name@example.com\"",
        chinese: "电子邮件地址，例如 \"name@example.com\"",
    },
    Format {
        names: &["hostname", "idn-hostname"],
        has_types: false,
        fits: is_host_name,
        english: "the name of a host as in \"www.example.com\"",
        chinese: "主机名，例如 \"www.example.com\"",
    },
    Format {
        names: &["uri", "iri"],
        has_types: false,
        fits: is_uri,
        english: "a whole URI, its scheme included",
        chinese: "完整的 URI，包括协议部分",
    },
];

/// Whether a value of `format` is one of these.
pub(super) fn is_known(format: &Value) -> bool {
    format.as_str().is_some_and(|name| FORMATS.iter().any(|format| format.names.contains(&name)))
}

fn of(schema: &Value) -> Option<&'static Format> {
    let name = keyword(schema, "format")?.as_str()?;
    FORMATS.iter().find(|format| format.names.contains(&name))
}

/// What a text that misses its format must be, in words.
pub(super) fn missed(text: &str, schema: &Value, language: Language) -> Option<String> {
    let format = of(schema).filter(|format| !(format.fits)(text))?;
    Some(language.pick(|| format!("be {}", format.english), || format!("必须是{}", format.chinese)))
}

/// Whether a format is checked here alone.
pub(crate) fn is_checked_here(schema: &Value) -> bool {
    of(schema).is_some_and(|format| !format.has_types)
}

fn number(text: &str, digits: std::ops::RangeInclusive<usize>) -> Option<u32> {
    let fits = digits.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    fits.then(|| text.parse().ok()).flatten()
}

fn is_date(text: &str) -> bool {
    let text = text.strip_prefix(['+', '-']).unwrap_or(text);
    let mut parts = text.splitn(3, '-');
    let mut next = |digits, range: std::ops::RangeInclusive<u32>| {
        parts.next().and_then(|part| number(part, digits)).is_some_and(|number| range.contains(&number))
    };
    next(1..=6, 0..=999_999) && next(1..=2, 1..=12) && next(1..=2, 1..=31)
}

fn is_time(text: &str) -> bool {
    let Some((hour, rest)) = text.split_once(':') else { return false };
    let minute = rest.get(..2).unwrap_or(rest);
    // What follows is seconds, parts of one, and an offset or the name of a zone.
    number(hour, 1..=2).is_some_and(|hour| hour <= 24)
        && number(minute, 1..=2).is_some_and(|minute| minute < 60)
        && rest.get(2..).is_none_or(|rest| !rest.starts_with(|c: char| c.is_ascii_digit()))
}

fn is_date_time(text: &str) -> bool {
    text.trim().split_once(['T', 't', ' ', '_']).is_some_and(|(date, time)| is_date(date) && is_time(time.trim_start()))
}

fn is_uuid(text: &str) -> bool {
    let text = text.strip_prefix("urn:uuid:").unwrap_or(text);
    let text = text.strip_prefix('{').and_then(|text| text.strip_suffix('}')).unwrap_or(text);
    let digits = text.bytes().filter(u8::is_ascii_hexdigit).count();
    digits == 32 && text.bytes().all(|byte| byte == b'-' || byte.is_ascii_hexdigit())
}

fn is_email(text: &str) -> bool {
    let Some((name, host)) = text.rsplit_once('@') else { return false };
    let is_quoted = name.len() > 2 && name.starts_with('"') && name.ends_with('"');
    let is_literal = host.starts_with('[') && host.ends_with(']');
    let odd = |c: char| c.is_whitespace() || c.is_control() || "@<>()[],;:\\\"".contains(c);
    let is_plain = !name.is_empty()
        && !name.contains(odd)
        && !name.starts_with('.')
        && !name.ends_with('.')
        && !name.contains("..");
    (is_quoted || is_plain) && (is_literal || is_host_name(host))
}

fn is_host_name(text: &str) -> bool {
    let is_label = |label: &str| {
        !label.is_empty()
            && label.len() <= 63
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.chars().all(|c| c.is_alphanumeric() || c == '-')
    };
    text.len() <= 253 && text.strip_suffix('.').unwrap_or(text).split('.').all(is_label)
}

fn is_uri(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c));
    // What else does not belong there, such as a space, is encoded by those who read it.
    is_scheme && !rest.trim().is_empty() && !rest.contains(char::is_control)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn fits(format: &str, text: &str) -> bool {
        missed(text, &json!({ "format": format }), Language::En).is_none()
    }

    #[test]
    fn each_format_takes_its_own_and_refuses_the_rest() {
        let rows: [(&str, &[&str], &[&str]); 10] = [
            (
                "date-time",
                &[
                    "2026-11-30T13:30:00Z",
                    "2026-11-30t13:30:00.123+08:00",
                    "2026-11-30 13:30:00 UTC",
                    "2024-02-29T24:00Z",
                ],
                &[
                    "",
                    "yesterday",
                    "2026-11-30",
                    "13:30",
                    "30.11.2026 13:30",
                    "2026-13-01T00:00:00Z",
                    "2026-11-30Tnoon",
                ],
            ),
            (
                "date",
                &["2026-11-30", "-0044-03-15", "+12026-01-01"],
                &["30.11.2026", "2026/11/30", "2026-11", "2026-11-32", "today"],
            ),
            (
                "time",
                &["13:30", "13:30:00", "13:30:00.5Z", "23:59:60+01:00"],
                &["1 pm", "13", "25:00", "13:60", "13:300"],
            ),
            (
                "uuid",
                &[
                    "67e55044-10b1-426f-9247-bb680e5fe0c8",
                    "67E5504410B1426F9247BB680E5FE0C8",
                    "urn:uuid:67e55044-10b1-426f-9247-bb680e5fe0c8",
                ],
                &["", "42", "67e55044-10b1-426f-9247-bb680e5fe0c", "67e55044-10b1-426f-9247-bb680e5fe0cg"],
            ),
            ("ipv4", &["192.0.2.1"], &["::1", "192.0.2", "256.0.0.1", "localhost"]),
            ("ipv6", &["::1", "2001:db8::1"], &["192.0.2.1", ":::", "localhost"]),
            ("ip", &["::1", "192.0.2.1"], &["localhost", ""]),
            (
                "email",
                &[
                    "a@b",
                    "first.last+tag@example.com",
                    "\"odd name\"@example.com",
                    "jürgen@münchen.de",
                    "a@[192.0.2.1]",
                ],
                &[
                    "",
                    "a",
                    "@b",
                    "a@",
                    "a b@c.de",
                    "a@b@c",
                    "A <a@b.de>",
                    "a..b@c.de",
                    "a@b..c",
                    "a@-b.de",
                    "mailto:a@b.de",
                ],
            ),
            (
                "hostname",
                &["localhost", "www.example.com.", "xn--mnchen-3ya.de"],
                &["", ".", "a b", "http://a", "-a", "a-", "a..b", "a_b/c"],
            ),
            (
                "uri",
                &["https://example.com/a?b=c#d", "mailto:a@b.de", "urn:isbn:1", "https://a/b c"],
                &["", "example.com", "/path", "1:2", "http:"],
            ),
        ];
        for (format, taken, refused) in rows {
            for text in taken {
                assert!(fits(format, text), "{format} {text}");
            }
            for text in refused {
                assert!(!fits(format, text), "{format} {text}");
            }
        }
        assert!(fits("partial-date-time", "anything") && fits("of-our-own", ""));
    }
}
