//! A failed answer of an HTTP service, as whoever sent the request hands it over.

use std::time::{Duration, SystemTime};

use serde_json::{Map, Value};

use super::ToolError;
use crate::classify::{ErrorClass, class_of_status};
use crate::retry::RetryAfter;
use crate::scrub::scrub;

#[cfg(test)]
mod tests;

/// A body that says what went wrong is small. A larger one is a page, or somebody's data.
const LARGEST_BODY: usize = 64 * 1024;

/// The most characters of the service's words that are kept.
const LONGEST_MESSAGE: usize = 500;

/// The most characters of a service's code that are kept.
const LONGEST_CODE: usize = 64;

/// Codes that say that something is used up which no waiting within a call brings back: money, or what a day or a month
/// allows. In lower case, without what stands between words.
const SPENT: [&str; 24] = [
    "accessterminated",
    "arrearage",
    "billingerror",
    "billinghardlimitreached",
    "billingnotactive",
    "creditsexhausted",
    "dailylimitexceeded",
    "exceededcurrentquotaerror",
    "freetieronly",
    "freeusagelimiterror",
    "insufficientbalance",
    "insufficientcredit",
    "insufficientcredits",
    "insufficientfunds",
    "insufficientquota",
    "monthlylimitexceeded",
    "monthlyrequestcount",
    "outofcredits",
    "paymentrequired",
    "quotaexceeded",
    "quotaexhausted",
    "spendlimitreached",
    "usagelimitexceeded",
    "usagelimitreached",
];

impl ToolError {
    /// The failure that an HTTP status stands for, in the words of the service.
    ///
    /// The class is that of the status; a code in the body such as `insufficient_quota`, which says that something is
    /// used up for good, makes it [`PermissionDenied`](ErrorClass::PermissionDenied), so that nobody waits for it. The
    /// wait is that of [`RetryAfter`], or of Google's `RetryInfo` in the body. The message is that of a JSON body in one
    /// of the usual shapes, or a short text, without secrets; the details `status` and `code` stand beside it.
    ///
    /// The class counts as the tool's own word, and that the attempt had no effect is for the tool to add. The wall clock
    /// is read where `Retry-After` holds a date.
    ///
    /// ```
    /// use std::time::Duration;
    /// use toolkit::{ErrorClass, ToolError};
    ///
    /// let body = br#"{"error": {"message": "Slow down.", "code": "rate_limit_exceeded"}}"#;
    /// let error = ToolError::from_http(429, [("Retry-After", "7")], Some(body));
    /// assert_eq!(error.class(), ErrorClass::RateLimit);
    /// assert_eq!(error.retry_after_hint(), Some(Duration::from_secs(7)));
    /// assert_eq!(error.message(), "Slow down.");
    ///
    /// let body = br#"{"error": {"message": "You exceeded your current quota.", "code": "insufficient_quota"}}"#;
    /// assert_eq!(ToolError::from_http(429, [("x-request-id", "1")], Some(body)).class(), ErrorClass::PermissionDenied);
    /// ```
    pub fn from_http(
        status: u16,
        headers: impl IntoIterator<Item = (impl AsRef<str>, impl AsRef<[u8]>)>,
        body: Option<&[u8]>,
    ) -> Self {
        read(status, RetryAfter::from_headers(headers, SystemTime::now()), body.unwrap_or_default())
    }
}

fn read(status: u16, asked: Option<Duration>, body: &[u8]) -> ToolError {
    let answer = Answer::of(body);
    let wait = asked.or(answer.wait);
    let spent = answer.is_spent() || (status == 429 && wait.is_none() && speaks_of_a_spent_quota(&answer.message));
    let class = match class_of_status(status) {
        // What is no failure, or has no class, gets none from its body.
        class @ ErrorClass::Unknown => class,
        _ if spent => ErrorClass::PermissionDenied,
        class => class,
    };
    let message = if answer.message.is_empty() {
        format!("the service answered with the status {status}")
    } else {
        answer.message
    };
    let error = ToolError::new(class, message).retry_after(wait).detail("status", status);
    match answer.codes.into_iter().next() {
        Some(code) => error.detail("code", code),
        None => error,
    }
}

/// What a body says.
#[derive(Default)]
struct Answer {
    /// The most telling one first.
    codes: Vec<String>,
    message: String,
    wait: Option<Duration>,
}

