//! Reads the data file: comma-separated lines, checked field by field, so that a mistake is named with its line.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

pub(crate) const COLUMNS: [&str; 10] = [
    "order_id",
    "customer",
    "email",
    "item",
    "amount",
    "status",
    "carrier",
    "shipping_number",
    "ordered_on",
    "deliver_on",
];
pub(crate) const STATUSES: [&str; 6] = ["placed", "packed", "shipped", "delivered", "returned", "cancelled"];

/// One order as it stands in the data file.
pub(crate) struct OrderLine {
    pub(crate) line: usize,
    /// In the order of `COLUMNS`; the amount still as text.
    pub(crate) fields: [String; COLUMNS.len()],
    pub(crate) amount_cents: i64,
}

/// What is wrong with the data file, and where.
#[derive(Debug)]
pub(crate) struct DataError {
    path: PathBuf,
    line: Option<usize>,
    what: String,
}

impl DataError {
    pub(crate) fn new(path: &Path, line: impl Into<Option<usize>>, what: impl Into<String>) -> Self {
        Self { path: path.to_owned(), line: line.into(), what: what.into() }
    }
}

impl fmt::Display for DataError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.path.display())?;
        if let Some(line) = self.line {
            write!(f, ", line {line}")?;
        }
        write!(f, ": {}", self.what)
    }
}

impl std::error::Error for DataError {}

/// Reads every order of the file, or says what is wrong with its first bad line.
pub(crate) fn read(path: &Path) -> Result<Vec<OrderLine>, DataError> {
    let bytes = fs::read(path).map_err(|error| DataError::new(path, None, error.to_string()))?;
    let text = std::str::from_utf8(&bytes).map_err(|error| {
        let line = bytes[..error.valid_up_to()].split(|byte| *byte == b'\n').count();
        DataError::new(path, line, "this is not UTF-8 text")
    })?;
    let mut lines = text.lines().enumerate().map(|(index, line)| (index + 1, line));
    if lines.next().is_none_or(|(_, header)| header.trim_start_matches('\u{feff}') != COLUMNS.join(",")) {
        return Err(DataError::new(path, 1, format!("the first line is to name the columns: {}", COLUMNS.join(","))));
    }
    let orders: Vec<_> = lines
        .filter(|(_, text)| !text.trim().is_empty())
        .map(|(line, text)| parse(line, text).map_err(|what| DataError::new(path, line, what)))
        .collect::<Result<_, _>>()?;
    if orders.is_empty() {
        return Err(DataError::new(path, None, "there is no order in it"));
    }
    Ok(orders)
}

fn parse(line: usize, text: &str) -> Result<OrderLine, String> {
    let fields = split(text)?;
    let fields: [String; COLUMNS.len()] = fields
        .try_into()
        .map_err(|fields: Vec<String>| format!("{} fields where {} are expected", fields.len(), COLUMNS.len()))?;
    let [order_id, customer, email, item, amount, status, _, _, ordered_on, deliver_on] = &fields;
    if !is_order_id(order_id) {
        return Err(format!("order_id `{order_id}` is not ORD and 8 digits"));
    }
    for (column, value) in [("customer", customer), ("item", item)] {
        if value.trim().is_empty() {
            return Err(format!("{column} is empty"));
        }
    }
    if email.split_once('@').is_none_or(|(name, domain)| name.is_empty() || domain.is_empty()) {
        return Err(format!("email `{email}` is not an address"));
    }
    let amount_cents = cents(amount).ok_or_else(|| format!("amount `{amount}` is not a number such as 89.50"))?;
    if !STATUSES.contains(&status.as_str()) {
        return Err(format!("status `{status}` is none of {}", STATUSES.join(", ")));
    }
    for (column, value) in [("ordered_on", ordered_on), ("deliver_on", deliver_on)] {
        if !is_date(value) {
            return Err(format!("{column} `{value}` is not a date such as 2026-03-31"));
        }
    }
    Ok(OrderLine { line, fields, amount_cents })
}

/// Fields between commas; a quoted one may hold commas, and quotes that are written twice.
fn split(text: &str) -> Result<Vec<String>, String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let field = fields.last_mut().ok_or("no field")?;
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                field.push('"');
            }
            '"' if quoted => quoted = false,
            '"' if field.is_empty() => quoted = true,
            '"' => return Err("a quote stands inside a field that is not quoted".to_owned()),
            ',' if !quoted => fields.push(String::new()),
            _ => field.push(c),
        }
    }
    if quoted { Err("a quoted field is not closed".to_owned()) } else { Ok(fields) }
}

pub(crate) fn is_order_id(text: &str) -> bool {
    text.strip_prefix("ORD").is_some_and(|digits| digits.len() == 8 && digits.bytes().all(|byte| byte.is_ascii_digit()))
}

fn cents(text: &str) -> Option<i64> {
    let (whole, part) = text.split_once('.')?;
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if part.len() != 2 || !digits(part) || !digits(whole) {
        return None;
    }
    whole.parse::<i64>().ok()?.checked_mul(100)?.checked_add(part.parse().ok()?)
}

/// Whether this is a day of the calendar, written as 2026-03-31.
pub(crate) fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let [year, month, day] = parts[..] else { return false };
    if (year.len(), month.len(), day.len()) != (4, 2, 2) || !text.bytes().all(|b| b.is_ascii_digit() || b == b'-') {
        return false;
    }
    let (Ok(year), Ok(day)) = (year.parse::<u32>(), day.parse::<u32>()) else { return false };
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let days = match month {
        "01" | "03" | "05" | "07" | "08" | "10" | "12" => 31,
        "04" | "06" | "09" | "11" => 30,
        "02" if leap => 29,
        "02" => 28,
        _ => 0,
    };
    (1..=days).contains(&day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_broken_line_is_named_with_its_number() {
        let good = "ORD10000001,Ann,a@example.com,\"Lamp, \"\"big\"\"\",1.50,placed,,,2026-01-01,2026-01-02";
        let order = parse(2, good).expect("a good line");
        assert_eq!((order.fields[3].as_str(), order.amount_cents), ("Lamp, \"big\"", 150));
        for (from, to, what) in [
            ("ORD10000001", "ORD1", "order_id `ORD1`"),
            ("Ann", " ", "customer is empty"),
            ("a@example.com", "nobody", "email `nobody`"),
            ("1.50", "1.5", "amount `1.5`"),
            ("1.50", "-1.50", "amount `-1.50`"),
            ("placed", "lost", "status `lost` is none of placed"),
            ("2026-01-02", "2026-02-30", "deliver_on `2026-02-30`"),
            (",,,", ",,", "9 fields where 10"),
            ("\"Lamp", "Lamp", "a quote stands inside"),
            ("\"big\"\"\"", "\"big\"\"", "not closed"),
        ] {
            let error = parse(2, &good.replacen(from, to, 1)).err().expect("a broken line");
            assert!(error.contains(what), "{error} / {what}");
        }
    }

    #[test]
    fn knows_the_calendar() {
        for good in ["2026-03-31", "2024-02-29", "2000-02-29"] {
            assert!(is_date(good), "{good}");
        }
        for bad in ["2026-02-29", "1900-02-29", "2026-13-01", "2026-00-01", "2026-1-01", "+026-01-01", "tomorrow", ""] {
            assert!(!is_date(bad), "{bad}");
        }
    }
}
