//! Texts, and what they do and do not give away.

use proptest::prelude::*;

use super::super::message::class_of;
use super::*;
use ErrorClass::{
    Conflict, Internal, InvalidArgument, Network, NotFound, PermissionDenied, RateLimit, ServiceUnavailable, Timeout,
    Unknown,
};

fn all(expected: ErrorClass, texts: &[&str]) {
    for text in texts {
        assert_eq!(class_of(text, &[]), expected, "{text}");
        assert_eq!(class_of(&format!("calling the shop: {text}"), &[]), expected, "{text}, in a chain");
    }
}

#[test]
fn timeouts_as_they_are_worded() {
    all(
        Timeout,
        &[
            "request timed out after 30s",
            "operation timed out",
            "deadline has elapsed",
            "Read timeout",
            "TIMEOUT",
            "connection timed out",
            "Gateway Time-out",
            "504 Gateway Timeout",
            "timeout of 30000ms exceeded",
            "context deadline exceeded",
            "net/http: request canceled (Client.Timeout exceeded while awaiting headers)",
            "i/o timeout",
            "read ETIMEDOUT",
            "ReadTimeoutError",
            "connect timeout: no answer from the host",
            "timeout while waiting for the lock",
            "timeout has been reached",
            "Request Timeout (408)",
            "upstream returned http status 504",
            "{\"error\":\"timeout\"}",
            "read-timeout",
            "HTTP 408",
            "HTTP 524",
            "the request hit its timeout",
            "timeout (30s)",
            "连接超时",
            "请求超时，请稍后重试",
            "调用超时",
        ],
    );
}

#[test]
fn rate_limits_as_they_are_worded() {
    all(
        RateLimit,
        &[
            "error 429: slow down",
            "Too Many Requests",
            "rate limit exceeded",
            "ratelimited, retry later",
            "rate-limit reached",
            "Rate limit has been exceeded",
            "You are being rate limited.",
            "RateLimitError",
            "rate_limit_error",
            "rate limit reached for gpt-4 in organization x",
            "you exceeded the rate limit",
            "HTTP 429",
            "HTTP/1.1 429 Too Many Requests",
            "status_code=429",
            "status code 429 from upstream",
            "{\"status\": 429}",
            "API rate limit exceeded for 10.0.0.1",
            "Request was throttled.",
            "ThrottlingException: x",
            "too_many_requests",
            "请求过于频繁",
            "错误：请求过于频繁。",
            "statusCode: 429",
        ],
    );
}

#[test]
fn services_that_are_down_as_they_are_worded() {
    all(
        ServiceUnavailable,
        &[
            "HTTP 503 Service Unavailable",
            "status code: 503",
            "service is temporarily unavailable",
            "Got HTTP 503",
            "Service Unavailable",
            "service_unavailable",
            "502 Bad Gateway",
            "server is busy",
            "Overloaded",
            "overloaded_error",
            "HTTP status server error (503 Service Unavailable) for url (http://h/)",
            "Resource temporarily unavailable",
            "database is locked",
            "too many connections",
            "response code: 502",
            "HTTP/2 503",
            "HTTP 529",
            "http error 503",
            "status: 503",
            "Request failed with status code 503",
            "the server responded with status 503",
            "unexpected status 502 Bad Gateway",
            "error 503",
            "error code: 502",
            "服务不可用",
            "服务暂时不可用，请稍后再试",
            "系统繁忙",
        ],
    );
}

#[test]
fn connections_that_broke_as_they_are_worded() {
    all(
        Network,
        &[
            "Connection reset by peer (os error 104)",
            "connection refused",
            "connection refused on port 5000",
            "dns error: failed to lookup address information",
            "connection was closed before message completed",
            "connection closed before message completed",
            "Broken pipe",
            "socket hang up",
            "read ECONNRESET",
            "getaddrinfo EAI_AGAIN api.test",
            "Name or service not known",
            "no route to host",
            "Network is unreachable",
            "tcp connect error: x",
            "dial tcp: lookup api.test: no such host",
            "Could not resolve host: api.test",
            "tcp connect error: 由于目标计算机积极拒绝，无法连接。 (os error 10061)",
            "连接被拒绝",
            "HTTP 521",
            "Lost connection to server during query",
        ],
    );
}

#[test]
fn permanent_failures_as_they_are_worded() {
    all(
        NotFound,
        &[
            "order 503912 not found",
            "order id 503 not found",
            "HTTP 404",
            "404 Not Found",
            "status: 410",
            "the user does not exist",
            "it doesn't exist",
            "it doesn’t exist",
            "customer could not be found",
            "no such customer",
            "ENOENT",
            "HTTP status client error (404 Not Found) for url (x)",
            "订单不存在",
        ],
    );
    all(
        PermissionDenied,
        &[
            "401 Unauthorized",
            "FORBIDDEN",
            "HTTP 403",
            "access is denied",
            "Permission denied",
            "connect to 127.0.0.1:40329 returned bad credentials",
            "insufficient_quota",
            "HTTP 429: insufficient_quota",
            "You exceeded your current quota",
            "operation not permitted",
            "HTTP 402",
            "权限不足",
            "AccessDenied",
        ],
    );
    all(Conflict, &["already exists", "409 Conflict", "merge conflict in x", "duplicate key value", "用户已存在"]);
    all(
        InvalidArgument,
        &["HTTP 422", "400 Bad Request", "405 Method Not Allowed", "Unprocessable Entity", "invalid parameter: x"],
    );
    all(Internal, &["GET http://127.0.0.1:40329/slot failed: 500 Internal Server Error", "HTTP 501", "status=500"]);
}

