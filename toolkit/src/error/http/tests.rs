//! Answers as services send them.

use super::*;

fn answer(status: u16, headers: &[(&str, &str)], body: &str) -> ToolError {
    ToolError::from_http(status, headers.iter().copied(), Some(body.as_bytes()))
}

fn class(status: u16, body: &str) -> ErrorClass {
    answer(status, &[], body).class()
}

fn detail<'e>(error: &'e ToolError, key: &str) -> Option<&'e Value> {
    error.details().find(|(known, _)| *known == key).map(|(_, value)| value)
}

const NO_HEADERS: [(&str, &str); 0] = [];

#[test]
fn without_a_body_the_status_is_all_there_is() {
    let error = ToolError::from_http(503, NO_HEADERS, None);
    assert_eq!(error.class(), ErrorClass::ServiceUnavailable);
    assert_eq!(error.message(), "the service answered with the status 503");
    assert_eq!(detail(&error, "status"), Some(&503.into()));
    assert_eq!(error.retry_after_hint(), None);
    assert!(error.is_stated() && !error.is_hidden() && !error.has_no_effect());
}

#[test]
fn every_status_has_the_class_of_the_table() {
    for status in 0..=u16::MAX {
        assert_eq!(ToolError::from_http(status, NO_HEADERS, None).class(), class_of_status(status), "{status}");
    }
}

#[test]
fn the_wait_is_read_at_every_status() {
    for status in [429, 503, 529, 408, 301, 404] {
        let error = answer(status, &[("content-type", "text/plain"), ("RETRY-AFTER", "1.5")], "");
        assert_eq!(error.retry_after_hint(), Some(Duration::from_millis(1500)), "{status}");
    }
    let fine = answer(429, &[("retry-after", "2"), ("retry-after-ms", "250")], "");
    assert_eq!(fine.retry_after_hint(), Some(Duration::from_millis(250)));
    assert_eq!(answer(429, &[("retry-after", "soon")], "").retry_after_hint(), None);
    assert_eq!(
        answer(429, &[("retry-after", "Fri, 29 Sep 2023 16:26:57 GMT")], "").retry_after_hint(),
        Some(Duration::ZERO),
        "a date that has passed"
    );
}

#[test]
fn a_quota_that_is_spent_is_not_waited_for() {
    for body in [
        r#"{"error":{"code":"insufficient_quota","message":"You exceeded your current quota"}}"#,
        r#"{"error":{"message":"You exceeded your current quota","type":"insufficient_quota","code":null}}"#,
        r#"{"type":"error","error":{"type":"billing_error","message":"Your credit balance is too low"}}"#,
        r#"{"error":{"type":"exceeded_current_quota_error","message":"suspended"}}"#,
        r#"{"code":"AllocationQuota.FreeTierOnly","message":"The free tier has been exhausted"}"#,
        r#"{"error":{"message":"quota has been exhausted. It will reset at 2030-01-01T00:00:00Z"}}"#,
        r#"{"error":{"status":"RESOURCE_EXHAUSTED","message":"Quota exceeded for requests per day"}}"#,
        r#"{"error":{"code":429,"status":"RESOURCE_EXHAUSTED","message":"Quota exceeded","details":[
            {"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[
                {"quotaId":"GenerateRequestsPerDayPerProjectPerModel-FreeTier"}]}]}}"#,
        r#"{"errors":[{"code":"quota_exceeded","message":"x"}]}"#,
        r#"[{"error":{"code":"insufficient_quota"}}]"#,
        r#"{"__type":"com.example#ThrottlingException","reason":"MONTHLY_REQUEST_COUNT"}"#,
    ] {
        assert_eq!(class(429, body), ErrorClass::PermissionDenied, "{body}");
    }
    // The code is in the service's structure, so a wait beside it changes nothing.
    let body = r#"{"error":{"code":"insufficient_quota"}}"#;
    assert_eq!(answer(429, &[("retry-after", "1")], body).class(), ErrorClass::PermissionDenied);
    assert_eq!(class(400, r#"{"error":{"code":"billing_hard_limit_reached"}}"#), ErrorClass::PermissionDenied);
}

#[test]
fn a_limit_that_passes_stays_a_limit() {
    for body in [
        r#"{"error":{"code":"rate_limit_exceeded"}}"#,
        r#"{"type":"error","error":{"type":"rate_limit_error","message":"Number of requests has exceeded your limit"}}"#,
        r#"{"error":{"message":"Quota exceeded for requests per minute"}}"#,
        r#"{"message":"insufficient_quota is what others say"}"#,
        r#"{"error":{"code":429}}"#,
        "Too Many Requests",
        "",
        "{",
        "null",
        "[]",
    ] {
        assert_eq!(class(429, body), ErrorClass::RateLimit, "{body}");
    }
    // Words about a quota count only where nobody says how long to wait.
    let exhausted = r#"{"error":{"message":"quota has been exhausted"}}"#;
    assert_eq!(answer(429, &[("retry-after", "3")], exhausted).class(), ErrorClass::RateLimit);
    assert_eq!(class(503, exhausted), ErrorClass::ServiceUnavailable);
}

#[test]
fn googles_wait_is_in_its_body() {
    let body = |quota: &str| {
        format!(
            r#"{{"error":{{"code":429,"message":"You exceeded your current quota","status":"RESOURCE_EXHAUSTED","details":[
            {{"violations":[{{"quotaId":"{quota}"}}]}},
            {{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"17.5s"}}]}}}}"#
        )
    };
    let minute = answer(429, &[], &body("GenerateRequestsPerMinutePerProjectPerModel-FreeTier"));
    assert_eq!(minute.class(), ErrorClass::RateLimit);
    assert_eq!(minute.retry_after_hint(), Some(Duration::from_millis(17_500)));
    assert_eq!(answer(429, &[("retry-after", "2")], &body("x")).retry_after_hint(), Some(Duration::from_secs(2)));
    let garbage = r#"{"error":{"details":[{"retryDelay":"-3s"},{"retryDelay":7},{"retryDelay":"nans"}]}}"#;
    assert_eq!(answer(429, &[], garbage).retry_after_hint(), None);
}