impl Answer {
    fn of(body: &[u8]) -> Self {
        let body = &body[..body.len().min(LARGEST_BODY)];
        match serde_json::from_slice::<Value>(body) {
            Ok(Value::Object(body)) => Self::of_object(&body),
            // Some send their one error in a list.
            Ok(Value::Array(list)) => list.first().and_then(Value::as_object).map(Self::of_object).unwrap_or_default(),
            Ok(Value::String(text)) => Self { message: shorten(&text, LONGEST_MESSAGE), ..Self::default() },
            Ok(_) => Self::default(),
            Err(_) => Self { message: plain(body).unwrap_or_default(), ..Self::default() },
        }
    }

    /// The usual shapes: `{"error": {…}}`, `{"error": "…"}`, `{"errors": [{…}]}`, and the same without a wrapper, as in
    /// [RFC 9457](https://www.rfc-editor.org/rfc/rfc9457).
    fn of_object(body: &Map<String, Value>) -> Self {
        let wrapped = [body.get("error"), body.get("errors").and_then(|errors| errors.get(0))];
        let mut answer = Self::default();
        for error in wrapped.into_iter().flatten().filter_map(Value::as_object).chain([body]) {
            answer.add(error);
        }
        // As OAuth does it: a code, and a sentence under another name.
        if let Some(text) = body.get("error").and_then(Value::as_str) {
            match (answer.message.is_empty(), text.contains(' ')) {
                (true, _) => answer.message = shorten(text, LONGEST_MESSAGE),
                (false, false) => answer.add_code(text),
                (false, true) => {}
            }
        }
        answer
    }

    fn add(&mut self, error: &Map<String, Value>) {
        let texts =
            |keys: &[&str]| keys.iter().filter_map(|key| error.get(*key)?.as_str()).map(str::to_owned).collect();
        let codes: Vec<String> = texts(&["code", "reason", "status", "type", "__type"]);
        codes.iter().filter(|code| !code.contains([' ', '/']) && *code != "error").for_each(|code| self.add_code(code));
        let messages: Vec<String> = texts(&["message", "Message", "detail", "error_description", "msg", "title"]);
        if let (true, Some(message)) = (self.message.is_empty(), messages.first()) {
            self.message = shorten(message, LONGEST_MESSAGE);
        }
        for detail in error.get("details").and_then(Value::as_array).into_iter().flatten() {
            self.wait = self.wait.or_else(|| seconds(detail.get("retryDelay")?.as_str()?));
            let violations = detail.get("violations").and_then(Value::as_array);
            let quotas = violations.into_iter().flatten().filter_map(|violation| violation.get("quotaId")?.as_str());
            quotas.for_each(|quota| self.add_code(quota));
        }
    }

    fn add_code(&mut self, code: &str) {
        self.codes.push(shorten(code, LONGEST_CODE));
    }

    fn is_spent(&self) -> bool {
        self.codes.iter().any(|code| {
            // `AllocationQuota.FreeTierOnly`, `com.amazon#ThrottlingException`: the last part is the code.
            let last = code.rsplit(['.', '#']).next().unwrap_or(code);
            let letters: String = last.chars().filter(char::is_ascii_alphanumeric).collect();
            let letters = letters.to_ascii_lowercase();
            // Google names its quotas, such as `GenerateRequestsPerDayPerProjectPerModel-FreeTier`.
            SPENT.contains(&letters.as_str()) || letters.contains("perday") || letters.contains("permonth")
        })
    }
}

/// Some services have no code for it. Their words count only where nobody says how long to wait.
fn speaks_of_a_spent_quota(message: &str) -> bool {
    let words = message.to_lowercase();
    let has_one_of = |parts: &[&str]| parts.iter().any(|part| words.contains(part));
    let is_short = has_one_of(&["per second", "per minute", "per hour"]);
    has_one_of(&["quota", "credit", "balance"])
        && !is_short
        && has_one_of(&["exhausted", "per day", "per month", "daily", "monthly", "used up"])
}

/// `17s`, as Google writes a length of time.
fn seconds(text: &str) -> Option<Duration> {
    RetryAfter::parse(text.strip_suffix('s')?, SystemTime::UNIX_EPOCH)
}

/// A text that is for people to read: no page, and no data.
fn plain(body: &[u8]) -> Option<String> {
    let text = str::from_utf8(body).ok()?.trim();
    let is_sentence = !text.starts_with(['<', '{', '[']) && text.lines().count() <= 3 && !text.contains('\0');
    (is_sentence && text.len() <= 4 * LONGEST_MESSAGE).then(|| shorten(text, LONGEST_MESSAGE))
}

/// Without secrets, on one line, and no longer than so many characters. Cut last, so that no half of a secret stays.
fn shorten(text: &str, most: usize) -> String {
    let clean = scrub(text);
    let mut line = String::with_capacity(clean.len());
    for word in clean.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    if let Some((end, _)) = line.char_indices().nth(most) {
        line.truncate(end);
        line.push('…');
    }
    line
}