#[test]
fn a_permanent_word_in_a_transient_sentence_wins_and_the_reverse() {
    all(NotFound, &["the request timed out because the host was not found", "HTTP 503: order not found"]);
    all(PermissionDenied, &["rate limit exceeded: forbidden", "service unavailable (401 Unauthorized)"]);
    all(PermissionDenied, &["access denied after the connection was reset"]);
    all(Conflict, &["order already exists, please do not retry, the service is unavailable"]);
}

#[test]
fn numbers_that_are_no_status() {
    all(
        Unknown,
        &[
            "invoice #503 already paid",
            "returned 500 rows in 429ms",
            "error code 4290",
            "status=5031",
            "status: 503rd visitor",
            "exit status 15004",
            "read 50200 bytes, then the stream stopped",
            "code 5030",
            "line 404: unexpected token",
            "listening on port 503",
            "took 504 ms",
            "version 5.0.3",
            "503",
            "HTTP 5031",
            "release 4.2.9 of 2024-05-03",
            "ticket 429-A",
            "order 0429",
            "127.0.0.1:503 said no",
            "429 items left",
            "exit status 429",
            "process exited with status 503",
            "error: 503 rows were skipped",
            "status: 503 visitors",
            "HTTP 503 requests were sent",
            "status: -503",
            "status 503.5",
            "status 1,503",
            "status: 503/7",
            "HTTP 200",
            "error 503 lines long",
            "HTTP 302",
            "+49 503 429",
            "code 429",
            "page 503 of 504",
            "#429",
            "$503 short",
            "see http://h:503/429?status=503&x=timeout",
            "https://h/HTTP 99",
            "cannot write /var/log/timeout",
            "GET /v1/rate-limit-exceeded gave nothing",
            "ftp://h/(a)timed-out",
            "0x503",
            "status: 503%",
            "reading the device failed (os error 21)",
            "(os error 99999)",
            "os error 1110",
            "os error 99999999999",
        ],
    );
}

#[test]
fn settings_and_other_things_that_only_sound_transient() {
    all(
        Unknown,
        &[
            "rate must be positive",
            "exchange rate EUR/USD missing",
            "failed to generate report",
            "invalid timeout value: -5",
            "the timeout setting must be a number",
            "moderate limit reached",
            "modérate limit reached",
            "unknown field `timeout`",
            "unexpected argument '--timeout'",
            "timeout=30",
            "timeout: 30",
            "no timeout given",
            "timeout must be positive",
            "timeout() takes one argument",
            "config.timeout is not set",
            "timeout.rs is gone",
            "the rate limit must be below 5",
            "rate limit: 100",
            "rate limit setting is odd",
            "corporate limit exceeded",
            "no rate limit",
            "it never timed out",
            "no matching overloaded function",
            "this product is temporarily unavailable",
            "the item is unavailable",
            "interconnection refusedly",
            "pirate limits exceeded",
            "missing timeout",
            "timeouts are configured",
            "连接超时设置有误",
            "请求超时时间过短",
            "a service",
            "unavailable",
            "connection string is odd",
            "default timeout",
            "the timeout of 5 is odd",
            "--rate-limit",
            "expected a timeout",
        ],
    );
}

#[test]
fn what_a_transient_text_must_not_be_taken_from() {
    let far = format!("{}timed out", "x ".repeat(3000));
    all(Unknown, &[&far, "gone\nStack backtrace:\n 0: timed out", "gone\n\nstack backtrace: HTTP 503"]);
    let near = format!("{}timed out", "x ".repeat(1000));
    all(Timeout, &[&near]);
    let cut = format!("{}{}", "x".repeat(4095), "超时");
    all(Unknown, &[&cut]);
}

#[test]
fn numbers_of_operating_systems_in_any_language() {
    all(NotFound, &["No such file or directory (os error 2)"]);
    if cfg!(target_os = "linux") {
        all(Network, &["Verbindungsaufbau abgelehnt (os error 111)"]);
        all(Timeout, &["Zeit abgelaufen (os error 110)"]);
        all(ServiceUnavailable, &["x (os error 11)"]);
    }
    all(Timeout, &["x (os error 10060)"]);
}

#[test]
fn a_channel_whose_other_side_is_gone() {
    all(Internal, &["channel closed", "semaphore closed"]);
    all(Network, &["connection reset: channel closed"]);
    all(Unknown, &["channel closed for the night"]);
}

proptest! {
    #[test]
    fn no_text_is_too_odd(text in any::<String>()) {
        class_of(&text, &[]);
    }

    #[test]
    fn no_mixture_of_pieces_is_too_odd(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..30)) {
        class_of(&pieces.concat(), &[]);
    }

    #[test]
    fn a_bare_number_says_nothing(number in 0..100_000_u32, word in "(order|port|line|id|took|version|room|#|at) ?") {
        let text = format!("{word}{number}");
        prop_assert_eq!(class_of(&text, &[]), Unknown);
    }

    #[test]
    fn a_status_counts_as_a_whole(status in 1000..100_000_u32) {
        prop_assert_eq!(class_of(&format!("HTTP {status}"), &[]), Unknown);
        prop_assert_eq!(class_of(&format!("status: {status}"), &[]), Unknown);
    }
}

const PIECES: &[&str] = &[
    "timeout",
    " ",
    "=",
    "://",
    "/",
    "HTTP",
    "503",
    ".",
    "é",
    "超时",
    "连接",
    "os error ",
    "1",
    "rate",
    "limit",
    "-",
    "\n",
    "\"",
    "(",
    ")",
    "status",
    ":",
    "’",
    "Stack backtrace",
    "http",
    "\u{301}",
    "ß",
    "not",
    "found",
];