#[test]
fn the_message_is_the_services_own() {
    for (body, message, code) in [
        (r#"{"error":{"message":"m","code":"c","type":"t"}}"#, "m", Some("c")),
        (
            r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#,
            "Overloaded",
            Some("overloaded_error"),
        ),
        (r#"{"error":"no such order"}"#, "no such order", None),
        (
            r#"{"error":"invalid_grant","error_description":"The code has expired"}"#,
            "The code has expired",
            Some("invalid_grant"),
        ),
        (r#"{"errors":[{"message":"first"},{"message":"second"}]}"#, "first", None),
        (
            r#"{"type":"https://example.com/out-of-credit","title":"No credit","detail":"It costs 30"}"#,
            "It costs 30",
            None,
        ),
        (r#"{"detail":"Not found."}"#, "Not found.", None),
        (r#""a text""#, "a text", None),
        ("  out of\n order ", "out of order", None),
        ("<html><body>503</body></html>", "the service answered with the status 503", None),
        ("[1, 2", "the service answered with the status 503", None),
        ("{}", "the service answered with the status 503", None),
    ] {
        let error = answer(503, &[], body);
        assert_eq!(error.message(), message, "{body}");
        assert_eq!(detail(&error, "code"), code.map(Value::from).as_ref(), "{body}");
    }
}

#[test]
fn neither_message_nor_code_carries_a_secret() {
    let key = "sk-proj-abcdefghijklmnop1234567890";
    let body = format!(r#"{{"error":{{"message":"Incorrect API key provided: {key}.","code":"{key}"}}}}"#);
    let error = answer(401, &[], &body);
    assert_eq!(error.class(), ErrorClass::PermissionDenied);
    assert!(!format!("{error:?} {error} {:?}", error.details().collect::<Vec<_>>()).contains("abcdefgh"));
    let late = format!("{{\"message\":\"{} {key}\"}}", "x".repeat(LONGEST_MESSAGE - 10));
    assert!(!answer(401, &[], &late).message().contains("sk-proj"), "cut in the middle of the key");
}

#[test]
fn a_body_is_cut_and_never_panics() {
    let long = format!("{{\"message\":\"{}\"}}", "é".repeat(5000));
    let message = answer(500, &[], &long).message().to_owned();
    assert_eq!(message.chars().count(), LONGEST_MESSAGE + 1);
    let huge = "x".repeat(10_000_000);
    assert_eq!(answer(500, &[], &huge).message(), "the service answered with the status 500");
    for body in [&b"\xff\xfe"[..], b"{\"error\":\xff}", b"\0\0", &vec![b'['; 100_000]] {
        assert_eq!(ToolError::from_http(500, NO_HEADERS, Some(body)).class(), ErrorClass::Internal);
    }
}

#[test]
fn what_is_no_failure_gets_no_class_from_its_body() {
    assert_eq!(class(200, r#"{"error":{"code":"insufficient_quota"}}"#), ErrorClass::Unknown);
}
