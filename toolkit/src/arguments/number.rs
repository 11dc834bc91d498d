//! Numbers by their text: exact where they are whole.

use std::cmp::Ordering;

use super::node::is_integer;

/// The integer that a text writes out without a loss: `2`, `2.0`, `2e0`, `-0`; never through a float.
pub(super) fn integer(text: &str) -> Option<String> {
    let (mantissa, exponent) = match text.find(['e', 'E']) {
        Some(at) => {
            let exponent = text[at + 1..].parse::<usize>().ok()?;
            (&text[..at], exponent)
        }
        None => (text, 0),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((_, "")) => return None,
        Some(parts) => parts,
        None => (mantissa, ""),
    };
    let (sign, digits) = whole.strip_prefix('-').map_or(("", whole), |digits| ("-", digits));
    let plain = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    // `007` is more likely a code than a number.
    if digits.is_empty() || !plain(digits) || !plain(fraction) || (digits.len() > 1 && digits.starts_with('0')) {
        return None;
    }
    let fraction = fraction.trim_end_matches('0');
    // The longest integer of any type has 39 digits.
    let zeros = exponent.checked_sub(fraction.len()).filter(|_| exponent <= 40)?;
    let all = format!("{digits}{fraction}{}", "0".repeat(zeros));
    let all = all.trim_start_matches('0');
    Some(if all.is_empty() { "0".to_owned() } else { format!("{sign}{all}") })
}

/// Whether a text is a number as JSON writes it, and one that a float can hold.
pub(super) fn is_finite_number(text: &str) -> bool {
    serde_json::from_str::<f64>(text).is_ok_and(f64::is_finite)
}

/// The one spelling of a number: its digits without zeros at the ends, and where the point stands.
pub(super) fn canonical(text: &str) -> String {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i64>().ok()),
        None => (text, Some(0)),
    };
    let (sign, mantissa) = mantissa.strip_prefix('-').map_or(("", mantissa), |digits| ("-", digits));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all = format!("{whole}{fraction}");
    let digits = all.trim_start_matches('0').trim_end_matches('0');
    if digits.is_empty() {
        return "0".to_owned();
    }
    let zeros = all.len() - all.trim_end_matches('0').len();
    let shift = i64::try_from(zeros).ok().zip(i64::try_from(fraction.len()).ok()).map(|(zeros, point)| zeros - point);
    match exponent.zip(shift).and_then(|(exponent, shift)| exponent.checked_add(shift)) {
        Some(0) => format!("{sign}{digits}"),
        Some(exponent) => format!("{sign}{digits}e{exponent}"),
        None => text.to_owned(),
    }
}

/// The order of two numbers: by their digits where both are whole, else as floats.
pub(super) fn compare(a: &str, b: &str) -> Option<Ordering> {
    match (whole(a), whole(b)) {
        (Some(a), Some(b)) => Some(a.cmp(&b)),
        _ => a.parse::<f64>().ok()?.partial_cmp(&b.parse::<f64>().ok()?),
    }
}

/// A whole number as something that has its order: negative ones first, then by length and digits.
fn whole(text: &str) -> Option<(i8, i128, String)> {
    let text = integer(text)?;
    Some(match text.parse::<i128>() {
        Ok(number) => (0, number, String::new()),
        // Beyond `i128`, equal signs and no leading zeros: the longer is the greater, and then the digits decide.
        Err(_) => {
            let length = i128::try_from(text.len()).ok()?;
            match text.strip_prefix('-') {
                Some(digits) => {
                    let complement = digits.bytes().map(|digit| char::from(b'9' - (digit - b'0'))).collect();
                    (-1, -length, complement)
                }
                None => (1, length, text),
            }
        }
    })
}

/// The least and the greatest value of the integer type that a schema's `format` names.
pub(crate) fn range_of(format: &str) -> Option<(String, String)> {
    match format {
        "int128" => Some((i128::MIN.to_string(), i128::MAX.to_string())),
        "uint128" => Some((u128::MIN.to_string(), u128::MAX.to_string())),
        _ => small_range_of(format).map(|(least, most)| (least.to_string(), most.to_string())),
    }
}

/// The same of the integers of up to 64 bits.
pub(super) fn small_range_of(format: &str) -> Option<(i128, i128)> {
    macro_rules! range {
        ($int:ty) => {
            i128::try_from(<$int>::MIN).ok().zip(i128::try_from(<$int>::MAX).ok())
        };
    }
    match format {
        "int8" => range!(i8),
        "int16" => range!(i16),
        "int32" => range!(i32),
        "int64" => range!(i64),
        "int" => range!(isize),
        "uint8" => range!(u8),
        "uint16" => range!(u16),
        "uint32" => range!(u32),
        "uint64" => range!(u64),
        "uint" => range!(usize),
        _ => None,
    }
}

/// Whether one number goes into another without a rest.
pub(super) fn is_multiple(number: &str, step: &str) -> bool {
    if is_integer(number)
        && is_integer(step)
        && let (Ok(number), Ok(step)) = (number.parse::<i128>(), step.parse::<i128>())
    {
        return step == 0 || number % step == 0;
    }
    match (number.parse::<f64>(), step.parse::<f64>()) {
        (Ok(number), Ok(step)) => {
            let times = number / step;
            (times - times.round()).abs() < 1e-9
        }
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering::{Equal, Greater, Less};

    use super::{compare, integer};

    #[test]
    fn an_integer_is_what_has_one_reading() {
        for (written, read) in [
            ("2", "2"),
            ("2.0", "2"),
            ("2e0", "2"),
            ("-0", "0"),
            ("-0.0", "0"),
            ("1.50e2", "150"),
            ("1E3", "1000"),
            ("0e5", "0"),
            ("-12", "-12"),
            ("340282366920938463463374607431768211455", "340282366920938463463374607431768211455"),
        ] {
            assert_eq!(integer(written).as_deref(), Some(read), "{written}");
        }
        for written in
            ["", "-", "2.5", "two", "1,000", "007", "+1", "1.", ".5", "1e-1", "1e99", "0x10", "1_000", "٣", "1e", "e1"]
        {
            assert_eq!(integer(written), None, "{written}");
        }
    }

    #[test]
    fn numbers_are_ordered_by_their_digits() {
        for (a, b, order) in [
            ("9007199254740993", "9007199254740992", Greater),
            ("2.0", "2", Equal),
            ("-3", "2.5", Less),
            ("340282366920938463463374607431768211455", "340282366920938463463374607431768211454", Greater),
            ("-340282366920938463463374607431768211455", "-340282366920938463463374607431768211454", Less),
            ("-340282366920938463463374607431768211455", "1", Less),
            ("340282366920938463463374607431768211455", "1", Greater),
            ("1e3", "999.5", Greater),
        ] {
            assert_eq!(compare(a, b), Some(order), "{a} {b}");
            assert_eq!(compare(b, a), Some(order.reverse()), "{b} {a}");
        }
    }
}
